#include "pooled_queue.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

namespace muster::oracle {

namespace {

constexpr std::size_t nobody = SIZE_MAX;

// Declared in the order of one tick's events.
enum class kind { completion, interruption, arrival };

struct event {
  std::uint64_t at;
  kind what;
  std::size_t job;

  bool operator<(const event& other) const {
    return std::tie(at, what, job) < std::tie(other.at, other.what, other.job);
  }
};

struct job_state {
  double remaining = 0.0;
  double rate = 0.0;
  std::uint64_t since = 0;
  std::uint64_t completion = 0;
  int servers_at_work = 0;
};

struct server_state {
  std::size_t serves = nobody;
  std::uint64_t interrupts_at = 0;
};

class pooled_queue {
 public:
  pooled_queue(const std::vector<pooled_job>& jobs, const std::vector<pooled_server>& servers)
      : jobs_(jobs), servers_(servers), job_states_(jobs.size()), server_states_(servers.size()) {}

  std::vector<pooled_outcome> run() {
    std::vector<pooled_outcome> outcomes(jobs_.size());
    while (arrived_ < jobs_.size() || !queue_.empty()) {
      const event next = first_event();
      if (next.at < now_) throw std::invalid_argument("serve_pooled: jobs are not in order of arrival");
      now_ = next.at;
      if (next.what == kind::arrival) {
        job_states_[next.job].remaining = static_cast<double>(jobs_[next.job].size);
        ++arrived_;
      } else {
        release(next.job);
      }
      if (next.what != kind::completion) queue_.push_back(next.job);
      if (next.what == kind::completion) outcomes[next.job].completion = now_;
      if (next.what == kind::interruption) ++outcomes[next.job].interruptions;
      allocate();
    }
    return outcomes;
  }

 private:
  event first_event() const {
    std::vector<event> pending;
    if (arrived_ < jobs_.size()) pending.push_back({jobs_[arrived_].arrival, kind::arrival, arrived_});
    for (const std::size_t j : queue_)
      if (job_states_[j].servers_at_work > 0) pending.push_back({job_states_[j].completion, kind::completion, j});
    for (std::size_t s = 0; s < servers_.size(); ++s)
      if (server_states_[s].serves != nobody && servers_[s].timer)
        pending.push_back({server_states_[s].interrupts_at, kind::interruption, server_states_[s].serves});
    if (pending.empty()) throw std::logic_error("serve_pooled: nobody serves those who wait");
    return *std::min_element(pending.begin(), pending.end());
  }

  // A server is about to join the job or to leave it.
  void bring_up_to_date(job_state& j) const {
    j.remaining = std::max(0.0, j.remaining - j.rate * static_cast<double>(now_ - j.since));
    j.since = now_;
  }

  void set_completion(job_state& j) const {
    j.completion = now_ + static_cast<std::uint64_t>(std::llround(j.remaining / j.rate));
  }

  // The job leaves its servers and the queue.
  void release(std::size_t job) {
    queue_.erase(std::find(queue_.begin(), queue_.end(), job));
    job_state& j = job_states_[job];
    for (std::size_t s = 0; s < servers_.size(); ++s) {
      if (server_states_[s].serves != job) continue;
      server_states_[s].serves = nobody;
      bring_up_to_date(j);
      // The sum must be 0 in the end, without what rounding has left of it.
      j.rate = --j.servers_at_work == 0 ? 0.0 : j.rate - servers_[s].capacity;
      if (j.servers_at_work > 0) set_completion(j);
    }
  }

  std::size_t first_that_may_use(std::size_t server) const {
    for (const std::size_t j : queue_)
      if (std::binary_search(jobs_[j].servers.begin(), jobs_[j].servers.end(), server)) return j;
    return nobody;
  }

  void allocate() {
    for (std::size_t s = 0; s < servers_.size(); ++s) {
      const std::size_t first = first_that_may_use(s);
      if (server_states_[s].serves == first) continue;
      if (server_states_[s].serves != nobody) throw std::logic_error("serve_pooled: a job would be preempted");
      server_states_[s].serves = first;
      if (servers_[s].timer) server_states_[s].interrupts_at = now_ + servers_[s].timer();
      job_state& j = job_states_[first];
      bring_up_to_date(j);
      j.rate += servers_[s].capacity;
      ++j.servers_at_work;
      set_completion(j);
    }
  }

  const std::vector<pooled_job>& jobs_;
  const std::vector<pooled_server>& servers_;
  std::vector<job_state> job_states_;
  std::vector<server_state> server_states_;
  std::vector<std::size_t> queue_;
  std::size_t arrived_ = 0;
  std::uint64_t now_ = 0;
};

}  // namespace

std::vector<pooled_outcome> serve_pooled(const std::vector<pooled_job>& jobs,
                                         const std::vector<pooled_server>& servers) {
  return pooled_queue(jobs, servers).run();
}

}  // namespace muster::oracle
