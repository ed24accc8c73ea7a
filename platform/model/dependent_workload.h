#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "muster/modules/source/workload.h"
#include "platform/model/job_dependencies.h"
#include "platform/model/listed_requests.h"

namespace muster {

/// The jobs of a list of which some arrive only when others have ended, see job_dependency. A job that waits for
/// several arrives at the latest of the times that they set. Jobs that arrive at one instant do so in the order of the
/// list.
///
/// In memory are the jobs for which all others that they wait for have ended, until they arrive, and the jobs and
/// joints for which some have.
class dependent_workload final : public workload, private workload_feedback {
 public:
  /// @param model with dependencies
  explicit dependent_workload(const scenario& model);

  bool next(job_request& job) override;
  workload_feedback* feedback() override { return this; }

 private:
  struct entrant {
    ticks arrival;
    std::uint32_t place;  // in the list

    bool operator>(const entrant& other) const {
      return std::tie(arrival, place) > std::tie(other.arrival, other.place);
    }
  };
  struct partly_free {
    std::uint32_t left;  // dependencies on jobs that have not ended
    ticks arrival;       // the earliest that the others allow
  };

  bool job_completes(ticks now, std::uint32_t listed) override;
  /// Notes that a job or joint that another one waits for has ended.
  void set_free(const job_dependencies::follower& follower, ticks now);
  std::optional<entrant> next_of_list();

  listed_requests jobs_;
  std::shared_ptr<const job_dependencies> dependencies_;
  std::size_t at_ = 0;  // in the list, of those that wait for no job
  std::priority_queue<entrant, std::vector<entrant>, std::greater<>> free_;  // jobs that have waited, and are to arrive
  std::unordered_map<std::uint32_t, partly_free> partly_free_;
  std::vector<std::uint32_t> ended_;  // at this moment: the job, and joints, whose followers have not been told of it
  std::optional<entrant> given_;      // the job made last, which is not submitted yet
};

}  // namespace muster
