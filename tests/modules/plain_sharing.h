#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/modules/scene.h"

// Several schedulers that share like servers, each with numbers of its own for every server: what it holds itself and
// what it believes of the others. One loop over the events, job by job.

namespace muster::plain {

struct shared_job {
  ticks started = 0, completed = 0;
  unsigned conflicts = 0;

  bool operator==(const shared_job& o) const {
    return std::tie(started, completed, conflicts) == std::tie(o.started, o.completed, o.conflicts);
  }
  friend std::ostream& operator<<(std::ostream& out, const shared_job& j) {
    return out << "{" << j.started << ", " << j.completed << ", " << j.conflicts << "}";
  }
};

class shared_loop {
 public:
  struct rules {
    unsigned servers = 1, cores = 1, schedulers = 1;
    std::vector<unsigned> needs;  // of the classes, descending
    std::string policy = "fcfs";
    ticks information_delay = 0, decision = 0;
  };

  /// @param jobs in the order of arrival, which go to the schedulers in turn
  static std::vector<shared_job> run(const rules& r, const std::vector<job_request>& jobs) {
    shared_loop loop(r, jobs);
    for (std::size_t n = 0; n < jobs.size(); ++n)
      loop.at(jobs[n].arrival, 2, n, [&loop, n] { loop.comes(n % loop.rules_.schedulers, {what::arrival, n}); });
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
  enum class what { arrival, end, refusal, look };
  struct event {
    what is;
    std::size_t job;
  };
  struct news {
    std::size_t owner;
    bool taken;
    unsigned server, cores;
    ticks told;
  };
  struct scheduler_state {
    std::vector<unsigned> own, others;  // cores of each server
    std::vector<std::size_t> waiting;
    std::deque<event> events;
    std::size_t told = 0;  // of the changes
    bool busy = false, looks = false;
    std::vector<std::size_t> orders;
  };

  shared_loop(const rules& r, const std::vector<job_request>& requests)
      : rules_(r), requests_(requests), jobs_(requests.size()), where_(requests.size()), held_(r.servers) {
    all_.resize(r.schedulers);
    for (scheduler_state& s : all_) s.own = s.others = std::vector<unsigned>(r.servers);
  }

  // Completions come first in an instant, by job; then messages in the order in which they were sent; then arrivals.
  template <class Call>
  void at(ticks when, int kind, std::uint64_t order, Call call) {
    future_.emplace(std::tuple{when, kind, order}, call);
  }
  template <class Call>
  void message(ticks when, Call call) {
    at(when, 1, sent_++, call);
  }

  unsigned need(std::size_t job) const { return rules_.needs[static_cast<std::size_t>(requests_[job].type)]; }
  unsigned free(const scheduler_state& s, unsigned server) const {
    const unsigned held = s.own[server] + s.others[server];
    return held < rules_.cores ? rules_.cores - held : 0;
  }
  unsigned free(const scheduler_state& s) const {
    unsigned sum = 0;
    for (unsigned server = 0; server < rules_.servers; ++server) sum += free(s, server);
    return sum;
  }

  // Lets a scheduler learn of the changes before one of that number.
  void learn(std::size_t k, std::size_t until) {
    scheduler_state& s = all_[k];
    while (s.told < until) {
      const news& n = changes_[s.told++];
      if (n.owner == k) continue;
      const unsigned before = free(s, n.server);
      s.others[n.server] = n.taken ? s.others[n.server] + n.cores : s.others[n.server] - n.cores;
      if (free(s, n.server) <= before || s.looks || s.waiting.empty()) continue;
      s.looks = true;
      message(now_, [this, k] { comes(k, {what::look, 0}); });
    }
  }

  void change(std::size_t owner, bool taken, unsigned server, unsigned cores) {
    held_[server] = taken ? held_[server] + cores : held_[server] - cores;
    changes_.push_back({owner, taken, server, cores, now_ + rules_.information_delay});
    const auto tell = [this] {  // of all changes that are old enough, scheduler by scheduler
      std::size_t until = changes_.size();
      while (changes_[until - 1].told > now_) --until;
      for (std::size_t k = 0; k < all_.size(); ++k) learn(k, until);
    };
    if (rules_.information_delay == 0)
      tell();
    else
      message(now_ + rules_.information_delay, tell);
  }

  void comes(std::size_t k, const event& e) {
    all_[k].events.push_back(e);
    if (!all_[k].busy) process(k);
  }

  void process(std::size_t k) {
    scheduler_state& s = all_[k];
    s.busy = true;
    while (!s.events.empty()) {
      const event e = s.events.front();
      s.events.pop_front();
      if (decide(k, e) && rules_.decision > 0) {
        message(now_ + rules_.decision, [this, k] {
          commit(k);
          process(k);
        });
        return;
      }
      commit(k);
    }
    s.busy = false;
  }

  bool decide(std::size_t k, const event& e) {
    scheduler_state& s = all_[k];
    if (e.is == what::look) {
      s.looks = false;
      if (s.waiting.empty()) return false;
    } else if (e.is != what::arrival) {
      for (const auto& [server, cores] : where_[e.job]) s.own[server] -= cores;
    }
    if (e.is == what::end) jobs_[e.job].completed = now_;  // it is answered when its scheduler has the time
    if (e.is == what::refusal) {
      const bool looks = std::exchange(s.looks, true);
      learn(k, changes_.size());
      s.looks = looks;
      ++jobs_[e.job].conflicts;
    }
    if (e.is == what::arrival || e.is == what::refusal)
      s.waiting.insert(std::lower_bound(s.waiting.begin(), s.waiting.end(), e.job), e.job);
    while (const auto next = first_to_start(s)) {
      const std::size_t job = *next;
      s.waiting.erase(std::find(s.waiting.begin(), s.waiting.end(), job));
      where_[job].clear();
      unsigned missing = need(job);
      for (unsigned server = 0; missing > 0; ++server)
        if (const unsigned cores = std::min(missing, free(s, server)); cores > 0) {
          where_[job].push_back({server, cores});
          missing -= cores;
        }
      for (const auto& [server, cores] : where_[job]) s.own[server] += cores;
      s.orders.push_back(job);
      if (rules_.decision == 0) commit(k);
    }
    return true;
  }

  std::optional<std::size_t> first_to_start(const scheduler_state& s) const {
    const unsigned idle = free(s);
    std::optional<std::size_t> best;
    for (const std::size_t job : s.waiting) {
      if (need(job) <= idle && (!best || (rules_.policy == "msf" && need(job) > need(*best)))) best = job;
      if (rules_.policy == "fcfs") break;
    }
    return best;
  }

  void commit(std::size_t k) {
    const std::vector<std::size_t> orders = std::exchange(all_[k].orders, {});
    for (const std::size_t job : orders) {
      const bool room = std::all_of(where_[job].begin(), where_[job].end(), [this](const auto& part) {
        return held_[part.first] + part.second <= rules_.cores;
      });
      if (!room) {
        message(now_, [this, k, job] { comes(k, {what::refusal, job}); });
        continue;
      }
      for (const auto& [server, cores] : where_[job]) change(k, true, server, cores);
      jobs_[job].started = now_;
      at(now_ + requests_[job].size, 0, job, [this, k, job] { ends(k, job); });
    }
  }

  void ends(std::size_t k, std::size_t job) {
    for (const auto& [server, cores] : where_[job]) change(k, false, server, cores);
    comes(k, {what::end, job});
  }

  const rules rules_;
  const std::vector<job_request>& requests_;
  std::vector<shared_job> jobs_;
  std::vector<std::vector<std::pair<unsigned, unsigned>>> where_;  // servers and cores of each job
  std::vector<unsigned> held_;                                     // cores of each server, whoever holds them
  std::vector<scheduler_state> all_;
  std::map<std::tuple<ticks, int, std::uint64_t>, std::function<void()>> future_;
  std::vector<news> changes_;
  ticks now_ = 0;
  std::uint64_t sent_ = 0;
};

}  // namespace muster::plain
