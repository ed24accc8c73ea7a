#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "muster/modules/scheduler/events/policy_call.h"
#include "platform/simulation/arrival_board.h"
#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/job_statistics.h"

namespace muster {

/// Ends a replication whose jobs leave too slowly for those that come, so that none goes on for ever or takes memory
/// without bound: when too many jobs are in the system, when too many have arrived, or when the scheduler sees that no
/// job makes progress.
///
/// The guard looks only at the few arrivals at which a limit can have been reached at the earliest, and shows there how
/// many jobs have arrived (see arrival_board.h).
class overload_guard final : private stall_observer {
 public:
  /// The most arrivals for each of run.jobs: a policy that serves fewer jobs than a twentieth is overloaded.
  static constexpr std::uint64_t arrivals_per_job = 20;
  /// The fewest arrivals that end a replication, as a run of few jobs may well wait for a long one.
  static constexpr std::uint64_t fewest_arrivals = 20'000;

  /// @param jobs,simulated outlive the guard
  /// @param most_jobs the most completions after which the replication ends
  /// @param end ends the run; false: it has ended before
  overload_guard(const run_spec& run, std::uint64_t most_jobs, bool finite, job_statistics& jobs,
                 cluster_hardware& simulated, std::function<bool()> end)
      : jobs_(jobs),
        time_(simulated.time),
        end_(std::move(end)),
        most_in_system_(limit_of(run, simulated.central.active_policy())),
        most_arrivals_(std::max(arrivals_per_job * most_jobs, fewest_arrivals)) {
    for (scheduler* const s : simulated.schedulers()) s->observe_stalls(*this);
    if (!finite) jobs.mark_after(next_look(), [this](ticks) { return look(); });
  }

  /// The reason why the replication has ended early; none: it has not. The same words in every replication of a point.
  const std::optional<std::string>& reason() const { return reason_; }
  /// The message for a replication that has ended early and in which no job has completed.
  std::string fault() const {
    return fmt::format("no job has completed during {} arrivals: {} ({})", jobs_.arrived(), *reason_,
                       to_sc_time(time_.now()).to_string());
  }

 private:
  // The most jobs in the system, clamped to the range of run.most_jobs_in_system, so that runs end with any plugin.
  static std::uint64_t limit_of(const run_spec& run, const policy& active) {
    if (run.most_jobs_in_system) return *run.most_jobs_in_system;
    constexpr std::uint64_t least = 1'000, most = 1'000'000'000;
    const std::uint64_t own = call_policy("most_jobs_in_system()", [&] { return active.most_jobs_in_system(); });
    return std::clamp(own, least, most);
  }

  // The first arrival at which a limit can be reached, or progress is to be shown again.
  std::uint64_t next_look() const {
    constexpr std::uint64_t between_shows = 100'000;
    const std::uint64_t arrived = jobs_.arrived(), room = most_in_system_ - (arrived - jobs_.completed());
    return std::min({arrived + room, arrived + between_shows, most_arrivals_});
  }

  std::uint64_t look() {
    const std::uint64_t arrived = jobs_.arrived(), inside = arrived - jobs_.completed();
    if (inside >= most_in_system_)
      end(fmt::format("{} jobs were in the system, which is run.most_jobs_in_system", most_in_system_));
    else if (arrived >= most_arrivals_)
      end(fmt::format("{} jobs had arrived, {}, and fewer than run.jobs had left", most_arrivals_,
                      most_arrivals_ == fewest_arrivals
                          ? "the least number that is looked at"
                          : fmt::format("{} for each job that run.jobs asks for", arrivals_per_job)));
    arrival_board::show(arrived);
    return reason_ ? ~std::uint64_t{0} : next_look();
  }

  void end(std::string reason) {
    if (end_()) reason_ = std::move(reason);
  }
  void work_stalls(const std::string& why) override {
    end(why +
        "; platform.slot, platform.decision, platform.costs, and faults and checkpoint_every of the servers decide how "
        "much is lost");
  }

  job_statistics& jobs_;
  timekeeper& time_;
  std::function<bool()> end_;
  std::uint64_t most_in_system_, most_arrivals_;
  std::optional<std::string> reason_;
};

}  // namespace muster
