#include <algorithm>
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
#include "platform/model/arrival_entry.h"
#include "platform/model/class_table.h"
#include "platform/model/job_dependencies.h"
#include "platform/model/scenario.h"

namespace muster {

namespace {

/// The rigid or pooled jobs of a list as they are submitted.
class listed_requests {
 public:
  explicit listed_requests(const scenario& model)
      : jobs_(model.arrivals.jobs), unit_(model.unit), ids_(model.classes.size()) {
    const std::vector<std::size_t> order = by_descending_need(model);
    for (std::size_t id = 0; id < order.size(); ++id) ids_[order[id]] = static_cast<class_id>(id);
  }

  std::size_t size() const { return jobs_->size(); }
  /// When a job arrives, as the list says.
  ticks arrival(std::size_t place) const { return unit_.to_ticks((*jobs_)[place].arrival); }
  /// Writes a job into a request.
  void write(std::size_t place, job_request& job) const {
    const timed_job& listed = (*jobs_)[place];
    job.arrival = unit_.to_ticks(listed.arrival);
    job.type = ids_[listed.type];
    job.size = std::max<ticks>(1, unit_.to_ticks(listed.size));
    job.need = listed.need;
    job.estimate = listed.requested > 0.0 ? std::max<ticks>(1, unit_.to_ticks(listed.requested)) : 0;
    job.user = listed.user;
    job.qos = listed.qos;
    job.listed = static_cast<std::uint32_t>(place);
  }
  const time_unit& unit() const { return unit_; }

 private:
  std::shared_ptr<const timed_jobs> jobs_;
  time_unit unit_;
  std::vector<class_id> ids_;  // by the place of the class in the scenario
};

/// The jobs of a list of which some arrive only when others have ended, see job_dependency. A job that waits for
/// several arrives at the latest of the times that they set. Jobs that arrive at one instant do so in the order of the
/// list.
///
/// In memory are the jobs for which all others that they wait for have ended, until they arrive, and the jobs and
/// joints for which some have.
class dependent_workload final : public workload, private workload_feedback {
 public:
  /// @param model with dependencies
  explicit dependent_workload(const scenario& model) : jobs_(model), dependencies_(model.arrivals.dependencies) {}

  bool next(job_request& job) override {
    given_ = next_of_list();
    if (!free_.empty() && (!given_ || *given_ > free_.top())) {
      given_ = free_.top();
      free_.pop();
    } else if (given_) {
      ++at_;
    }
    if (!given_) return false;
    jobs_.write(given_->place, job);
    job.arrival = given_->arrival;
    return true;
  }
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

  bool job_completes(ticks now, std::uint32_t listed) override {
    ended_.assign(1, listed);
    while (!ended_.empty()) {
      const std::size_t place = ended_.back();
      ended_.pop_back();
      const std::size_t end = dependencies_->jobs[place + 1].followers;
      for (std::size_t at = dependencies_->jobs[place].followers; at < end; ++at)
        set_free(dependencies_->followers[at], now);
    }
    if (free_.empty() || (given_ && !(*given_ > free_.top()))) return false;
    if (given_) free_.push(*given_);
    return true;
  }
  /// Notes that a job or joint that another one waits for has ended.
  void set_free(const job_dependencies::follower& follower, ticks now) {
    const bool is_joint = dependencies_->is_joint(follower.job), thinks = follower.think >= 0.0;
    ticks arrival = is_joint ? now
                    : thinks ? std::min(now + jobs_.unit().to_ticks(follower.think), end_of_clock)
                             : std::max(now, jobs_.arrival(follower.job));
    const std::uint32_t preceding = dependencies_->jobs[follower.job].preceding;
    if (preceding > 1) {
      const auto waiting = partly_free_.emplace(follower.job, partly_free{preceding, 0}).first;
      arrival = waiting->second.arrival = std::max(waiting->second.arrival, arrival);
      if (--waiting->second.left > 0) return;
      partly_free_.erase(waiting);
    }
    if (is_joint)
      ended_.push_back(follower.job);
    else
      free_.push({arrival, follower.job});
  }
  std::optional<entrant> next_of_list() {
    while (at_ < jobs_.size() && dependencies_->jobs[at_].preceding > 0) ++at_;
    if (at_ == jobs_.size()) return std::nullopt;
    return entrant{jobs_.arrival(at_), static_cast<std::uint32_t>(at_)};
  }

  listed_requests jobs_;
  std::shared_ptr<const job_dependencies> dependencies_;
  std::size_t at_ = 0;  // in the list, of those that wait for no job
  std::priority_queue<entrant, std::vector<entrant>, std::greater<>> free_;  // jobs that have waited, and are to arrive
  std::unordered_map<std::uint32_t, partly_free> partly_free_;
  std::vector<std::uint32_t> ended_;  // at this moment: the job, and joints, whose followers have not been told of it
  std::optional<entrant> given_;      // the job made last, which is not submitted yet
};

/// The slotted jobs of a list, the same in every replication.
class list_workload final : public workload {
 public:
  explicit list_workload(const scenario& model) : jobs_(model.arrivals.list), slot_(model.unit.to_ticks(model.slot)) {}

  bool next(job_request& job) override {
    if (at_ == jobs_.size()) return false;
    const listed_job& listed = jobs_[at_++];
    const ticks size = listed.worth->units() * slot_;
    job = {(listed.arrival - 1) * slot_, class_id{0}, size, {}, listed.deadline, listed.worth.get()};
    return true;
  }

 private:
  const std::vector<listed_job>& jobs_;
  ticks slot_;
  std::size_t at_ = 0;
};

/// The rigid or pooled jobs of a list, the same in every replication.
class timed_list_workload final : public workload {
 public:
  explicit timed_list_workload(const scenario& model) : jobs_(model) {}

  bool next(job_request& job) override {
    if (at_ == jobs_.size()) return false;
    jobs_.write(at_++, job);
    return true;
  }

 private:
  listed_requests jobs_;
  std::size_t at_ = 0;
};

std::unique_ptr<workload> make_workload_of_list(const scenario& model, std::uint32_t) {
  if (model.arrivals.dependencies) return std::make_unique<dependent_workload>(model);
  if (model.arrivals.jobs) return std::make_unique<timed_list_workload>(model);
  return std::make_unique<list_workload>(model);
}

// The last slot of a list in which one core does all the work after the last arrival and deadline.
std::uint64_t last_slot_of_list(const scenario& model) {
  std::uint64_t last = 0, units = 0;
  for (const listed_job& job : model.arrivals.list) {
    last = std::max({last, job.arrival, job.deadline});
    units += job.worth->units();
  }
  return last + units;
}

}  // namespace

extern const arrival_entry list_arrivals{"list",
                                         5,
                                         arrival_kind::list,
                                         {{"file", text_key{"jobs.csv"}, required{}, "list of jobs, or a log"}},
                                         nullptr,
                                         make_workload_of_list,
                                         last_slot_of_list};

}  // namespace muster
