#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "muster/modules/protocol/job_times.h"
#include "muster/policies/job.h"
#include "muster/policies/table.h"
#include "muster/policies/utility.h"
#include "platform/metrics/quantile_sketch.h"

namespace muster {

/// The values of a job that leaves, for sums over jobs. Times are in ticks.
struct departed_job {
  ticks response = 0;  ///< time in the system
  ticks inside = 0;    ///< the part of `response` that falls into the window of measurement
  ticks waiting = 0;   ///< time in which it held nothing
  ticks to_start = 0;  ///< time from its arrival to its first core
  ticks size = 1;
  unsigned interruptions = 0, migrations = 0, failures = 0, preemptions = 0, conflicts = 0;
  unsigned stolen = 0;      ///< whether an idle scheduler has taken it from another one
  utility_sum utility = 0;  ///< utility that a slotted job has earned

  double slowdown() const { return number(response) / number(size); }
  // Times are below 2^62; conversion from a signed integer is shorter.
  static double number(ticks t) { return static_cast<double>(static_cast<std::int64_t>(t)); }
};

/// Sums over the jobs of one class inside the window of measurement. A new sum is a member, and in one of the functions
/// `of_..` below what a job adds to it; all else follows.
struct class_record {
  std::uint64_t completed = 0;
  std::uint64_t expired = 0;  ///< slotted jobs that left incomplete
  tick_sum response = 0, waiting = 0, to_start = 0, work = 0;
  double slowdown = 0.0, response_squares = 0.0;
  std::uint64_t interruptions = 0, migrations = 0, failures = 0, preemptions = 0, conflicts = 0, stolen = 0;
  tick_sum time_inside = 0;
  utility_sum utility = 0;
  tick_sum presence = 0;           ///< integral of the number of jobs in the system over time
  by_time_part<tick_sum> times{};  ///< parts of the time of the completed jobs, where it is explained
  tick_sum no_resource = 0;        ///< of time_part::no_core: the time in which another resource than cores was short
  duration_counts responses;
  duration_counts waits;   ///< waiting times of the jobs that waited at all
  ticks longest_wait = 0;  ///< longest waiting time of a job that completed

  /// @name The sums over some jobs
  /// Each function calls `add` with every member of its sums and what the job adds to it.
  /// @{
  template <class Add>
  static void of_completed(const departed_job& j, const Add& add) {
    using r = class_record;
    add(&r::completed, 1u);
    add(&r::response, j.response);
    add(&r::to_start, j.to_start);
    add(&r::slowdown, j.slowdown());
    add(&r::response_squares, departed_job::number(j.response) * departed_job::number(j.response));
    add(&r::work, j.size);
  }
  template <class Add>
  static void of_waited(const departed_job& j, const Add& add) {
    add(&class_record::waiting, j.waiting);
  }
  template <class Add>
  static void of_expired(const departed_job&, const Add& add) {
    add(&class_record::expired, 1u);
  }
  template <class Add>
  static void of_slotted(const departed_job& j, const Add& add) {
    add(&class_record::utility, j.utility);
  }
  /// The sums over jobs that left, complete or not.
  template <class Add>
  static void of_left(const departed_job& j, const Add& add) {
    using r = class_record;
    add(&r::interruptions, j.interruptions);
    add(&r::migrations, j.migrations);
    add(&r::failures, j.failures);
    add(&r::preemptions, j.preemptions);
    add(&r::conflicts, j.conflicts);
    add(&r::stolen, j.stolen);
    add(&r::time_inside, j.inside);
  }
  /// @}

  void count_left(const departed_job& j) { of_left(j, adder{*this}); }
  void count_completed(const departed_job& j) {
    of_completed(j, adder{*this});
    responses.add(j.response);
    if (j.waiting == 0) return;
    of_waited(j, adder{*this});
    waits.add(j.waiting);
    longest_wait = std::max(longest_wait, j.waiting);
  }
  void count_slotted(const departed_job& j) { of_slotted(j, adder{*this}); }
  void count_expired(const departed_job& j) { of_expired(j, adder{*this}); }

  std::uint64_t left() const { return completed + expired; }
  /// @param share in (0, 1); there must be completed jobs, and their waits
  /// @return the quantile of the waiting time, in ticks
  double waiting_quantile(double share) const;
  /// The sums since an earlier state, without quantiles and maxima.
  class_record since(const class_record& earlier) const;
  /// Clears all sums, and keeps the memory of the quantiles.
  void clear();

 private:
  struct adder {
    class_record& to;

    template <class Member, class Amount>
    void operator()(Member member, Amount amount) const {
      to.*member += amount;
    }
  };
};

/// The sums over all classes, without the distributions of response and waiting times.
class_record counts_of(const table<class_id, class_record>& classes);
/// The sums over all classes, distributions included, which are most of the work.
class_record sum_of(const table<class_id, class_record>& classes);

/// Sums of the parts of the time of completed jobs, in ticks.
class time_sums {
 public:
  explicit time_sums(std::size_t classes) : of_class_(classes) {}

  /// @param total sum of the job's parts
  void add(class_id id, const by_time_part<ticks>& of_job, ticks total) {
    row& r = of_class_[id];
    if (total > std::numeric_limits<ticks>::max() - r.latest_total) carry(r);
    r.latest_total += total;
    for (std::size_t part = 0; part < time_parts; ++part) r.latest[part] += of_job[part];
  }
  /// Adds the time in which a job's class was short of another resource than cores.
  void add_no_resource(class_id id, ticks of_job) { of_class_[id].no_resource += of_job; }
  /// Clears the sums as the window of measurement opens.
  void clear() { of_class_ = table<class_id, row>(of_class_.size()); }

  by_time_part<tick_sum> of(class_id id) const { return of_class_[id].sums(); }
  tick_sum no_resource(class_id id) const { return of_class_[id].no_resource; }

 private:
  /// Sums over a class. Those of the latest jobs have half the width: none exceeds their total, which does not
  /// overflow.
  struct row {
    ticks latest_total = 0;
    by_time_part<ticks> latest{};
    by_time_part<tick_sum> before{};
    tick_sum no_resource = 0;

    by_time_part<tick_sum> sums() const {
      by_time_part<tick_sum> sum = before;
      for (std::size_t part = 0; part < time_parts; ++part) sum[part] += latest[part];
      return sum;
    }
  };
  [[gnu::cold, gnu::noinline]] static void carry(row& r) {
    r.before = r.sums();
    r.latest = {};
    r.latest_total = 0;
  }

  table<class_id, row> of_class_;
};

}  // namespace muster
