#include "muster/policies/algorithms/availability_profile.h"

#include <algorithm>

namespace muster {

void availability_profile::block::find_bounds() {
  const std::int64_t* values = steps->free.data();
  std::int64_t low = values[0], high = values[0];
  for (std::size_t n = 1; n < count; ++n) {
    low = std::min(low, values[n]);
    high = std::max(high, values[n]);
  }
  least = low + all;
  largest = high + all;
}

availability_profile::availability_profile(std::int64_t free) : base_(free) {
  blocks_.push_back({std::make_unique<steps_of_block>()});
  blocks_.front().count = 1;
}

// The block of an instant that is not before the first block given.
std::size_t availability_profile::block_of(instant at, std::size_t first) const {
  if (first + 1 == blocks_.size() || at < blocks_[first + 1].begin) return first;
  const auto later = std::upper_bound(blocks_.begin() + static_cast<std::ptrdiff_t>(first) + 2, blocks_.end(), at,
                                      [](instant t, const block& b) { return t < b.begin; });
  return static_cast<std::size_t>(later - blocks_.begin()) - 1;
}

// The step of a block that contains an instant.
availability_profile::place availability_profile::find_in(std::size_t number, instant at) const {
  const block& b = blocks_[number];
  const auto& begins = b.steps->at;
  if (b.count == 1 || at < begins[1]) return {number, 0};
  const auto step = std::upper_bound(begins.begin() + 2, begins.begin() + b.count, at);
  return {number, static_cast<std::size_t>(step - begins.begin()) - 1};
}

void availability_profile::advance(instant now) {
  const place present = find(now);
  if (present.block > 0) {
    for (std::size_t n = 0; n < present.block; ++n) spare_.push_back(std::move(blocks_[n].steps));
    blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(present.block));
  }
  block& b = blocks_.front();
  steps_of_block& steps = *b.steps;
  if (present.step > 0) {
    std::copy(steps.at.begin() + present.step, steps.at.begin() + b.count, steps.at.begin());
    std::copy(steps.free.begin() + present.step, steps.free.begin() + b.count, steps.free.begin());
    b.count -= present.step;
    b.find_bounds();
  }
  b.begin = steps.at[0] = now;
}

void availability_profile::release_all() {
  for (std::size_t n = 1; n < blocks_.size(); ++n) spare_.push_back(std::move(blocks_[n].steps));
  blocks_.resize(1);
  block& b = blocks_.front();
  b.count = 1;
  b.all = b.least = b.largest = b.steps->free[0] = 0;
}

std::int64_t availability_profile::free(instant at) const { return base_ + value(find(at)); }

std::size_t availability_profile::steps() const {
  std::size_t sum = 0;
  for (const block& b : blocks_) sum += b.count;
  return sum;
}

void availability_profile::add(instant from, instant until, std::int64_t amount) {
  if (from >= until || amount == 0) return;
  place first = begin_step(find(from), from);
  const bool ends = until < never;
  const std::size_t blocks = blocks_.size();
  const place last =
      ends ? begin_step(find_in(block_of(until, first.block), until), until) : place{blocks - 1, blocks_.back().count};
  if (blocks_.size() > blocks) first = find(from);  // it may be in the block that was split
  for (std::size_t n = first.block; n <= last.block; ++n) {
    block& b = blocks_[n];
    const std::size_t begin = n == first.block ? first.step : 0;
    const std::size_t end = n == last.block ? last.step : b.count;
    if (end - begin == b.count) {
      b.all += amount;
      b.least += amount;
      b.largest += amount;
    } else if (begin < end) {
      for (std::size_t step = begin; step < end; ++step) b.steps->free[step] += amount;
      b.find_bounds();
    }
  }
  if (ends) join_step(last);
  join_step(first);
}

// Lets a step begin at an instant, unless one does. @param before the step that contains it @return the step
availability_profile::place availability_profile::begin_step(place before, instant at) {
  if (time(before) == at) return before;
  if (blocks_[before.block].count == most) {
    split(before.block);
    before = find_in(block_of(at, before.block), at);
  }
  block& b = blocks_[before.block];
  auto& [begins, free] = *b.steps;
  const std::size_t step = before.step + 1;
  std::copy_backward(begins.begin() + step, begins.begin() + b.count, begins.begin() + b.count + 1);
  std::copy_backward(free.begin() + step, free.begin() + b.count, free.begin() + b.count + 1);
  begins[step] = at;
  free[step] = free[before.step];
  ++b.count;
  return {before.block, step};
}

// Joins a step with the one before it, if as much is free in both. Steps before it keep their places.
void availability_profile::join_step(place here) {
  if (here.block == 0 && here.step == 0) return;
  const place before =
      here.step > 0 ? place{here.block, here.step - 1} : place{here.block - 1, blocks_[here.block - 1].count - 1};
  if (value(before) == value(here)) remove(here);
}

void availability_profile::split(std::size_t number) {
  if (spare_.empty()) spare_.push_back(std::make_unique<steps_of_block>());
  block back;
  back.steps = std::move(spare_.back());
  spare_.pop_back();
  block& front = blocks_[number];
  const std::size_t half = front.count / 2;
  std::copy(front.steps->at.begin() + half, front.steps->at.begin() + front.count, back.steps->at.begin());
  std::copy(front.steps->free.begin() + half, front.steps->free.begin() + front.count, back.steps->free.begin());
  back.begin = back.steps->at[0];
  back.count = front.count - half;
  back.all = front.all;
  front.count = half;
  front.find_bounds();
  back.find_bounds();
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(number) + 1, std::move(back));
}

// Removes a step in which as much is free as in the one before it.
void availability_profile::remove(place at) {
  block& b = blocks_[at.block];
  auto& [begins, free] = *b.steps;
  std::copy(begins.begin() + at.step + 1, begins.begin() + b.count, begins.begin() + at.step);
  std::copy(free.begin() + at.step + 1, free.begin() + b.count, free.begin() + at.step);
  if (--b.count > 0) {
    if (at.step > 0) return;
    b.begin = begins[0];
    b.find_bounds();  // the step before it is in another block
    return;
  }
  spare_.push_back(std::move(b.steps));
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(at.block));
}

// The first step, not before one, in which less than an amount is free, or at least as much.
template <bool below>
availability_profile::place availability_profile::next(place from, std::int64_t amount) const {
  for (; from.block < blocks_.size(); ++from.block, from.step = 0) {
    const block& b = blocks_[from.block];
    if (below ? b.least >= amount : b.largest < amount) continue;
    const std::int64_t bound = amount - b.all;
    const auto& free = b.steps->free;
    for (; from.step < b.count; ++from.step)
      if ((free[from.step] < bound) == below) return from;
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
