#include "backfilling.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace muster::oracle {

namespace {

using ticks = std::uint64_t;
using amount = std::int64_t;
using levels = std::vector<amount>;  // by place
__extension__ typedef unsigned __int128 wide;

constexpr ticks never = ~ticks{0};

ticks slowed(ticks work, double capacity) {
  return std::max<ticks>(1, static_cast<ticks>(std::llround(static_cast<double>(work) / capacity)));
}

void subtract(levels& from, const levels& what) {
  for (std::size_t p = 0; p < from.size(); ++p) from[p] -= what[p];
}

// Where tasks are placed, and what they hold there.
struct plan {
  ticks at = never;
  levels held{};
  std::vector<std::pair<std::size_t, unsigned>> tasks{};  // by server
};

// The places of a cluster: of each server an amount or several devices for each resource, then those of the cluster.
class places {
 public:
  explicit places(const backfill_cluster& cluster) : cluster_(cluster) {
    for (const backfill_server& server : cluster.servers) {
      of_server_.emplace_back();
      for (std::size_t r = 0; r < cluster.parts.size(); ++r) {
        const bool devices = cluster.parts[r] > 0;
        of_server_.back().push_back({all_.size(), devices ? server.has[r] : 1});
        all_.insert(all_.end(), of_server_.back()[r].count,
                    static_cast<amount>(devices ? cluster.parts[r] : server.has[r]));
      }
    }
    cluster_from_ = all_.size();
    for (const std::uint64_t whole : cluster.of_cluster) all_.push_back(static_cast<amount>(whole));
  }

  const levels& all() const { return all_; }

  // Places all tasks of a job. @param free in each place, from which they are taken
  bool place(const backfill_need& need, levels& free, plan& at) const {
    at.held.assign(all_.size(), 0);
    at.tasks.clear();
    for (std::size_t r = 0; r < need.per_job.size(); ++r) {
      if (free[cluster_from_ + r] < static_cast<amount>(need.per_job[r])) return false;
      at.held[cluster_from_ + r] = static_cast<amount>(need.per_job[r]);
    }
    unsigned left = need.tasks;
    for (std::size_t n = 0; n < usable(need) && left > 0; ++n) {
      const std::size_t server = need.servers.empty() ? n : need.servers[n];
      left -= fill(server, need, left, free, at);
    }
    return left == 0;
  }

  double slowest(const backfill_need& need) const {
    double slowest = HUGE_VAL;
    for (std::size_t n = 0; n < usable(need); ++n)
      slowest = std::min(slowest, cluster_.servers[need.servers.empty() ? n : need.servers[n]].capacity);
    return slowest;
  }

 private:
  struct range {
    std::size_t first, count;
  };

  std::size_t usable(const backfill_need& need) const {
    return need.servers.empty() ? cluster_.servers.size() : need.servers.size();
  }

  // Places as many tasks as fit on a server. @return how many
  unsigned fill(std::size_t server, const backfill_need& need, unsigned left, levels& free, plan& at) const {
    const range whole{of_server_[server].front().first, 0};
    const std::size_t end = server + 1 < of_server_.size() ? of_server_[server + 1].front().first : cluster_from_;
    for (std::size_t p = whole.first; p < end; ++p)
      if (need.exclusive && free[p] != all_[p]) return 0;
    unsigned tasks = 0;
    while (tasks < left && (need.at_most_per_server == 0 || tasks < need.at_most_per_server) &&
           take_one(server, need, free, at.held))
      ++tasks;
    if (tasks == 0) return 0;
    for (std::size_t p = whole.first; p < end; ++p)
      if (need.exclusive) at.held[p] = all_[p];
    at.tasks.emplace_back(server, tasks);
    return tasks;
  }

  bool take_one(std::size_t server, const backfill_need& need, levels& free, levels& held) const {
    levels after = free;
    for (std::size_t r = 0; r < need.per_task.size(); ++r) {
      const range& of = of_server_[server][r];
      const auto parts = static_cast<amount>(cluster_.parts[r]);
      auto wanted = static_cast<amount>(need.per_task[r]);
      if (parts == 0) {
        after[of.first] -= wanted;
        if (after[of.first] < 0) return false;
        continue;
      }
      while (wanted > 0) {
        const amount of_one = std::min(wanted, parts);
        std::optional<std::size_t> tightest;
        for (std::size_t p = of.first; p < of.first + of.count; ++p)
          if (after[p] >= of_one && (!tightest || after[p] < after[*tightest])) tightest = p;
        if (!tightest) return false;
        after[*tightest] -= of_one;
        wanted -= of_one;
      }
    }
    for (std::size_t p = 0; p < free.size(); ++p) held[p] += free[p] - after[p];
    free = after;
    return true;
  }

  const backfill_cluster& cluster_;
  std::vector<std::vector<range>> of_server_;  // by resource
  std::size_t cluster_from_ = 0;
  levels all_;
};

class backfilled_queue {
 public:
  backfilled_queue(const backfill_cluster& cluster, const std::vector<backfill_job>& jobs,
                   const backfill_settings& settings)
      : cluster_(cluster),
        given_(jobs),
        settings_(settings),
        places_(cluster),
        jobs_(jobs.size()),
        outcomes_(jobs.size()) {
    for (std::size_t j = 1; j < jobs.size(); ++j)
      if (jobs[j].arrival < jobs[j - 1].arrival)
        throw std::invalid_argument("backfill: jobs are not in order of arrival");
  }

  std::vector<backfill_outcome> run() {
    while (ended_.size() < jobs_.size()) {
      now_ = next_instant();
      if (now_ == never) throw std::logic_error("backfill: a job fits nowhere");
      bool passed = false;
      const auto happened = [&] {
        if (settings_.each_event) pass();
        passed = settings_.each_event;
      };
      for (std::size_t j = 0; j < jobs_.size(); ++j)
        if (jobs_[j].at == where::runs && outcomes_[j].completion == now_) {
          end(j);
          happened();
        }
      for (std::size_t j = 0; j < jobs_.size(); ++j)
        if (jobs_[j].at == where::outside && given_[j].arrival == now_) {
          arrive(j);
          happened();
        }
      if (!passed) pass();
    }
    return outcomes_;
  }

 private:
  enum class where { outside, waits, runs, gone };
  struct job_state {
    where at = where::outside;
    ticks estimate = 0;
    ticks duration = 0;  // as planned
    ticks expected = 0;  // end of a running job, as of the last pass
    bool reserved = false;
    plan planned{};  // of a job that runs, or waits with a reservation
  };
  struct occupation {
    ticks from, to;
    const levels* held;
  };
  using numbers = std::vector<std::size_t>;

  const backfill_need& need(std::size_t j) const { return cluster_.needs[given_[j].need]; }
  bool conservative() const {
    return settings_.rule == backfill_rule::compress || settings_.rule == backfill_rule::replan;
  }

  ticks next_instant() const {
    ticks next = never;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (jobs_[j].at == where::outside) next = std::min(next, given_[j].arrival);
      if (jobs_[j].at == where::runs) next = std::min(next, outcomes_[j].completion);
      if (jobs_[j].at == where::waits && jobs_[j].reserved && conservative())
        next = std::min(next, jobs_[j].planned.at);
    }
    return next;
  }

  void arrive(std::size_t j) {
    jobs_[j].at = where::waits;
    jobs_[j].estimate = given_[j].estimate;
    std::vector<ticks> sizes;  // of the user's jobs, in the order of their ends
    for (const std::size_t e : ended_)
      if (given_[e].user == given_[j].user) sizes.push_back(given_[e].size);
    if (settings_.learns && sizes.size() >= 2)
      jobs_[j].estimate = std::min(jobs_[j].estimate, (sizes.back() + sizes[sizes.size() - 2]) / 2);
    jobs_[j].duration = slowed(jobs_[j].estimate, places_.slowest(need(j)));
  }

  void end(std::size_t j) {
    jobs_[j].at = where::gone;
    ended_.push_back(j);
    early_ = early_ || now_ < jobs_[j].expected;
  }

  void start(std::size_t j) {
    backfill_outcome& outcome = outcomes_[j];
    double slowest = HUGE_VAL;
    for (const auto& [server, tasks] : jobs_[j].planned.tasks)
      slowest = std::min(slowest, cluster_.servers[server].capacity);
    outcome = {now_, now_ + slowed(given_[j].size, slowest), jobs_[j].planned.tasks};
    jobs_[j].at = where::runs;
    jobs_[j].reserved = false;
    jobs_[j].expected = now_ + jobs_[j].duration;
  }

  // What jobs hold from now on, as is expected, and what is reserved.
  std::vector<occupation> occupations() const {
    std::vector<occupation> all;
    for (const job_state& j : jobs_) {
      if (j.at == where::runs) all.push_back({0, j.expected, &j.planned.held});
      if (j.reserved) all.push_back({j.planned.at, j.planned.at + j.duration, &j.planned.held});
    }
    return all;
  }

  // What is free in each place at an instant.
  void find_free(ticks at, const std::vector<occupation>& all, levels& free) const {
    free = places_.all();
    for (const occupation& o : all)
      if (o.from <= at && at < o.to) subtract(free, *o.held);
  }

  // Whether a job fits from an instant on, for all its time; then it is planned there.
  bool fits(std::size_t j, ticks at, const std::vector<occupation>& all) {
    find_free(at, all, least_);
    for (const occupation& o : all) {
      if (o.from <= at || o.from >= at + jobs_[j].duration) continue;
      find_free(o.from, all, free_);
      for (std::size_t p = 0; p < least_.size(); ++p) least_[p] = std::min(least_[p], free_[p]);
    }
    jobs_[j].planned.at = at;
    return places_.place(need(j), least_, jobs_[j].planned);
  }

  bool fits_now(std::size_t j) { return fits(j, now_, occupations()); }

  // Plans a job at its earliest start, beside all that others hold or have reserved. @return whether that is now
  bool plan_earliest(std::size_t j) {
    jobs_[j].reserved = false;
    const std::vector<occupation> all = occupations();
    std::vector<ticks> rises{now_};
    for (const occupation& o : all) rises.push_back(o.to);
    std::sort(rises.begin(), rises.end());
    for (const ticks at : rises)
      if (fits(j, at, all)) return at == now_;
    throw std::logic_error("backfill: a job fits nowhere");
  }

  void reserve(std::size_t j) {
    plan_earliest(j);
    jobs_[j].reserved = true;
  }

  wide usage(std::uint32_t user) const {
    wide sum = 0;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (given_[j].user != user || jobs_[j].at == where::outside || jobs_[j].at == where::waits) continue;
      sum += wide{need(j).cores()} * (std::min(now_, outcomes_[j].completion) - outcomes_[j].start);
    }
    return sum;
  }

  bool before(std::size_t a, std::size_t b, backfill_order order) const {
    const backfill_job& one = given_[a];
    const backfill_job& other = given_[b];
    const ticks e = jobs_[a].estimate, f = jobs_[b].estimate;
    switch (order) {
      case backfill_order::arrival:
        return false;
      case backfill_order::shortest:
        return e < f;
      case backfill_order::smallest_area:
        return wide{e} * need(a).cores() < wide{f} * need(b).cores();
      case backfill_order::expansion_factor:
        return wide{now_ - one.arrival + e} * f > wide{now_ - other.arrival + f} * e;
      case backfill_order::fair_share:
        return usage(one.user) < usage(other.user);
    }
    return false;
  }

  // The jobs that wait. @param reserved nothing: with a reservation or without
  numbers waiting(backfill_order order, std::optional<bool> reserved = std::nullopt) const {
    numbers found;
    for (std::size_t j = 0; j < jobs_.size(); ++j)
      if (jobs_[j].at == where::waits && (!reserved || jobs_[j].reserved == *reserved)) found.push_back(j);
    std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) { return before(a, b, order); });
    return found;
  }

  void pass() {
    bool exceeded = false;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (jobs_[j].at != where::runs || jobs_[j].expected > now_) continue;
      exceeded = true;
      for (ticks lasts = jobs_[j].duration; jobs_[j].expected <= now_; lasts *= 2)
        jobs_[j].expected = outcomes_[j].start + lasts;
    }
    switch (settings_.rule) {
      case backfill_rule::fcfs:
        fcfs();
        break;
      case backfill_rule::easy:
        easy();
        break;
      case backfill_rule::compress:
        compress(exceeded);
        break;
      case backfill_rule::replan:
        replan(waiting(settings_.order));
        break;
    }
    early_ = false;
  }

  void fcfs() {
    for (const std::size_t j : waiting(backfill_order::arrival)) {
      if (!fits_now(j)) return;
      start(j);
    }
  }

  void easy() {
    unsigned reserved = 0;
    for (const std::size_t j : waiting(settings_.order)) {
      if (reserved == settings_.reservations) break;
      if (plan_earliest(j)) {
        start(j);
      } else {
        jobs_[j].reserved = true;
        ++reserved;
      }
    }
    for (const std::size_t j : waiting(settings_.second, false))
      if (fits_now(j)) start(j);
    for (job_state& j : jobs_) j.reserved = false;
  }

  void replan(const numbers& in_turn) {
    for (const std::size_t j : in_turn) jobs_[j].reserved = false;
    for (const std::size_t j : in_turn) reserve(j);
    start_those_due();
  }

  void compress(bool exceeded) {
    numbers reserved = waiting(settings_.order, true);
    const numbers added = waiting(settings_.order, false);
    find_free(now_, occupations(), free_);
    if (exceeded || *std::min_element(free_.begin(), free_.end()) < 0) {
      std::stable_sort(reserved.begin(), reserved.end(),
                       [&](std::size_t a, std::size_t b) { return jobs_[a].planned.at < jobs_[b].planned.at; });
      reserved.insert(reserved.end(), added.begin(), added.end());
      replan(reserved);
      return;
    }
    if (early_)
      for (const std::size_t j : reserved) reserve(j);
    for (const std::size_t j : added) reserve(j);
    start_those_due();
  }

  void start_those_due() {
    for (std::size_t j = 0; j < jobs_.size(); ++j)
      if (jobs_[j].at == where::waits && jobs_[j].reserved && jobs_[j].planned.at == now_) start(j);
  }

  const backfill_cluster& cluster_;
  const std::vector<backfill_job>& given_;
  const backfill_settings settings_;
  const places places_;
  std::vector<job_state> jobs_;
  std::vector<backfill_outcome> outcomes_;
  levels free_{}, least_{};  // in a question of what is free
  numbers ended_{};          // in the order of their ends
  ticks now_ = 0;
  bool early_ = false;  // a job has ended before the end that the last pass expected
};

}  // namespace

std::vector<backfill_outcome> backfill(const backfill_cluster& cluster, const std::vector<backfill_job>& jobs,
                                       const backfill_settings& settings) {
  return backfilled_queue(cluster, jobs, settings).run();
}

}  // namespace muster::oracle
