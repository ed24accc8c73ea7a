#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "muster/modules/scheduler/services/job_service.h"
#include "platform/model/scenario.h"
#include "platform/simulation/job_statistics.h"

namespace muster {

class cluster;

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
  overload_guard(const run_spec& run, std::uint64_t most_jobs, bool finite, job_statistics& jobs, cluster& simulated);

  /// The reason why the replication has ended early; none: it has not. The same words in every replication of a point.
  const std::optional<std::string>& reason() const { return reason_; }
  /// The message for a replication that has ended early and in which no job has completed.
  std::string fault() const;

 private:
  std::uint64_t next_look() const;
  std::uint64_t look();
  void end(std::string reason);
  void work_stalls(const std::string& why) override {
    end(why +
        "; platform.slot, platform.costs, and faults and checkpoint_every of the servers decide how much is lost");
  }

  job_statistics& jobs_;
  timekeeper& time_;
  std::uint64_t most_in_system_, most_arrivals_;
  std::optional<std::string> reason_;
};

}  // namespace muster
