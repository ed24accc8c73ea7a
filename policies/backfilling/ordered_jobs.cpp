#include "muster/policies/backfilling/ordered_jobs.h"

#include <algorithm>
#include <utility>

namespace muster {

namespace {

constexpr std::size_t most_in_block = 64;

bool entry_is_before(const ordered_jobs::entry& e, const ordered_jobs::place& at) { return e.at < at; }
bool entry_is_behind(const ordered_jobs::place& at, const ordered_jobs::entry& e) { return at < e.at; }

}  // namespace

void ordered_jobs::block::find_shortest() {
  shortest = jobs.front().duration;
  for (const entry& e : jobs) shortest = std::min(shortest, e.duration);
}

// The last block that begins at the place or before it, else the first.
std::size_t ordered_jobs::block_of(const place& at) const {
  const auto later =
      std::upper_bound(blocks_.begin(), blocks_.end(), at,
                       [](const place& p, const std::unique_ptr<block>& b) { return p < b->jobs.front().at; });
  return later == blocks_.begin() ? 0 : static_cast<std::size_t>(later - blocks_.begin()) - 1;
}

void ordered_jobs::insert(const entry& e) {
  // A new job is the last one most of the time.
  const bool at_end = blocks_.empty() || blocks_.back()->jobs.back().at < e.at;
  if (spare_.empty()) {
    spare_.push_back(std::make_unique<block>());
    spare_.back()->jobs.reserve(most_in_block);
  }
  if (blocks_.empty()) {
    blocks_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  std::size_t number = at_end ? blocks_.size() - 1 : block_of(e.at);
  if (blocks_[number]->jobs.size() == most_in_block) {
    auto& front = blocks_[number]->jobs;
    auto& back = spare_.back()->jobs;
    const auto middle = at_end ? front.end() : front.begin() + most_in_block / 2;
    back.assign(middle, front.end());
    front.erase(middle, front.end());
    blocks_[number]->find_shortest();
    if (!back.empty()) spare_.back()->find_shortest();
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(number) + 1, std::move(spare_.back()));
    spare_.pop_back();
    if (at_end || !(e.at < blocks_[number + 1]->jobs.front().at)) ++number;
  }
  block& b = *blocks_[number];
  b.jobs.insert(at_end ? b.jobs.end() : std::lower_bound(b.jobs.begin(), b.jobs.end(), e.at, entry_is_before), e);
  b.shortest = b.jobs.size() == 1 ? e.duration : std::min(b.shortest, e.duration);
}

void ordered_jobs::erase(const place& at) {
  const std::size_t number = block_of(at);
  block& b = *blocks_[number];
  const auto found = std::lower_bound(b.jobs.begin(), b.jobs.end(), at, entry_is_before);
  const bool was_shortest = found->duration == b.shortest;
  b.jobs.erase(found);
  if (b.jobs.empty()) {
    spare_.push_back(std::move(blocks_[number]));
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(number));
  } else if (was_shortest) {
    b.find_shortest();
  }
}

const ordered_jobs::entry* ordered_jobs::behind(const place& at, ticks longest) const {
  if (blocks_.empty()) return nullptr;
  const std::size_t number = block_of(at);
  const auto& jobs = blocks_[number]->jobs;
  const auto next = std::upper_bound(jobs.begin(), jobs.end(), at, entry_is_behind);
  return search(number, static_cast<std::size_t>(next - jobs.begin()), longest);
}

const ordered_jobs::entry* ordered_jobs::search(std::size_t number, std::size_t from, ticks longest) const {
  for (; number < blocks_.size(); ++number, from = 0) {
    const block& b = *blocks_[number];
    if (b.shortest > longest) continue;
    for (; from < b.jobs.size(); ++from)
      if (b.jobs[from].duration <= longest) return &b.jobs[from];
  }
  return nullptr;
}

}  // namespace muster
