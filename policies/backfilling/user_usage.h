#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// What the jobs of each user have held: cores times ticks, those that run included. Jobs of no known user count as
/// those of one user.
class user_usage {
 public:
  /// Jobs of the user hold more cores from now on.
  void begin(std::uint32_t user, unsigned cores, ticks now) {
    sum& own = sum_of(user);
    own.cores += cores;
    own.before += tick_sum{cores} * now;
  }
  void end(std::uint32_t user, unsigned cores, ticks now) {
    sum& own = sum_of(user);
    own.cores -= cores;
    own.before -= tick_sum{cores} * now;
  }
  tick_sum of(std::uint32_t user, ticks now) const {
    const std::size_t number = row(user);
    return number < sums_.size() ? sums_[number].cores * now - sums_[number].before : 0;
  }

 private:
  /// The usage is cores * now - before, modulo 2^128.
  struct sum {
    tick_sum cores = 0, before = 0;
  };
  static std::size_t row(std::uint32_t user) { return user == job::no_user ? 0 : std::size_t{user} + 1; }
  sum& sum_of(std::uint32_t user) {
    if (row(user) >= sums_.size()) sums_.resize(row(user) + 1);
    return sums_[row(user)];
  }

  std::vector<sum> sums_;
};

}  // namespace muster
