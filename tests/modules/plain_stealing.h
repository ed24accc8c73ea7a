#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/modules/scene.h"

// Several schedulers with servers of their own that take jobs from each other: one loop over the events, job by job.
// Jobs go to the schedulers in turn.

namespace muster::plain {

struct moved_job {
  ticks started = 0, completed = 0;
  bool stolen = false;

  friend std::ostream& operator<<(std::ostream& out, const moved_job& j) {
    return out << j.started << ' ' << j.completed << (j.stolen ? " stolen" : "");
  }
};

class stealing_loop {
 public:
  struct rules {
    std::vector<unsigned> cores;  // of each scheduler
    std::vector<unsigned> needs;  // of the classes, descending
    std::string policy = "fcfs";
    ticks information_delay = 0;
  };

  static std::vector<moved_job> run(const rules& r, const std::vector<job_request>& jobs) {
    stealing_loop loop(r, jobs);
    for (std::size_t job = 0; job < jobs.size(); ++job)
      loop.at(jobs[job].arrival, arrival, job, [&loop, job] {
        loop.look_later();
        loop.join(job % loop.idle_.size(), job);
      });
    while (!loop.future_.empty()) {
      const auto next = loop.future_.begin();
      loop.now_ = std::get<0>(next->first);
      const auto call = next->second;
      loop.future_.erase(next);
      call();
    }
    return loop.jobs_;
  }

 private:
  // In an instant completions come first, by job; then messages in the order in which they were sent; then arrivals,
  // and then one look at all schedulers.
  enum kind { completion, message, arrival, look };

  stealing_loop(const rules& r, const std::vector<job_request>& requests)
      : rules_(r),
        requests_(requests),
        jobs_(requests.size()),
        idle_(r.cores),
        queues_(r.cores.size()),
        claimed_(r.cores.size()),
        steals_(r.cores.size()) {}

  void at(ticks when, kind is, std::uint64_t order, std::function<void()> call) {
    future_.emplace(std::tuple{when, is, order}, std::move(call));
  }
  void look_later() {
    at(now_, look, 0, [this] { look_at_all(); });  // once, as it has the same key
  }
  unsigned need(std::size_t job) const { return rules_.needs[static_cast<std::size_t>(requests_[job].type)]; }

  void join(std::size_t k, std::size_t job) {
    auto& queue = queues_[k];
    queue.insert(std::lower_bound(queue.begin(), queue.end(), job), job);
    start_jobs(k);
  }

  void start_jobs(std::size_t k) {
    while (const auto job = next_of(k)) {
      queues_[k].erase(std::find(queues_[k].begin(), queues_[k].end(), *job));
      idle_[k] -= need(*job);
      jobs_[*job].started = now_;
      at(now_ + requests_[*job].size, completion, *job, [this, k, j = *job] {
        jobs_[j].completed = now_;
        idle_[k] += need(j);
        start_jobs(k);
        look_later();
      });
    }
  }

  std::optional<std::size_t> next_of(std::size_t k) const {
    std::optional<std::size_t> best;
    for (const std::size_t job : queues_[k]) {
      if (need(job) <= idle_[k] && (!best || (rules_.policy == "msf" && need(job) > need(*best)))) best = job;
      if (rules_.policy == "fcfs") break;
    }
    return best;
  }

  void look_at_all() {
    const auto left = [this](std::size_t k) {
      return static_cast<long>(queues_[k].size()) - static_cast<long>(claimed_[k]);
    };
    std::vector<long> waiting;
    for (std::size_t k = 0; k < queues_.size(); ++k) waiting.push_back(static_cast<long>(queues_[k].size()));
    for (std::size_t thief = 0; thief < queues_.size(); ++thief) {
      if (waiting[thief] > 0 || steals_[thief] || idle_[thief] == 0) continue;
      std::size_t victim = 0;
      for (std::size_t k = 0; k < queues_.size(); ++k)
        if (left(k) > left(victim)) victim = k;
      if (left(victim) <= 0) continue;
      steals_[thief] = true;
      ++claimed_[victim];
      at(now_ + rules_.information_delay, message, sent_++,
         [this, thief, victim, most = idle_[thief]] { withdraw(thief, victim, most); });
    }
  }

  void withdraw(std::size_t thief, std::size_t victim, unsigned most) {
    --claimed_[victim];
    auto& queue = queues_[victim];
    const auto found = std::find_if(queue.begin(), queue.end(),
                                    [&](std::size_t job) { return need(job) <= most && !jobs_[job].stolen; });
    if (found == queue.end()) {
      steals_[thief] = false;
      return;
    }
    const std::size_t job = *found;
    queue.erase(found);
    jobs_[job].stolen = true;
    at(now_, message, sent_++, [this, thief, job] {
      join(thief, job);
      steals_[thief] = false;
      look_later();
    });
    start_jobs(victim);
  }

  const rules rules_;
  const std::vector<job_request>& requests_;
  std::vector<moved_job> jobs_;
  std::vector<unsigned> idle_;
  std::vector<std::vector<std::size_t>> queues_;  // by arrival
  std::vector<unsigned> claimed_;
  std::vector<bool> steals_;
  std::map<std::tuple<ticks, kind, std::uint64_t>, std::function<void()>> future_;
  ticks now_ = 0;
  std::uint64_t sent_ = 0;
};

}  // namespace muster::plain
