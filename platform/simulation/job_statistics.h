#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "muster/modules/protocol/job_extension.h"
#include "muster/policies/table.h"
#include "platform/metrics/class_record.h"
#include "platform/metrics/instrument.h"
#include "platform/metrics/level_times.h"

namespace muster {

/// Measures statistics of jobs in constant memory, over a window that begins with a given completion (the warm-up's
/// last). A slotted job that expires counts as a completion for the limits of the window, and nowhere else.
///
/// Every other instrument is told of a completion before, as the window opens and closes with the job that it counts.
class job_statistics : public instrument {
 public:
  explicit job_statistics(std::size_t classes) : records_(classes), presence_(classes) {}

  /// Opens the window behind so many jobs (0: at the start), and calls `opens` then.
  virtual void open_after(std::uint64_t jobs, std::function<void()> opens);
  /// Calls `look` at the completion of that number; it returns that of its next call, or 0 if the window closes.
  void close_after(std::uint64_t completions, std::function<std::uint64_t()> look);
  /// Calls `mark` at the arrival of that number, the first being 1; it returns the arrival at which it is to be called
  /// again. Several marks are called in the order in which they were given.
  void mark_after(std::uint64_t arrivals, std::function<std::uint64_t(ticks now)> mark);

  void job_arrives(ticks now, const job_extension& job) override;
  void job_completes(ticks now, const job_extension& job) override;
  void window_closes(ticks now) override {
    settle(now);
    end_ = now;
  }
  /// Takes the parts of the jobs' times from these sums. @param times outlive the statistics
  void explain(const time_sums& times) { times_ = &times; }
  /// Brings the integrals and the parts of the jobs' times up to date.
  void settle(ticks now);

  const table<class_id, class_record>& classes() const { return records_; }
  /// Whether a job that has completed in the window is one of those over which sums are taken.
  bool measures(const job_extension& job) const { return job.id - first_ < most_; }
  /// The sums over all classes.
  class_record sum() const { return sum_of(records_); }
  /// The sums over all classes, without distributions of times.
  class_record counts() const { return counts_of(records_); }
  /// The times for which each number of jobs was in the system, all classes together.
  const level_times& levels() const { return levels_; }
  ticks window_begin() const { return begin_; }
  ticks window_end() const { return end_; }
  /// @name Since the start, warm-up included
  /// @{
  std::uint64_t arrived() const { return arrived_; }
  std::uint64_t completed() const { return completed_; }
  std::uint64_t present(class_id id) const { return presence_[id].jobs; }
  /// @}

 protected:
  /// Takes the sums over `most` jobs alone. @param first number of the first one, in the order of arrival
  void measure_only(std::uint64_t first, std::uint64_t most) {
    first_ = first;
    most_ = most;
  }
  void call_at_opening(std::function<void()> opens) { opens_ = std::move(opens); }
  void open(ticks now);
  /// Counts a completion that adds to no sum but that of the times in the window.
  void count_unmeasured(ticks now, const job_extension& job);

 private:
  /// Jobs of a class in the system, and sums from which the integral of their number over time follows: that of the
  /// times at which they left, less that of their arrivals, plus now times their number (modulo 2^128).
  struct presence {
    std::uint64_t jobs = 0;
    tick_sum balance = 0;

    void enter(ticks now) {
      ++jobs;
      balance -= now;
    }
    void leave(ticks now) {
      --jobs;
      balance += now;
    }
    tick_sum integral(ticks now) const { return balance + static_cast<tick_sum>(now) * jobs; }
    /// Begins the integral anew.
    void clear(ticks now) { balance = 0 - static_cast<tick_sum>(now) * jobs; }
  };

  struct arrival_mark {
    std::uint64_t after;
    std::function<std::uint64_t(ticks now)> call;
  };

  [[gnu::always_inline]] departed_job departed(ticks now, const job_extension& job) const {
    departed_job j;
    j.response = now - job.arrival;
    j.inside = std::min(j.response, now - begin_);
    j.waiting = job.waited(now);
    j.to_start = job.started - job.arrival;
    j.size = job.descriptor.size;
    j.interruptions = job.interruptions;
    j.migrations = job.migrations;
    j.failures = job.failures;
    j.preemptions = job.preemptions;
    j.conflicts = job.conflicts;
    j.stolen = job.stolen ? 1 : 0;
    return j;
  }
  [[gnu::noinline]] void count_slotted(ticks now, const job_extension& job);
  [[gnu::noinline]] void pass_limit(ticks now);
  void find_next_limit();
  [[gnu::noinline]] void mark(ticks now);

  table<class_id, class_record> records_;
  table<class_id, presence> presence_;
  level_times levels_;  // number of jobs in the system
  const time_sums* times_ = nullptr;
  std::uint64_t arrived_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t open_after_ = 0;
  std::uint64_t close_after_ = 0;
  std::uint64_t next_limit_ = 0;  // the next of open_after_ and close_after_; 0: there is none
  std::uint64_t mark_after_ = 0;  // the arrival of the next mark; 0: there is none
  std::function<void()> opens_;
  std::function<std::uint64_t()> look_;
  std::vector<arrival_mark> marks_;
  ticks begin_ = 0, end_ = 0;
  std::uint64_t first_ = 0, most_ = ~std::uint64_t{0};  // numbers of the jobs that are measured
};

}  // namespace muster
