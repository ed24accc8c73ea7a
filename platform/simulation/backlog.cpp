#include "platform/simulation/backlog.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/synthetic_workload.h"
#include "platform/simulation/cluster_fmus.h"
#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/kernel_run.h"

namespace muster {

namespace {

constexpr double fewest_jobs = 4'000.0, most_jobs = 10'000.0, fewest_of_a_class = 50.0;
constexpr double drained = 0.1, grown = 1.9;    // bounds of the work in the system, in units of the backlog's work
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

/// Counts the work in the system, and stops the simulation when the outcome is decided.
class backlog_observer final : public job_observer {
 public:
  backlog_observer(const scenario& model, std::uint64_t waiting) : waiting_(waiting) {
    for (const std::size_t at : by_descending_need(model)) {
      const class_spec& c = model.classes[at];
      work_.push_back(c.size.mean() * (is_pooled(model) ? 1.0 : c.need));
    }
  }

  void stops(timekeeper& time) { time_ = &time; }
  backlog_outcome outcome() const { return outcome_; }

  void job_arrives(ticks, const job_extension& job) override {
    inside_ += work_of(job);
    if (++arrived_ == waiting_) backlog_ = inside_;
    if (arrived_ > waiting_ && inside_ >= grown * backlog_) end(backlog_outcome::grows);
    if (arrived_ == waiting_ + arrivals_behind_backlog(waiting_)) end(backlog_outcome::neither);
  }
  void job_completes(ticks, const job_extension& job) override {
    inside_ -= work_of(job);
    if (arrived_ >= waiting_ && inside_ <= drained * backlog_) end(backlog_outcome::drains);
  }

 private:
  void end(backlog_outcome result) {
    if (!ended_) outcome_ = result;
    ended_ = true;
    time_->stop();
  }
  double work_of(const job_extension& job) const { return work_[job.declared_class()]; }

  std::uint64_t waiting_, arrived_ = 0;
  table<class_id, double> work_;  // mean work of a job
  double inside_ = 0.0, backlog_ = 0.0;
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

std::uint64_t arrivals_behind_backlog(std::uint64_t backlog) { return (longest_arrivals - 1) * backlog; }

backlog_outcome follow_backlog(const scenario& of_point, std::uint32_t replication, std::uint64_t waiting) {
  const scenario model = in_the_long_run(of_point);
  return in_the_kernel(model, [&] {
    backlog_workload jobs(model, replication, waiting);
    backlog_observer observer(model, waiting);
    module_of<cluster_hardware> simulated("cluster", model, replication, jobs, observer);
    std::optional<cluster_fmus> fmus;
    if (!model.fmus.empty()) fmus.emplace(model, simulated);
    observer.stops(simulated.time);
    simulate(simulated);
    return observer.outcome();
  });
}

}  // namespace muster
