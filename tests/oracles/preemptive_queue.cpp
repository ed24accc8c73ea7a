#include "preemptive_queue.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <tuple>

namespace muster::oracle {

namespace {

using tick = std::uint64_t;
__extension__ typedef unsigned __int128 wide;

struct server {
  double capacity;
  std::uint32_t idle;
};

// Declared in the order in which what ends them comes within a tick; overhead and work end alike.
enum class stage { overhead, working, saving };

struct slice {
  std::size_t job, server;
  std::uint32_t cores;
  stage at;
  tick until;
  tick since;  // productive
  tick ran;
  bool productive;

  auto order() const { return std::make_tuple(until, at == stage::saving, job); }
};

struct job_state {
  bool present = false;
  job_present::place at = job_present::place::waits;
  tick kept = 0;
  tick duration = 0;     // of its present slices
  tick all_ran = 0;      // for which all of them have run
  std::size_t open = 0;  // slices
  tick started = 0;      // latest
  tick stopped = 0;      // where it leaves
  std::set<std::size_t> holders, saved;
};

class preemptive_queue {
 public:
  preemptive_queue(const std::vector<preemptive_job>& jobs, const std::vector<preemptive_class>& classes,
                   const std::vector<preemptive_servers>& servers, const preemption_costs& costs,
                   const preemptive_rule& rule)
      : jobs_(jobs), classes_(classes), costs_(costs), rule_(rule), states_(jobs.size()), outcomes_(jobs.size()) {
    for (const preemptive_servers& s : servers)
      for (std::uint32_t n = 0; n < s.count; ++n) servers_.push_back({s.capacity, s.cores});
    for (const server& s : servers_) cores_ += s.idle;
  }

  std::vector<preemptive_outcome> run() {
    for (;;) {
      const auto slice = std::min_element(slices_.begin(), slices_.end(),
                                          [](const auto& a, const auto& b) { return a.order() < b.order(); });
      const tick arrival = arrived_ < jobs_.size() ? jobs_[arrived_].arrival : forever;
      const tick slice_end = slice == slices_.end() ? forever : slice->until;
      if (!left_.empty() && slice_end > now_) {
        jobs_have_left();
      } else if (slice_end == forever && arrival == forever) {
        return outcomes_;
      } else if (slice_end <= arrival) {
        now_ = slice_end;
        leave_stage(static_cast<std::size_t>(slice - slices_.begin()));
      } else {
        if (arrival < now_) throw std::invalid_argument("serve_preemptively: jobs are not in order of arrival");
        now_ = arrival;
        states_[arrived_++].present = true;
        ask();
      }
      stop_preempted();
    }
  }

 private:
  static constexpr tick forever = ~tick{0};

  void leave_stage(std::size_t number) {
    slice& s = slices_[number];
    if (s.at == stage::overhead) {
      become_productive(s);
      return;
    }
    if (s.at == stage::working) s.ran = now_ - s.since;
    end(number);
  }

  void become_productive(slice& s) const {
    s.at = stage::working;
    s.productive = true;
    s.since = now_;
    s.until = now_ + states_[s.job].duration;
  }

  void end(std::size_t number) {
    const slice s = slices_[number];
    slices_.erase(slices_.begin() + static_cast<std::ptrdiff_t>(number));
    servers_[s.server].idle += s.cores;
    job_state& j = states_[s.job];
    j.all_ran = std::min(j.all_ran, s.ran);
    const bool leaves = j.at == job_present::place::leaves;
    if (leaves && s.productive) j.saved.insert(s.server);
    if (--j.open > 0) return;
    if (!leaves) {
      complete(s.job);
      return;
    }
    if (j.all_ran < j.duration) {
      keep(s.job);
      j.at = job_present::place::waits;
    } else {
      --outcomes_[s.job].preemptions;  // it was complete when it was stopped
    }
    left_.push_back(s.job);
  }

  void complete(std::size_t job) {
    outcomes_[job].completion = now_;
    states_[job].present = false;
    ask();
  }

  void keep(std::size_t job) {
    job_state& j = states_[job];
    const tick left = jobs_[job].size - j.kept;
    const auto done = std::min(left - 1, static_cast<tick>(static_cast<wide>(j.all_ran) * left / j.duration));
    j.kept += done;
    if (done > 0) j.holders = j.saved;
  }

  void jobs_have_left() {
    std::vector<std::size_t> left;
    left.swap(left_);
    // Told before the policy is called, which may start and preempt the others again.
    const auto is_complete = [&](std::size_t j) {
      return states_[j].at == job_present::place::leaves && states_[j].open == 0;
    };
    const auto others = std::partition(left.begin(), left.end(), is_complete);
    const bool any_waits = others != left.end();
    left.erase(others, left.end());
    std::sort(left.begin(), left.end());
    for (const std::size_t j : left) complete(j);
    if (any_waits) ask();
  }

  // Calls the policy and does what it says.
  void ask() {
    std::vector<job_present> present;
    for (std::size_t j = 0; j < arrived_; ++j)
      if (states_[j].present) present.push_back({j, jobs_[j].type, need(j), states_[j].at, left(j)});
    const std::vector<std::size_t> chosen = rule_(present, cores_);
    for (const job_present& j : present)
      if (j.at == job_present::place::in_service && std::count(chosen.begin(), chosen.end(), j.number) == 0)
        begin_leaving(j.number);
    for (const std::size_t j : chosen)
      if (states_[j].at == job_present::place::waits && need(j) <= idle()) start(j);
  }

  void stop_preempted() {
    for (const std::size_t j : preempted_) stop(j);
    preempted_.clear();
  }

  void begin_leaving(std::size_t job) {
    job_state& j = states_[job];
    j.at = job_present::place::leaves;
    j.stopped = now_;
    j.all_ran = forever;
    j.saved.clear();
    ++outcomes_[job].preemptions;
    preempted_.push_back(job);
  }

  void stop(std::size_t job) {
    for (std::size_t n = slices_.size(); n-- > 0;) {
      slice& s = slices_[n];
      if (s.job != job) continue;
      if (s.at == stage::working) s.ran = now_ - s.since;
      if (s.at == stage::working && costs_.save > 0) {
        s.at = stage::saving;
        s.until = now_ + costs_.save;
      } else {
        end(n);
      }
    }
  }

  void start(std::size_t job) {
    job_state& j = states_[job];
    j.at = job_present::place::in_service;
    j.started = now_;
    j.all_ran = forever;
    const std::size_t first = slices_.size();
    double slowest = HUGE_VAL;
    std::uint32_t missing = need(job);
    for (std::size_t s = 0; s < servers_.size() && missing > 0; ++s) {
      const std::uint32_t taken = std::min(missing, servers_[s].idle);
      if (taken == 0) continue;
      missing -= taken;
      servers_[s].idle -= taken;
      slowest = std::min(slowest, servers_[s].capacity);
      slices_.push_back({job, s, taken, stage::overhead, 0, 0, 0, false});
      ++j.open;
    }
    const tick left = jobs_[job].size - j.kept;
    j.duration = std::max<tick>(1, static_cast<tick>(std::llround(static_cast<double>(left) / slowest)));
    for (std::size_t n = first; n < slices_.size(); ++n) {
      const tick overhead = overhead_of(job, slices_[n].server);
      slices_[n].until = now_ + overhead;
      if (overhead == 0) become_productive(slices_[n]);
    }
  }

  tick overhead_of(std::size_t job, std::size_t server) {
    const job_state& j = states_[job];
    if (j.kept == 0) return costs_.dispatch_latency + costs_.set_up;
    if (j.holders.count(server) > 0) return costs_.dispatch_latency + costs_.restore;
    ++outcomes_[job].migrations;
    const auto state = static_cast<double>(classes_[jobs_[job].type].state);
    return costs_.dispatch_latency + costs_.migration + static_cast<tick>(state * costs_.ticks_per_byte) +
           costs_.restore;
  }

  tick left(std::size_t job) const {
    const job_state& j = states_[job];
    const tick work = jobs_[job].size - j.kept;
    if (j.at == job_present::place::waits) return work;
    const tick ran = (j.at == job_present::place::leaves ? j.stopped : now_) - j.started;
    return ran < work ? work - ran : 0;
  }
  std::uint32_t need(std::size_t job) const { return classes_[jobs_[job].type].need; }
  std::uint32_t idle() const {
    std::uint32_t sum = 0;
    for (const server& s : servers_) sum += s.idle;
    return sum;
  }

  const std::vector<preemptive_job>& jobs_;
  const std::vector<preemptive_class>& classes_;
  const preemption_costs costs_;
  const preemptive_rule& rule_;
  std::vector<server> servers_;
  std::uint32_t cores_ = 0;
  std::vector<job_state> states_;
  std::vector<preemptive_outcome> outcomes_;
  std::vector<slice> slices_;
  std::vector<std::size_t> preempted_;  // they are to be stopped
  std::vector<std::size_t> left_;       // the policy is to be called for them
  std::size_t arrived_ = 0;
  tick now_ = 0;
};

}  // namespace

std::vector<preemptive_outcome> serve_preemptively(const std::vector<preemptive_job>& jobs,
                                                   const std::vector<preemptive_class>& classes,
                                                   const std::vector<preemptive_servers>& servers,
                                                   const preemption_costs& costs, const preemptive_rule& rule) {
  return preemptive_queue(jobs, classes, servers, costs, rule).run();
}

}  // namespace muster::oracle
