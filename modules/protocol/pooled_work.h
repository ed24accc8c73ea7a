#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "muster/modules/kernel/timekeeper.h"

namespace muster {

/// The nearest whole number, halves upwards: the value of std::llround(), without the call of a library.
/// @param value >= 0, below 2^63
inline ticks nearest_ticks(double value) {
  const auto below = static_cast<std::int64_t>(value);
  return static_cast<ticks>(below) + (value - static_cast<double>(below) >= 0.5 ? 1 : 0);
}

/// Receives what happens to pooled work: it is implemented by a worker, one of the job's slices at its server. The
/// cookie is the one given to join().
class pooled_work_observer {
 public:
  /// The job's work is done; the worker has been removed.
  virtual void work_done(ticks now, std::uint32_t cookie) = 0;
  /// The time given to begin() has been reached; the worker has not been removed.
  virtual void time_is_up(ticks now, std::uint32_t cookie) = 0;
  /// Prefetches what work_done() and time_is_up() will access, as one of them will likely be called soon.
  virtual void prefetch_for_work_done(std::uint32_t cookie, prefetch_step step) = 0;

 protected:
  ~pooled_work_observer() = default;
};

class pooled_work;

/// Prefetches what the owner of pooled work will access when workers leave it.
class pooled_work_prefetcher {
 public:
  virtual void prefetch_for_leaving(const pooled_work& work, prefetch_step step) = 0;

 protected:
  ~pooled_work_prefetcher() = default;
};

/// The work of a job, shared by any number of workers, each with a rate of its own and until a time of its own. The
/// work is done for all workers at the same instant, when none is left. One timer is armed, for the earliest of these
/// times.
///
/// The shared work belongs to the job's extension, which all servers of the job can access.
class pooled_work : private timer_observer {
 public:
  /// The number of workers up to which no memory is allocated.
  static constexpr std::size_t few = 2;

  pooled_work(const pooled_work&) = delete;
  pooled_work& operator=(const pooled_work&) = delete;

  /// Sets the work of a new job, without workers. @param work in ticks at capacity 1
  void refill(ticks work, pooled_work_prefetcher* prefetcher = nullptr) {
    prefetcher_ = prefetcher;
    remaining_ = static_cast<double>(work);
    limited_ = false;
    done_ = false;
    last_rate_ = 1.0;
  }
  bool done() const { return done_; }
  /// The work that was left when the workers, or their rates, last changed.
  double remaining() const { return remaining_; }
  /// The work that is left. @param now not before the workers, or their rates, last changed
  double remaining_at(ticks now) const { return std::max(0.0, remaining_ - rate_ * static_cast<double>(now - since_)); }

  /// The mean rate of those that work now; where none does, the rate of the last one that left. @return 1 if none has
  /// worked yet
  double rate_of_a_worker() const { return working_ > 0 ? rate_ / working_ : last_rate_; }

  /// Adds a worker, which does not work yet.
  /// @param job its number, for the order among timers of the same instant
  void join(timekeeper& time, pooled_work_observer& worker, std::uint32_t cookie, std::uint64_t job);
  /// Lets a worker that has joined begin to work.
  /// @param rate work per tick, > 0
  /// @param until when time_is_up() is to be called, unless the work is done before
  void begin(pooled_work_observer& worker, std::uint32_t cookie, double rate, ticks until);
  /// Changes the rate of a worker that has begun to work, from now on. @param rate work per tick, > 0
  void change_rate(pooled_work_observer& worker, std::uint32_t cookie, double rate);
  /// Removes a worker.
  void leave(pooled_work_observer& worker, std::uint32_t cookie);
  /// Adds work that was done and lost, and is to be done again. @param work in ticks at capacity 1, at most what was
  /// done
  void put_back(ticks work);
  /// Arms the timer only once for all changes that `make` makes, in which no time passes.
  template <class Changes>
  void change_together(const Changes& make) {
    ++changing_;
    make();
    if (--changing_ == 0) rearm();
  }
  /// Marks the work as done, by a server that does not report to this object.
  void declare_done() {
    done_ = true;
    remaining_ = 0.0;
  }

 protected:
  pooled_work() = default;
  ~pooled_work() = default;

 private:
  struct share {
    pooled_work_observer* worker;
    std::uint32_t cookie;
    double rate;  // 0 until the worker begins
    ticks until;
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void prefetch_for_expiration(std::uint32_t cookie, prefetch_step step) override;
  using shares = boost::container::small_vector<share, few>;
  share& find(const pooled_work_observer& worker, std::uint32_t cookie);
  void settle();
  void rearm();
  void finish(ticks now);

  timekeeper* time_ = nullptr;
  pooled_work_prefetcher* prefetcher_ = nullptr;
  shares shares_;
  double remaining_ = 0.0;
  double rate_ = 0.0;
  ticks since_ = 0;  // instant at which remaining_ was left
  std::uint64_t job_ = 0;
  unsigned working_ = 0;   // shares with a rate
  unsigned changing_ = 0;  // change_together() under way
  timekeeper::timer timer_ = 0;
  bool armed_ = false;
  bool finishes_ = false;  // the timer is for the end of the work, not for a worker's time
  bool limited_ = false;   // a worker's time was limited
  bool done_ = false;
  double last_rate_ = 1.0;  // of the last worker that left
};

}  // namespace muster
