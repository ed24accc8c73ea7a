#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "muster/modules/kernel/timekeeper.h"

namespace muster {

/// Who works on a pooled job. The cookie is what join() was given.
class pool_worker {
 public:
  /// The job's work is done; the worker counts as having left.
  virtual void work_done(ticks now, std::uint32_t cookie) = 0;
  /// The time that the worker had for the job is over; it has not left yet.
  virtual void time_is_up(ticks now, std::uint32_t cookie) = 0;
  /// One of the two will likely be called soon, see timer_client::expected().
  virtual void work_expected(std::uint32_t cookie, unsigned step) = 0;

 protected:
  ~pool_worker() = default;
};

class pooled_work;

/// Who shares a job's work out.
class pool_keeper {
 public:
  /// Some worker will likely leave soon, see timer_client::expected().
  virtual void change_expected(const pooled_work& work, unsigned step) = 0;

 protected:
  ~pool_keeper() = default;
};

/// The work of one pooled job, on which any number of servers draw, each at its own rate and for as long as it may; it
/// is done when nothing is left, for all of them at the same instant. One timer stands for whatever comes first.
///
/// It hangs on the job's extension, as a job's data would lie in memory that its servers share.
class pooled_work : private timer_client {
 public:
  /// Servers for which there is room without an allocation.
  static constexpr std::size_t few = 2;

  pooled_work(const pooled_work&) = delete;
  pooled_work& operator=(const pooled_work&) = delete;

  /// Work of a new job, on which nobody draws yet. @param work in ticks at capacity 1
  void refill(ticks work, pool_keeper& keeper) {
    keeper_ = &keeper;
    remaining_ = static_cast<double>(work);
    limited_ = false;
    done_ = false;
  }
  bool done() const { return done_; }
  /// What was left when the workers, or their rates, last changed.
  double remaining() const { return remaining_; }
  /// What is left. @param now not before that change
  double remaining_at(ticks now) const { return std::max(0.0, remaining_ - rate_ * static_cast<double>(now - since_)); }

  /// The worker belongs to the job, and prepares itself.
  /// @param job its number, for the order among timers of the same instant
  void join(timekeeper& time, pool_worker& worker, std::uint32_t cookie, std::uint64_t job);
  /// A worker that has joined begins to work.
  /// @param rate work per tick, > 0
  /// @param until when its time is up
  void begin(pool_worker& worker, std::uint32_t cookie, double rate, ticks until);
  void leave(pool_worker& worker, std::uint32_t cookie);
  /// What somebody has done is lost: it is to be done again. @param work of what has been done, at capacity 1
  void put_back(ticks work);
  /// Many workers may come or go in `make`, in which no time passes: the timer is left alone meanwhile, and set once,
  /// for all of them.
  template <class Changes>
  void change_together(const Changes& make) {
    ++changing_;
    make();
    if (--changing_ == 0) rearm();
  }
  /// Says that the work is done, by somebody who did not draw on it.
  void declare_done() {
    done_ = true;
    remaining_ = 0.0;
  }

 protected:
  pooled_work() = default;
  ~pooled_work() = default;

 private:
  struct share {
    pool_worker* worker;
    std::uint32_t cookie;
    double rate;  // 0 while the worker prepares itself
    ticks until;
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void expected(std::uint32_t cookie, unsigned step) override;
  using shares = boost::container::small_vector<share, few>;
  shares::iterator find(const pool_worker& worker, std::uint32_t cookie);
  void settle();
  void rearm();
  void finish(ticks now);

  timekeeper* time_ = nullptr;
  pool_keeper* keeper_ = nullptr;
  shares shares_;
  double remaining_ = 0.0;
  double rate_ = 0.0;
  ticks since_ = 0;  // remaining_ is of then
  std::uint64_t job_ = 0;
  unsigned working_ = 0;   // shares with a rate
  unsigned changing_ = 0;  // change_together() under way
  timekeeper::timer timer_ = 0;
  bool armed_ = false;
  bool finishes_ = false;  // when the timer expires; else somebody's time is up
  bool limited_ = false;   // somebody's time was limited
  bool done_ = false;
};

}  // namespace muster
