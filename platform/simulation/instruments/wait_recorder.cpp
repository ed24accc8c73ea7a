#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

constexpr std::size_t most_waiters = 10, most_readings = 512;
constexpr std::uint64_t least_between = 16;  // completions between readings

/// Finds the ten jobs that wait longest in the window of measurement, and the classes that the cores ran meanwhile.
///
/// Core time by class is read every 16 completions, or as many as there are cores or classes, so that reading stays
/// cheap; between two readings it is taken to grow evenly. There are at most 512 readings: then the older half loses
/// every second one, so that later readings are denser.
class wait_recorder final : public instrument {
 public:
  explicit wait_recorder(const observed_replication& replication)
      : replication_(replication),
        simulated_(replication.simulated),
        cores_(static_cast<double>(total_cores(replication.point))),
        every_(std::max<std::uint64_t>({least_between, total_cores(replication.point), replication.order.size()})),
        until_reading_(every_) {
    readings_.push_back({0, table<class_id, tick_sum>(replication.order.size())});
  }

  void window_opens(ticks) override { is_open_ = true; }
  void job_completes(ticks now, const job_extension& job) override {
    if (const ticks wait = time_without_cores(now, job); wait > least_ && is_open_ && replication_.jobs.measures(job)) {
      add(now, job, wait, true);
      until_reading_ = 1;  // so that the core time until now is read exactly
    }
    if (--until_reading_ == 0) read(now);
  }
  // Adds the jobs that still wait, or are in service; among the latter may be one that has just completed.
  void window_closes(ticks now) override {
    const auto is_known = [&](const job_extension& job) {
      return std::any_of(waiters_.begin(), waiters_.end(), [&](const waiter& w) { return w.job == job.id; });
    };
    simulated_.for_each_job([&](const job_extension& job) {
      if (const ticks wait = time_without_cores(now, job); wait > least_ && !is_known(job)) add(now, job, wait, false);
    });
    if (readings_.back().now < now)
      read(now);
    else
      find_shares();
  }
  void add_to(replication_result& result) override {
    const auto in_units = [&](ticks t) { return replication_.point.unit.to_units(t); };
    for (const waiter& w : waiters_) {
      long_wait& wait = result.pictures.waits.emplace_back();
      wait.class_name = replication_.class_of(w.type).name;
      wait.job = w.job;
      wait.arrival = in_units(w.arrival);
      wait.wait = in_units(w.wait);
      wait.until = in_units(w.until);
      wait.has_left = w.has_left;
      wait.running.resize(w.running.size());
      for (std::size_t id = 0; id < w.running.size(); ++id) wait.running[replication_.order[id]] = w.running[id];
    }
  }

 private:
  struct reading {
    ticks now;
    table<class_id, tick_sum> running;
  };
  struct waiter {
    std::uint64_t job;
    class_id type;
    unsigned cores;  // that the job needs
    ticks arrival, wait, until;
    bool has_left;
    std::vector<double> running;  // shares by class id; empty: not computed yet
  };

  static ticks time_without_cores(ticks now, const job_extension& job) {
    return job.begun ? job.waited(now) : now - job.arrival;
  }
  [[gnu::noinline]] void add(ticks now, const job_extension& job, ticks wait, bool has_left) {
    const auto longer = [](const waiter& a, const waiter& b) { return a.wait > b.wait; };
    const bool until_started = job.begun && job.started - job.arrival == wait;  // false: it has waited again later
    waiter added{job.id,
                 job.declared_class(),
                 simulated_.central.view().cores(job.type),
                 job.arrival,
                 wait,
                 until_started ? job.started : now,
                 has_left,
                 {}};
    waiters_.insert(std::upper_bound(waiters_.begin(), waiters_.end(), added, longer), std::move(added));
    if (waiters_.size() > most_waiters) waiters_.pop_back();
    if (waiters_.size() == most_waiters) least_ = waiters_.back().wait;
  }
  [[gnu::noinline]] void read(ticks now) {
    until_reading_ = every_;
    if (readings_.size() >= most_readings) {
      std::size_t kept = 0;
      for (std::size_t at = 0; at < readings_.size(); ++at)
        if (at >= most_readings / 2 || at % 2 == 0) std::swap(readings_[kept++], readings_[at]);
      readings_.resize(kept, readings_.front());
    }
    readings_.push_back({now, table<class_id, tick_sum>(replication_.order.size())});
    for (const auto& bank : simulated_.servers()) bank->add_running_times(readings_.back().running, now);
    find_shares();
  }
  // Computes the shares of the jobs that have none: all readings until the ends of their waits are there.
  void find_shares() {
    for (waiter& w : waiters_) {
      if (!w.running.empty()) continue;
      w.running = running_until(w.until);
      const std::vector<double> before = running_until(w.arrival);
      for (std::size_t n = 0; n < before.size(); ++n) w.running[n] -= before[n];
      const double span = static_cast<double>(std::max<ticks>(1, w.until - w.arrival)), own = own_core_time(w);
      w.running[static_cast<std::size_t>(w.type)] -= own;
      for (double& core_time : w.running) core_time /= cores_ * span - own;
    }
  }
  // The core time of a waiter itself, at most that of its class; a pooled or slotted job counts as if it held one
  // server or core at a time.
  double own_core_time(const waiter& w) const {
    // A job that has waited more than once has also run between its arrival and the end of its waits.
    const double held = static_cast<double>(w.until - w.arrival - std::min(w.wait, w.until - w.arrival));
    const bool rigid = kind_of_jobs(replication_.point) == job_kind::rigid;
    const double cores = rigid ? w.cores : 1.0;
    return std::min(cores * held, w.running[static_cast<std::size_t>(w.type)]);
  }
  std::vector<double> running_until(ticks time) const {
    const auto later = std::lower_bound(readings_.begin() + 1, readings_.end() - 1, time,
                                        [](const reading& r, ticks t) { return r.now < t; });
    const reading &from = *(later - 1), &to = *later;
    const double part = to.now == from.now ? 1.0
                                           : static_cast<double>(std::min(time, to.now) - from.now) /
                                                 static_cast<double>(to.now - from.now);
    std::vector<double> sums;
    for (const class_id id : replication_.classes())
      sums.push_back(static_cast<double>(from.running[id]) +
                     part * static_cast<double>(to.running[id] - from.running[id]));
    return sums;
  }

  const observed_replication& replication_;
  const cluster_hardware& simulated_;
  double cores_;
  std::uint64_t every_, until_reading_;  // counts of completions
  bool is_open_ = false;
  ticks least_ = 0;  // a longer wait is one of the ten longest
  std::vector<waiter> waiters_;
  std::vector<reading> readings_;
};

}  // namespace

extern const instrument_entry wait_recorder_instrument{instrument_order::others, drawn_replication,
                                                       add_instrument<wait_recorder>};

}  // namespace muster
