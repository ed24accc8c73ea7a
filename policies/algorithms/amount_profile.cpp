#include "muster/policies/algorithms/amount_profile.h"

#include <algorithm>

namespace muster {

// The step that contains an instant.
std::size_t amount_profile::find(ticks at) const {
  std::size_t number = 0;
  while (number + 1 < steps_.size() && steps_[number + 1].at <= at) ++number;
  return number;
}

void amount_profile::advance(ticks now) {
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(find(now)));
  steps_.front().at = now;
}

std::size_t amount_profile::begin_step(ticks at) {
  const std::size_t before = find(at);
  if (steps_[before].at == at) return before;
  step next{at, steps_[before].free};
  steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(before) + 1, std::move(next));
  return before + 1;
}

// Joins a step with the one before it, if as much is free in both.
void amount_profile::join_step(std::size_t number) {
  if (number > 0 && steps_[number - 1].free == steps_[number].free)
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(number));
}

void amount_profile::add(ticks from, ticks until, const amounts& held, std::int64_t sign) {
  if (from >= until) return;
  const std::size_t first = begin_step(from);
  const bool ends = until < end_of_clock;
  const std::size_t last = ends ? begin_step(until) : steps_.size();
  for (std::size_t n = first; n < last; ++n)
    for (std::size_t place = 0; place < held.size(); ++place)
      steps_[n].free[place] += sign * static_cast<std::int64_t>(held[place]);
  if (ends) join_step(last);
  join_step(first);
}

void amount_profile::least(ticks from, ticks until, amounts& free) const {
  const std::size_t first = find(from);
  const auto& present = steps_[first].free;
  free.resize(present.size());
  for (std::size_t place = 0; place < free.size(); ++place) {
    std::int64_t low = present[place];
    for (std::size_t n = first + 1; n < steps_.size() && steps_[n].at < until; ++n)
      low = std::min(low, steps_[n].free[place]);
    free[place] = low > 0 ? static_cast<std::uint64_t>(low) : 0;
  }
}

}  // namespace muster
