#include "platform/calibration/replayed_log.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "muster/modules/protocol/job_extension.h"
#include "platform/experiment/interrupt_guard.h"
#include "platform/experiment/simulation_task.h"
#include "platform/experiment/worker_pool.h"
#include "platform/simulation/kernel_run.h"
#include "platform/simulation/measured_cluster.h"
#include "platform/simulation/watchdog.h"

namespace muster {

namespace {

/// Notes when the jobs of a list start and end.
class start_recorder final : public instrument {
 public:
  explicit start_recorder(std::vector<replayed_job>& jobs) : jobs_(jobs) {}
  void job_completes(ticks now, const job_extension& job) override {
    if (job.listed < jobs_.size()) jobs_[job.listed] = {job.arrival, job.started, now, true};
  }

 private:
  std::vector<replayed_job>& jobs_;
};

// The scenario with all its jobs measured, and nothing that takes time beside.
scenario plain(scenario point) {
  point.run.warm_up = point.run.cool_down = 0.0;
  point.run.warm_up_by_mser5 = point.run.batch_means = false;
  point.run.warm_up_jobs.reset();
  point.run.precision.reset();
  point.report.explain = false;
  return point;
}

static_assert(std::is_trivially_copyable_v<replayed_job>);

std::string bytes_of(const std::vector<replayed_job>& jobs) {
  return {reinterpret_cast<const char*>(jobs.data()), jobs.size() * sizeof(replayed_job)};
}

std::vector<replayed_job> jobs_of(const std::string& bytes) {
  std::vector<replayed_job> jobs(bytes.size() / sizeof(replayed_job));
  std::memcpy(static_cast<void*>(jobs.data()), bytes.data(), jobs.size() * sizeof(replayed_job));
  return jobs;
}

}  // namespace

std::vector<replayed_job> replay(const scenario& point) {
  const scenario whole = plain(point);
  std::vector<replayed_job> jobs(whole.arrivals.jobs->size());
  const watching nobody;
  return in_the_kernel(whole, [&] {
    cluster_hardware* simulated = nullptr;
    module_of<measured_cluster> cluster(
        "cluster", whole, std::uint32_t{0}, nobody, [&] { simulated->time.stop(); }, hardware_options{});
    simulated = &cluster.hardware();
    cluster.events().add(std::make_unique<start_recorder>(jobs));
    cluster.begin();
    simulate(*simulated);
    return jobs;
  });
}

std::optional<std::vector<std::vector<replayed_job>>> replay_all(const study& s, std::size_t workers) {
  std::vector<std::vector<replayed_job>> all(s.points.size());
  std::string fault;
  const interrupt_guard guard;
  const auto work = [&](std::size_t point) {
    const watchdog no_return(s.label(point));
    return bytes_of(replay(s.points[point].model));
  };
  const auto finished = [&](const task_outcome& outcome) {
    if (outcome.failed)
      fault = fmt::format("{}: {}", s.label(outcome.task), fault_of(outcome, s.points[outcome.task].model));
    else
      all[outcome.task] = jobs_of(outcome.text);
    return !outcome.failed;
  };
  const bool complete =
      worker_pool(workers).run(s.points.size(), work, finished, [] { return !interrupt_guard::seen(); });
  if (!fault.empty()) throw std::runtime_error(fault);
  if (!complete) return std::nullopt;
  return all;
}

}  // namespace muster
