#include "muster/policies/algorithms/availability_profile.h"

#include <algorithm>

namespace muster {

void availability_profile::block::find_bounds() {
  std::int64_t low = free[0], high = free[0];
  for (std::size_t n = 1; n < count; ++n) {
    low = std::min(low, free[n]);
    high = std::max(high, free[n]);
  }
  least = low + all;
  largest = high + all;
}

availability_profile::availability_profile(std::int64_t free) : base_(free) {
  blocks_.push_back(std::make_unique<block>());
  blocks_.front()->count = 1;
}

// The step that contains an instant.
availability_profile::place availability_profile::find(instant at) const {
  if (const block& front = *blocks_.front(); front.count > 1 && at < front.at[1]) return {0, 0};
  const auto later = std::upper_bound(blocks_.begin() + 1, blocks_.end(), at,
                                      [](instant t, const std::unique_ptr<block>& b) { return t < b->at[0]; });
  const auto number = static_cast<std::size_t>(later - blocks_.begin()) - 1;
  const block& b = *blocks_[number];
  const auto step = std::upper_bound(b.at.begin() + 1, b.at.begin() + b.count, at);
  return {number, static_cast<std::size_t>(step - b.at.begin()) - 1};
}

void availability_profile::advance(instant now) {
  const place present = find(now);
  for (std::size_t n = 0; n < present.block; ++n) spare_.push_back(std::move(blocks_[n]));
  blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(present.block));
  block& b = *blocks_.front();
  if (present.step == 0) {
    b.at[0] = now;
    return;
  }
  std::copy(b.at.begin() + present.step, b.at.begin() + b.count, b.at.begin());
  std::copy(b.free.begin() + present.step, b.free.begin() + b.count, b.free.begin());
  b.count -= present.step;
  b.at[0] = now;
  b.find_bounds();
}

std::int64_t availability_profile::free(instant at) const { return base_ + value(find(at)); }

std::size_t availability_profile::steps() const {
  std::size_t sum = 0;
  for (const auto& b : blocks_) sum += b->count;
  return sum;
}

void availability_profile::add(instant from, instant until, std::int64_t amount) {
  if (from >= until || amount == 0) return;
  place first = begin_step(from);
  const bool ends = until < never;
  const std::size_t blocks = blocks_.size();
  const place last = ends ? begin_step(until) : place{blocks - 1, blocks_.back()->count};
  if (blocks_.size() > blocks) first = find(from);  // it may be in the block that was split
  for (std::size_t n = first.block; n <= last.block; ++n) {
    block& b = *blocks_[n];
    const std::size_t begin = n == first.block ? first.step : 0;
    const std::size_t end = n == last.block ? last.step : b.count;
    if (end - begin == b.count) {
      b.all += amount;
      b.least += amount;
      b.largest += amount;
    } else if (begin < end) {
      for (std::size_t step = begin; step < end; ++step) b.free[step] += amount;
      b.find_bounds();
    }
  }
  if (ends) join_step(last);
  join_step(first);
}

// Lets a step begin at an instant, unless one does. @return that step
availability_profile::place availability_profile::begin_step(instant at) {
  place before = find(at);
  if (time(before) == at) return before;
  if (blocks_[before.block]->count == most) {
    split(before.block);
    before = find(at);
  }
  block& b = *blocks_[before.block];
  const std::size_t step = before.step + 1;
  std::copy_backward(b.at.begin() + step, b.at.begin() + b.count, b.at.begin() + b.count + 1);
  std::copy_backward(b.free.begin() + step, b.free.begin() + b.count, b.free.begin() + b.count + 1);
  b.at[step] = at;
  b.free[step] = b.free[before.step];
  ++b.count;
  return {before.block, step};
}

// Joins a step with the one before it, if as much is free in both. Steps before it keep their places.
void availability_profile::join_step(place here) {
  if (here.block == 0 && here.step == 0) return;
  const place before =
      here.step > 0 ? place{here.block, here.step - 1} : place{here.block - 1, blocks_[here.block - 1]->count - 1};
  if (value(before) == value(here)) remove(here);
}

void availability_profile::split(std::size_t number) {
  if (spare_.empty()) spare_.push_back(std::make_unique<block>());
  block& front = *blocks_[number];
  block& back = *spare_.back();
  const std::size_t half = front.count / 2;
  std::copy(front.at.begin() + half, front.at.begin() + front.count, back.at.begin());
  std::copy(front.free.begin() + half, front.free.begin() + front.count, back.free.begin());
  back.count = front.count - half;
  back.all = front.all;
  front.count = half;
  front.find_bounds();
  back.find_bounds();
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(number) + 1, std::move(spare_.back()));
  spare_.pop_back();
}

// Removes a step in which as much is free as in the one before it.
void availability_profile::remove(place at) {
  block& b = *blocks_[at.block];
  std::copy(b.at.begin() + at.step + 1, b.at.begin() + b.count, b.at.begin() + at.step);
  std::copy(b.free.begin() + at.step + 1, b.free.begin() + b.count, b.free.begin() + at.step);
  if (--b.count > 0) {
    if (at.step == 0) b.find_bounds();  // the one before it is in another block
    return;
  }
  spare_.push_back(std::move(blocks_[at.block]));
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(at.block));
}

// The first step, not before one, in which less than an amount is free, or at least as much.
template <bool below>
availability_profile::place availability_profile::next(place from, std::int64_t amount) const {
  for (; from.block < blocks_.size(); ++from.block, from.step = 0) {
    const block& b = *blocks_[from.block];
    if (below ? b.least >= amount : b.largest < amount) continue;
    const std::int64_t bound = amount - b.all;
    for (; from.step < b.count; ++from.step)
      if ((b.free[from.step] < bound) == below) return from;
  }
  return from;
}

availability_profile::instant availability_profile::first_below(instant from, std::int64_t amount) const {
  const place found = next<true>(find(from), amount - base_);
  return is_end(found) ? never : std::max(from, time(found));
}

availability_profile::instant availability_profile::earliest_before(instant bound, instant from, instant duration,
                                                                    std::int64_t amount) const {
  place at = find(from);
  for (instant candidate = from; candidate < bound;) {
    at = next<false>(at, amount - base_);
    if (is_end(at)) return bound;
    candidate = std::max(from, time(at));
    if (candidate >= bound) return bound;
    at = next<true>(at, amount - base_);
    const instant blocked = is_end(at) ? never : time(at);
    if (blocked >= bound || blocked - candidate >= duration) return candidate;
  }
  return bound;
}

}  // namespace muster
