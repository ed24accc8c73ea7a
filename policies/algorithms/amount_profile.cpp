#include "muster/policies/algorithms/amount_profile.h"

namespace muster {

// The step that contains an instant.
std::size_t amount_profile::find(instant at) const {
  return static_cast<std::size_t>(std::upper_bound(at_.begin() + 1, at_.end(), at) - at_.begin()) - 1;
}

void amount_profile::advance(instant now) {
  if (const std::size_t present = find(now); present > 0) erase(0, present);
  at_.front() = now;
}

void amount_profile::erase(std::size_t first, std::size_t last) {
  at_.erase(at_.begin() + static_cast<std::ptrdiff_t>(first), at_.begin() + static_cast<std::ptrdiff_t>(last));
  free_.erase(free_.begin() + row(first), free_.begin() + row(last));
}

std::size_t amount_profile::begin_step(instant at) {
  const std::size_t before = find(at);
  if (at_[before] == at) return before;
  at_.insert(at_.begin() + static_cast<std::ptrdiff_t>(before) + 1, at);
  const auto gap = free_.insert(free_.begin() + row(before + 1), places_, 0);
  std::copy(gap - row(1), gap, gap);
  return before + 1;
}

// Joins a step with the one before it, if as much is free in both.
void amount_profile::join_step(std::size_t number) {
  const auto here = free_.begin() + row(number);
  if (number > 0 && std::equal(here, here + row(1), here - row(1))) erase(number, number + 1);
}

void amount_profile::add(instant from, instant until, const std::vector<std::uint64_t>& held, std::int64_t sign) {
  if (from >= until) return;
  const std::size_t first = begin_step(from);
  const bool ends = until < never;
  const std::size_t last = ends ? begin_step(until) : at_.size();
  for (std::size_t n = first; n < last; ++n)
    for (std::size_t place = 0; place < held.size(); ++place)
      free_[n * places_ + place] += sign * static_cast<std::int64_t>(held[place]);
  if (ends) join_step(last);
  join_step(first);
}

void amount_profile::least(instant from, instant until, std::vector<std::uint64_t>& free) const {
  const std::size_t first = find(from);
  std::size_t last = first + 1;
  while (last < at_.size() && at_[last] < until) ++last;
  free.resize(places_);
  for (std::size_t place = 0; place < places_; ++place) {
    std::int64_t low = free_[first * places_ + place];
    for (std::size_t n = first + 1; n < last; ++n) low = std::min(low, free_[n * places_ + place]);
    free[place] = low > 0 ? static_cast<std::uint64_t>(low) : 0;
  }
}

// From the last step to the first, so that the steps before one that has nothing free need not be looked at. A division
// takes long, and is made only where a step has less than what was found behind it.
amount_profile::times_free amount_profile::times_at_once(instant from, instant until,
                                                         const std::vector<std::uint64_t>& amounts,
                                                         std::uint64_t most) const {
  times_free found{most, never};
  const std::size_t first = find(from);
  const auto behind = std::lower_bound(at_.begin() + static_cast<std::ptrdiff_t>(first) + 1, at_.end(), until);
  for (auto step = static_cast<std::size_t>(behind - at_.begin()); step-- > first && found.times > 0;)
    for (std::size_t place = 0; place < places_; ++place) {
      const std::int64_t free = free_[step * places_ + place];
      if (amounts[place] == 0 || free >= static_cast<std::int64_t>(found.times * amounts[place])) continue;
      found.times = free > 0 ? static_cast<std::uint64_t>(free) / amounts[place] : 0;
      found.until = step + 1 < at_.size() ? at_[step + 1] : never;
    }
  return found;
}

}  // namespace muster
