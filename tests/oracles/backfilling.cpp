#include "backfilling.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>

namespace muster::oracle {

namespace {

using ticks = std::uint64_t;
__extension__ typedef unsigned __int128 wide;

constexpr ticks never = ~ticks{0};

ticks slowed(ticks work, double capacity) {
  return std::max<ticks>(1, static_cast<ticks>(std::llround(static_cast<double>(work) / capacity)));
}

void subtract(levels& from, const levels& what) {
  for (std::size_t p = 0; p < from.size(); ++p) from[p] -= what[p];
}

struct plan {
  ticks at = never;
  placed_tasks where{};
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
        outcomes_(jobs.size()),
        was_out_(cluster.outages.size()) {
    for (const backfill_outage& o : cluster.outages) taken_.push_back(places_.taken_by(o));
    for (std::size_t j = 1; j < jobs.size(); ++j)
      if (jobs[j].arrival < jobs[j - 1].arrival)
        throw std::invalid_argument("backfill: jobs are not in order of arrival");
  }

  std::vector<backfill_outcome> run() {
    while (ended_.size() < jobs_.size()) {
      now_ = next_instant();
      if (now_ == never) throw std::logic_error("backfill: a job can never start");
      bool passed = false, is_due = a_reservation_is_due();
      const auto happened = [&] {
        if (settings_.each_event) pass();
        passed = settings_.each_event;
        is_due = true;
      };
      for (const std::size_t j : numbers{present_})
        if (jobs_[j].at == where::runs && outcomes_[j].completion == now_) {
          end(j);
          happened();
        }
      for (std::size_t n = 0; n < cluster_.outages.size(); ++n) {
        const backfill_outage& o = cluster_.outages[n];
        if (o.from == now_ && !o.drains && interrupt_jobs_on(o.server)) happened();
        if (o.until == now_ && (o.known || has_an_idle_core(o.server, n))) happened();
      }
      while (arrived_ < jobs_.size() && given_[arrived_].arrival == now_) {
        arrive(arrived_++);
        happened();
      }
      if (is_due && !passed) pass();
    }
    return outcomes_;
  }

 private:
  enum class where { waits, runs };
  struct job_state {
    where at = where::waits;
    ticks estimate = 0;
    ticks duration = 0;  // as planned
    ticks expected = 0;  // end of a running job, as of the last pass
    bool reserved = false;
    plan planned{};  // of a job that runs, or waits with a reservation
    wide held = 0;   // core-ticks, before it lost its servers
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
    ticks next = arrived_ < jobs_.size() ? given_[arrived_].arrival : never;
    for (const std::size_t j : present_) {
      if (jobs_[j].at == where::runs) next = std::min(next, outcomes_[j].completion);
      if (jobs_[j].reserved && conservative()) next = std::min(next, jobs_[j].planned.at);
    }
    for (const backfill_outage& o : cluster_.outages) {
      if (o.from > now_ && !o.drains) next = std::min(next, o.from);
      if (o.until > now_) next = std::min(next, o.until);
    }
    return next;
  }

  bool a_reservation_is_due() const {
    return conservative() && std::any_of(present_.begin(), present_.end(), [this](std::size_t j) {
             return jobs_[j].reserved && jobs_[j].planned.at == now_;
           });
  }

  void arrive(std::size_t j) {
    present_.push_back(j);
    jobs_[j].estimate = given_[j].estimate;
    std::vector<ticks> sizes;  // of the user's jobs, in the order of their ends
    for (const std::size_t e : ended_)
      if (given_[e].user == given_[j].user) sizes.push_back(given_[e].size);
    if (settings_.learns && sizes.size() >= 2)
      jobs_[j].estimate = std::min(jobs_[j].estimate, (sizes.back() + sizes[sizes.size() - 2]) / 2);
    jobs_[j].duration = slowed(jobs_[j].estimate, places_.slowest(need(j)));
  }

  void end(std::size_t j) {
    present_.erase(std::find(present_.begin(), present_.end(), j));
    ended_.push_back(j);
    early_ = early_ || now_ < jobs_[j].expected;
  }

  void start(std::size_t j) {
    backfill_outcome& outcome = outcomes_[j];
    double slowest = HUGE_VAL;
    for (const auto& [server, tasks] : jobs_[j].planned.where.by_server)
      slowest = std::min(slowest, cluster_.servers[server].capacity);
    outcome = {now_, now_ + slowed(given_[j].size, slowest), jobs_[j].planned.where.by_server, outcome.lost};
    jobs_[j].at = where::runs;
    jobs_[j].reserved = false;
    jobs_[j].expected = now_ + jobs_[j].duration;
  }

  // Lets jobs on a server lose what they have done, and wait. @return whether there are any
  bool interrupt_jobs_on(std::size_t server) {
    bool found = false;
    for (const std::size_t j : present_) {
      const auto& parts = outcomes_[j].tasks_by_server;
      const auto here = [&](const std::pair<std::size_t, unsigned>& part) { return part.first == server; };
      if (jobs_[j].at != where::runs || std::none_of(parts.begin(), parts.end(), here)) continue;
      jobs_[j].held += wide{need(j).cores()} * (now_ - outcomes_[j].start);
      jobs_[j].at = where::waits;
      ++outcomes_[j].lost;
      interrupted_ = found = true;
    }
    return found;
  }

  // Whether a server of the group has an idle core, when the changes of so many outages at this instant are known.
  bool has_an_idle_core(std::size_t server, std::size_t known) const {
    const auto end = std::upper_bound(cluster_.groups.begin(), cluster_.groups.end(), server);
    const std::size_t behind = end == cluster_.groups.end() ? cluster_.servers.size() : *end;
    for (std::size_t s = *std::prev(end); s < behind; ++s) {
      auto idle = static_cast<std::int64_t>(cluster_.servers[s].has.front());
      for (const std::size_t j : present_)
        if (jobs_[j].at == where::runs) idle -= jobs_[j].planned.where.held[places_.cores_of(s)];
      for (std::size_t n = 0; n < cluster_.outages.size(); ++n) {
        const backfill_outage& o = cluster_.outages[n];
        const bool begun = o.from < now_ || (o.from == now_ && n <= known);
        const bool ended = o.until < now_ || (o.until == now_ && n <= known);
        if (o.server == s && begun && !ended) idle = 0;
      }
      if (idle > 0) return true;
    }
    return false;
  }

  bool is_out(const backfill_outage& o) const { return o.from <= now_ && now_ < o.until; }

  // What jobs hold from now on, as is expected, what is reserved, and what is out.
  std::vector<occupation> occupations() const {
    std::vector<occupation> all;
    for (const std::size_t number : present_) {
      const job_state& j = jobs_[number];
      if (j.at == where::runs) all.push_back({0, j.expected, &j.planned.where.held});
      if (j.reserved) all.push_back({j.planned.at, j.planned.at + j.duration, &j.planned.where.held});
    }
    for (std::size_t n = 0; n < taken_.size(); ++n) {
      const backfill_outage& o = cluster_.outages[n];
      if (o.known) all.push_back({o.from, o.until, &taken_[n]});
      if (!o.known && is_out(o)) all.push_back({0, never, &taken_[n]});
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
    return places_.place(need(j), least_, jobs_[j].planned.where);
  }

  bool fits_now(std::size_t j) { return fits(j, now_, occupations()); }

  // Plans a job at its earliest start, beside all that others hold or have reserved. @return whether that is now
  bool plan_earliest(std::size_t j) {
    jobs_[j].reserved = false;
    const std::vector<occupation> all = occupations();
    std::vector<ticks> rises{now_};
    for (const occupation& o : all)
      if (o.to > now_ && o.to < never) rises.push_back(o.to);
    std::sort(rises.begin(), rises.end());
    for (const ticks at : rises)
      if (fits(j, at, all)) return at == now_;
    jobs_[j].planned.at = never;
    return false;
  }

  void reserve(std::size_t j) {
    plan_earliest(j);
    jobs_[j].reserved = jobs_[j].planned.at < never;
  }

  wide usage(std::uint32_t user) const {
    wide sum = 0;
    for (std::size_t j = 0; j < arrived_; ++j) {
      if (given_[j].user != user) continue;
      sum += jobs_[j].held;
      if (jobs_[j].at == where::waits) continue;
      sum += wide{need(j).cores()} * (std::min(now_, outcomes_[j].completion) - outcomes_[j].start);
    }
    return sum;
  }

  bool before(std::size_t a, std::size_t b, backfill_order order) const {
    const backfill_job& one = given_[a];
    const backfill_job& other = given_[b];
    const ticks e = jobs_[a].estimate, f = jobs_[b].estimate;
    switch (order) {
      case backfill_order::arrival: return false;
      case backfill_order::shortest: return e < f;
      case backfill_order::smallest_area: return wide{e} * need(a).cores() < wide{f} * need(b).cores();
      case backfill_order::expansion_factor:
        return wide{now_ - one.arrival + e} * f > wide{now_ - other.arrival + f} * e;
      case backfill_order::fair_share: return usage(one.user) < usage(other.user);
    }
    return false;
  }

  // The jobs that wait. @param reserved nothing: with a reservation or without
  numbers waiting(backfill_order order, std::optional<bool> reserved = std::nullopt) const {
    numbers found;
    for (const std::size_t j : present_)
      if (jobs_[j].at == where::waits && (!reserved || jobs_[j].reserved == *reserved)) found.push_back(j);
    std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) { return before(a, b, order); });
    return found;
  }

  void pass() {
    bool exceeded = false;
    for (const std::size_t j : present_) {
      if (jobs_[j].at != where::runs || jobs_[j].expected > now_) continue;
      exceeded = true;
      for (ticks lasts = jobs_[j].duration; jobs_[j].expected <= now_; lasts *= 2)
        jobs_[j].expected = outcomes_[j].start + lasts;
    }
    switch (settings_.rule) {
      case backfill_rule::fcfs: fcfs(); break;
      case backfill_rule::easy: easy(); break;
      case backfill_rule::compress: compress(exceeded); break;
      case backfill_rule::replan: replan(waiting(settings_.order)); break;
    }
    early_ = interrupted_ = false;
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
      } else if (jobs_[j].planned.at < never) {
        jobs_[j].reserved = true;
        ++reserved;
      }
    }
    for (const std::size_t j : waiting(settings_.second, false))
      if (fits_now(j)) start(j);
    for (const std::size_t j : present_) jobs_[j].reserved = false;
  }

  void replan(const numbers& in_turn) {
    for (const std::size_t j : in_turn) jobs_[j].reserved = false;
    for (const std::size_t j : in_turn) reserve(j);
    start_those_due();
  }

  void compress(bool exceeded) {
    numbers reserved = waiting(settings_.order, true);
    const numbers added = waiting(settings_.order, false);
    bool less = interrupted_, more = early_;
    for (std::size_t n = 0; n < was_out_.size(); ++n) {
      const bool now_out = !cluster_.outages[n].known && is_out(cluster_.outages[n]);
      less = less || (now_out && !was_out_[n]);
      more = more || (!now_out && was_out_[n]);
      was_out_[n] = now_out;
    }
    if (exceeded || less || !what_is_due_fits()) {
      std::stable_sort(reserved.begin(), reserved.end(),
                       [&](std::size_t a, std::size_t b) { return jobs_[a].planned.at < jobs_[b].planned.at; });
      reserved.insert(reserved.end(), added.begin(), added.end());
      replan(reserved);
      return;
    }
    if (more)
      for (const std::size_t j : reserved) reserve(j);
    for (const std::size_t j : added) reserve(j);
    start_those_due();
  }

  bool what_is_due_fits() {
    find_free(now_, occupations(), free_);
    for (const std::size_t j : present_)
      for (std::size_t p = 0; jobs_[j].reserved && jobs_[j].planned.at == now_ && p < free_.size(); ++p)
        if (free_[p] < 0 && jobs_[j].planned.where.held[p] > 0) return false;
    return true;
  }

  void start_those_due() {
    for (const std::size_t j : present_)
      if (jobs_[j].reserved && jobs_[j].planned.at == now_) start(j);
  }

  const backfill_cluster& cluster_;
  const std::vector<backfill_job>& given_;
  const backfill_settings settings_;
  const task_places places_;
  std::vector<job_state> jobs_;
  std::vector<backfill_outcome> outcomes_;
  levels free_{}, least_{};  // in a question of what is free
  std::size_t arrived_ = 0;
  numbers present_{}, ended_{};  // those that wait or run, by number; in the order of their ends
  ticks now_ = 0;
  bool early_ = false;           // a job has ended before the end that the last pass expected
  bool interrupted_ = false;     // one has lost a server since
  std::vector<levels> taken_{};  // by each outage
  std::vector<bool> was_out_;    // in the last pass, by an outage that is not known
};

}  // namespace

std::vector<backfill_outcome> backfill(const backfill_cluster& cluster, const std::vector<backfill_job>& jobs,
                                       const backfill_settings& settings) {
  return backfilled_queue(cluster, jobs, settings).run();
}

}  // namespace muster::oracle
