#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace muster {

/// What is free in several places at each instant from now on, such as of the resources of a server: a step function of
/// time. A hold takes amounts over an interval. Operations take a time proportional to the number of steps.
class amount_profile {
 public:
  using instant = std::uint64_t;
  static constexpr instant never = instant{1} << 62;

  /// @param free at all times
  explicit amount_profile(const std::vector<std::uint64_t>& free)
      : places_(free.size()), at_{0}, free_(free.begin(), free.end()) {}

  /// Forgets what was free before an instant; no later call may concern an earlier one.
  void advance(instant now);
  /// Forgets all holds. @param free from the present on
  void release_all(const std::vector<std::uint64_t>& free, instant now) {
    at_.assign(1, now);
    free_.assign(free.begin(), free.end());
  }
  /// Takes amounts in [from, until), where less may be free: what is free is less than nothing then.
  /// @param until `never`: for ever
  void hold(instant from, instant until, const std::vector<std::uint64_t>& held) { add(from, until, held, -1); }
  /// Gives back what has been held.
  void release(instant from, instant until, const std::vector<std::uint64_t>& held) { add(from, until, held, 1); }
  /// The least that is free in each place during [from, until); 0 where it is less than nothing.
  void least(instant from, instant until, std::vector<std::uint64_t>& free) const;
  /// Finds the least that is free in each place, as least() does, from each step of [from, until) on, the last step
  /// first; calls visit(end of the step, `never`: there is none) where it is less than from the step behind, and at the
  /// last, and ends when that returns false. @param free what has been found as visit() is called
  template <class Visit>
  void least_from_each(instant from, instant until, std::vector<std::uint64_t>& free, const Visit& visit) const;
  /// How often something can be taken, and until when that is certain.
  struct times_free {
    std::uint64_t times;
    instant until;  ///< end of the last step of the interval in which it is not free more often; `never`: there is none
  };
  /// How often amounts are free at the same time, throughout [from, until).
  /// @param amounts of each place; 0: any @param most that count; with it no product with an amount exceeds 2^63
  times_free times_at_once(instant from, instant until, const std::vector<std::uint64_t>& amounts,
                           std::uint64_t most) const;

 private:
  void add(instant from, instant until, const std::vector<std::uint64_t>& held, std::int64_t sign);
  std::size_t find(instant at) const;
  std::size_t begin_step(instant at);
  void join_step(std::size_t number);
  // Removes steps [first, last).
  void erase(std::size_t first, std::size_t last);
  std::ptrdiff_t row(std::size_t step) const { return static_cast<std::ptrdiff_t>(step * places_); }

  std::size_t places_;
  std::vector<instant> at_;         // when each step begins
  std::vector<std::int64_t> free_;  // until the next one: of each step in each place
};

template <class Visit>
void amount_profile::least_from_each(instant from, instant until, std::vector<std::uint64_t>& free,
                                     const Visit& visit) const {
  const std::size_t first = find(from);
  std::size_t step = first;
  while (step + 1 < at_.size() && at_[step + 1] < until) ++step;
  free.assign(places_, ~std::uint64_t{0});
  for (bool less = false;; --step, less = false) {
    for (std::size_t place = 0; place < places_; ++place) {
      const std::int64_t here = free_[step * places_ + place];
      const std::uint64_t left = here > 0 ? static_cast<std::uint64_t>(here) : 0;
      if (left >= free[place]) continue;
      free[place] = left;
      less = true;
    }
    if (less && !visit(step + 1 < at_.size() ? at_[step + 1] : never)) return;
    if (step == first) return;
  }
}

}  // namespace muster
