#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace muster {

/// How much of a pool, such as the cores of a cluster, is free at each instant from now on: a step function of time. A
/// hold takes an amount from the pool over an interval, such as that of a job which runs or is planned.
///
/// Steps are kept in order, in blocks of at most 64. Of each block the profile knows the least and the most that is
/// free in it, so that a search passes over it without a look at its steps, and one number for changes that concern all
/// of it. An operation takes a time proportional to the number of blocks and not of steps; no memory is allocated
/// unless there are more blocks than ever before.
class availability_profile {
 public:
  using instant = std::uint64_t;
  static constexpr instant never = instant{1} << 62;

  /// @param free at all times
  explicit availability_profile(std::int64_t free = 0);

  /// Forgets what was free before an instant; no later call may concern an earlier one.
  void advance(instant now);
  /// Forgets all holds: everything is free from the present on.
  void release_all();
  /// Changes what is free at all times.
  void change(std::int64_t by) { base_ += by; }
  /// Takes an amount from the pool in [from, until), where less than that may be free: what is free is negative then.
  /// @param until `never`: for ever
  void hold(instant from, instant until, std::int64_t amount) { add(from, until, -amount); }
  /// Gives back what has been held.
  void release(instant from, instant until, std::int64_t amount) { add(from, until, amount); }

  std::int64_t free(instant at) const;
  /// The first instant, not before one, at which less than an amount is free; `never`: there is none.
  instant first_below(instant from, std::int64_t amount) const;
  /// The first instant, not before one, from which on an amount is free for a duration; `never`: there is none.
  /// @param duration > 0
  instant earliest(instant from, instant duration, std::int64_t amount) const {
    return earliest_before(never, from, duration, amount);
  }
  /// The first instant, before a bound, from which on an amount is free for a duration, as if it were free from the
  /// bound on. @return the bound if there is no earlier one
  instant earliest_before(instant bound, instant from, instant duration, std::int64_t amount) const;
  /// The number of steps, the present one included.
  std::size_t steps() const;

 private:
  static constexpr std::size_t most = 64;

  struct steps_of_block {
    std::array<instant, most> at{};         ///< when each step begins
    std::array<std::int64_t, most> free{};  ///< until the next one, beside what all steps of the block have
  };
  struct block {
    std::unique_ptr<steps_of_block> steps;
    instant begin = 0;  ///< of the first step
    std::size_t count = 0;
    std::int64_t all = 0;  ///< added to what is free in each step, and contained in the two bounds
    std::int64_t least = 0, largest = 0;
    void find_bounds();
  };
  struct place {
    std::size_t block, step;
  };

  void add(instant from, instant until, std::int64_t amount);
  place find(instant at) const { return find_in(block_of(at, 0), at); }
  std::size_t block_of(instant at, std::size_t first) const;
  place find_in(std::size_t number, instant at) const;
  place begin_step(place before, instant at);
  void join_step(place here);
  void split(std::size_t number);
  void remove(place at);
  std::int64_t value(place at) const { return blocks_[at.block].steps->free[at.step] + blocks_[at.block].all; }
  instant time(place at) const { return blocks_[at.block].steps->at[at.step]; }
  bool is_end(place at) const { return at.block == blocks_.size(); }
  template <bool below>
  place next(place from, std::int64_t amount) const;

  std::int64_t base_;
  std::vector<block> blocks_;  // at least one; none is empty
  std::vector<std::unique_ptr<steps_of_block>> spare_;
};

}  // namespace muster
