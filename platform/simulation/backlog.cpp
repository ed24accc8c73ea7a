#include "platform/simulation/backlog.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/synthetic_workload.h"
#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/kernel_run.h"

namespace muster {

namespace {

constexpr double fewest_jobs = 4'000.0, most_jobs = 10'000.0, fewest_of_a_class = 50.0;
constexpr std::uint64_t short_part = 4;         // of backlog_size(), a short backlog has one in so many
constexpr double fewest_times_served = 50.0;    // a short backlog, in units of the jobs that the cores serve at once
constexpr double furthest_apart = 3.0;          // what two measures of one change may differ by, in standard deviations
constexpr std::uint64_t longest_arrivals = 40;  // in units of the backlog's jobs

// The jobs of a scenario. A rate that changes is even here: queues grow or shrink in the long run by its mean (Loynes),
// but within a part of its cycle by the rate of that part.
std::unique_ptr<workload> jobs_at_even_rate(const scenario& model, std::uint32_t replication) {
  if (model.arrivals.entry->cycle) return std::make_unique<synthetic_workload>(model, replication);
  return make_workload(model, replication);
}

// The scenario with all its servers at any time, as those that leave come back, and from the start with the speeds,
// caps on power and parameters that it keeps.
scenario in_the_long_run(scenario model) {
  for (server_spec& s : model.servers) {
    s.outages.clear();
    for (speed_event& e : s.speeds) e.at = 0.0;
  }
  for (power_cap_event& e : model.power_caps) e.at = 0.0;
  for (parameter_event& e : model.parameter_changes) e.at = 0.0;
  return model;
}

/// The scenario's jobs, the first of them at time 0 and the others after that in their distances.
class backlog_workload final : public workload {
 public:
  backlog_workload(const scenario& model, std::uint32_t replication, std::uint64_t waiting)
      : jobs_(jobs_at_even_rate(model, replication)), waiting_(waiting) {}

  bool next(job_request& job) override {
    if (!jobs_->next(job)) return false;
    if (waiting_ > 0) {
      --waiting_;
      begin_ = job.arrival;
    }
    job.arrival -= begin_;
    return true;
  }

 private:
  std::unique_ptr<workload> jobs_;
  std::uint64_t waiting_;  // jobs of the backlog that have not been drawn
  ticks begin_ = 0;
};

/// The changes of a number over batches of equally many readings. As many batches are kept as tell of their variance:
/// when there are twice as many, two and two are joined.
class batch_changes {
 public:
  void add(double value) {
    if (!readings_.empty() && ++since_ < spacing_) return;
    since_ = 0;
    readings_.push_back(value);
    if (readings_.size() <= 2 * fewest) return;
    for (std::size_t at = 0; 2 * at < readings_.size(); ++at) readings_[at] = readings_[2 * at];
    readings_.resize(fewest + 1);
    spacing_ *= 2;
  }

  double total() const { return readings_.empty() ? 0.0 : readings_.back() - readings_.front(); }
  /// The variance of total() if batches are independent; 0 if they are too few.
  double variance() const {
    if (readings_.size() <= fewest) return 0.0;
    const std::size_t batches = readings_.size() - 1;
    const auto count = static_cast<double>(batches);
    const double mean = total() / count;
    double squares = 0.0;
    for (std::size_t at = 1; at <= batches; ++at) {
      const double deviation = readings_[at] - readings_[at - 1] - mean;
      squares += deviation * deviation;
    }
    return squares * count / (count - 1.0);
  }

 private:
  static constexpr std::size_t fewest = 16;
  std::vector<double> readings_;
  std::size_t since_ = 0, spacing_ = 1;
};

/// Counts the work in the system, and stops the simulation when the outcome is decided.
class backlog_observer final : public job_observer {
 public:
  backlog_observer(const scenario& model, std::uint64_t waiting, double reach) : waiting_(waiting), reach_(reach) {
    for (const std::size_t at : by_descending_need(model)) {
      const class_spec& c = model.classes[at];
      const double cores = is_pooled(model) ? 1.0 : c.need;
      cores_.push_back(cores / static_cast<double>(model.unit.ticks));
      work_.push_back(c.size.mean() * cores);
      arriving_ += model.arrivals.rate * c.share * c.size.mean() * cores / static_cast<double>(model.unit.ticks);
    }
  }

  void stops(timekeeper& time) { time_ = &time; }
  backlog_course course() const {
    const double rest = beside_.total();
    const bool agree = rest * rest <= furthest_apart * furthest_apart * beside_.variance();
    const batch_changes& changes = agree ? expected_ : inside_changes_;
    return {outcome_, changes.total() / backlog_, changes.variance() / (backlog_ * backlog_)};
  }

  void job_arrives(ticks now, const job_extension& job) override {
    inside_ += work_of(job);
    if (++arrived_ == waiting_) backlog_ = inside_;
    if (arrived_ >= waiting_) {
      const double expected = arriving_ * static_cast<double>(now) - done_;
      inside_changes_.add(inside_);
      expected_.add(expected);
      beside_.add(inside_ - expected);
    }
    if (arrived_ > waiting_ && inside_ >= (1.0 + reach_) * backlog_) end(backlog_outcome::grows);
    if (arrived_ == waiting_ + arrivals_behind_backlog(waiting_)) end(backlog_outcome::neither);
  }
  void job_completes(ticks, const job_extension& job) override {
    inside_ -= work_of(job);
    done_ += cores_[job.declared_class()] * static_cast<double>(job.descriptor.size);
    if (arrived_ >= waiting_ && inside_ <= (1.0 - reach_) * backlog_) end(backlog_outcome::drains);
  }

 private:
  void end(backlog_outcome result) {
    if (!ended_) outcome_ = result;
    ended_ = true;
    time_->stop();
  }
  double work_of(const job_extension& job) const { return work_[job.declared_class()]; }

  std::uint64_t waiting_, arrived_ = 0;
  double reach_;
  table<class_id, double> work_;   // mean work of a job
  table<class_id, double> cores_;  // work of a job for a tick of its size
  double arriving_ = 0.0;          // mean work that arrives in a tick
  double done_ = 0.0;              // work of the jobs that have left
  double inside_ = 0.0, backlog_ = 0.0;
  // With each arrival behind the backlog: the work that would be in the system if as much as is expected had arrived
  // since, less a constant; and what inside_ has beside that, which does not change on average unless
  // jobs that have been served in part become more or fewer; and inside_.
  batch_changes expected_, beside_, inside_changes_;
  backlog_outcome outcome_ = backlog_outcome::neither;
  bool ended_ = false;
  timekeeper* time_ = nullptr;
};

}  // namespace

std::uint64_t backlog_size(const scenario& model) {
  if (is_slotted(model) || model.arrivals.finite()) return 0;
  double rarest = 1.0;
  for (const class_spec& c : model.classes)
    if (c.share > 0.0) rarest = std::min(rarest, c.share);
  const double jobs = std::max(fewest_jobs, fewest_of_a_class / rarest);
  return jobs > most_jobs ? 0 : static_cast<std::uint64_t>(std::ceil(jobs));
}

std::uint64_t short_backlog_size(const scenario& model) {
  double mean_need = 0.0;
  for (const class_spec& c : model.classes) mean_need += c.share * (is_pooled(model) ? 1.0 : c.need);
  const std::uint64_t jobs = backlog_size(model) / short_part;
  const double served = static_cast<double>(total_cores(model)) / mean_need;
  return static_cast<double>(jobs) < fewest_times_served * served ? 0 : jobs;
}

std::uint64_t arrivals_behind_backlog(std::uint64_t backlog) { return (longest_arrivals - 1) * backlog; }

backlog_course follow_backlog(const scenario& of_point, std::uint32_t replication, std::uint64_t waiting,
                              double reach) {
  const scenario model = in_the_long_run(of_point);
  return in_the_kernel(model, [&] {
    backlog_workload jobs(model, replication, waiting);
    backlog_observer observer(model, waiting, reach);
    module_of<cluster_hardware> simulated("cluster", model, replication, jobs, observer);
    observer.stops(simulated.time);
    simulate(simulated);
    return observer.course();
  });
}

}  // namespace muster
