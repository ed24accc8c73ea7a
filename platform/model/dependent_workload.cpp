#include "platform/model/dependent_workload.h"

#include <algorithm>

namespace muster {

dependent_workload::dependent_workload(const scenario& model)
    : jobs_(model), dependencies_(model.arrivals.dependencies) {}

std::optional<dependent_workload::entrant> dependent_workload::next_of_list() {
  while (at_ < jobs_.size() && dependencies_->jobs[at_].preceding > 0) ++at_;
  if (at_ == jobs_.size()) return std::nullopt;
  return entrant{jobs_.arrival(at_), static_cast<std::uint32_t>(at_)};
}

bool dependent_workload::next(job_request& job) {
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

bool dependent_workload::job_completes(ticks now, std::uint32_t listed) {
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

void dependent_workload::set_free(const job_dependencies::follower& follower, ticks now) {
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

}  // namespace muster
