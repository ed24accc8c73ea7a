#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/resources.h"

// The course of time for jobs of tasks, without a scheduler: who decides is derived from it.

namespace muster {

/// What a job holds of a server: cores and other amounts, and parts of each device.
struct held_share {
  std::size_t server;
  amounts of_places;
};

/// What happens whatever the scheduler decides.
struct course {
  struct request {
    std::size_t type;
    ticks arrival, size;
  };
  struct fault {
    std::size_t server;
    ticks at, down;
  };
  std::vector<request> jobs{};
  std::vector<fault> faults{};
  ticks set_up = 0;  ///< before a job makes progress after each of its starts
  /// In which a preempted job that has made progress holds what it held, though not if it is killed.
  ticks save = 0;
  /// Whether servers that several jobs hold do not fail, so that the order in which these would lose them is open.
  bool one_job_a_fault = false;
  struct given_back {
    std::size_t job, server;
  };
  /// In which order a run has given back servers, where that is open: those that one job gives back at an instant.
  /// Empty: in the order in which it got them.
  std::vector<given_back> ends{};
};

/// Jobs that arrive, run, are interrupted and complete, and servers that fail. Events of an instant come as
/// rigid_policy says: completions, failures, repairs, jobs that have left, arrivals, and own events of who decides.
/// Equal ones come in the order of arrival, or of the servers. At each event all jobs and all faults are looked at.
class task_timeline {
 public:
  task_timeline(const task_timeline&) = delete;
  task_timeline& operator=(const task_timeline&) = delete;

  /// @return all starts with what is held then, all preemptions and all completions
  std::vector<std::string> run() {
    while (step())
      if (history_.size() > 1'000 * jobs_.size()) throw std::logic_error("jobs start and are stopped for ever");
    return std::move(history_);
  }
  unsigned preemptions() const { return preemptions_; }
  unsigned interruptions() const { return interruptions_; }
  /// The faults that have happened.
  const std::vector<course::fault>& faults() const { return faults_; }
  /// When a job has completed.
  ticks completion(std::size_t job) const { return jobs_[job].end; }

 protected:
  static constexpr ticks never = ~ticks{0};
  enum class where { outside, waits, runs, leaves, gone };
  struct timed_job {
    std::size_t type = 0;
    where at = where::outside;
    ticks left = 0;            // work
    ticks left_then = 0;       // of one that leaves, if it keeps its work
    ticks begun = 0, end = 0;  // of its service
    ticks free_at = 0;         // when one that leaves has left
    bool loses = false;        // one that leaves does not keep its work
    bool complete = false;     // one that leaves has nothing left to do, though it saves its state as others do
    std::vector<held_share> holds{};
    std::deque<std::size_t> ends{};  // the servers that are still to be given back, see course::ends
  };

  explicit task_timeline(const course& all)
      : all_(all), jobs_(all.jobs.size()), failed_(all.faults.size()), repaired_(all.faults.size()) {
    for (std::size_t n = 0; n < jobs_.size(); ++n) jobs_[n].type = all.jobs[n].type;
    for (const course::given_back& end : all.ends) jobs_.at(end.job).ends.push_back(end.server);
  }
  ~task_timeline() = default;

  /// @name What is held
  /// @{
  virtual std::vector<held_share> take(std::size_t job) = 0;
  virtual void give_back(std::size_t job, const held_share& share) = 0;
  /// The job has given all its shares back.
  virtual void leaves_cluster(std::size_t job) = 0;
  virtual double capacity(std::size_t server) const = 0;
  virtual void set_down(std::size_t server, bool down) = 0;
  /// @}

  /// @name What happens
  /// @{
  virtual void arrives(std::size_t job) = 0;
  virtual void completes(std::size_t job) = 0;
  virtual void waits_again(std::size_t) {}  // before what follows
  virtual void is_interrupted(std::size_t job) = 0;
  virtual void is_repaired(std::size_t server) = 0;
  /// Jobs have left their servers at this instant, and wait.
  virtual void have_left(const std::vector<std::size_t>& jobs) = 0;
  virtual ticks next_own_event() const { return never; }
  virtual void own_event() {}
  /// @}

  const std::vector<timed_job>& jobs() const { return jobs_; }
  ticks time() const { return now_; }

  void start(std::size_t n) {
    timed_job& j = jobs_[n];
    j.holds = take(n);
    j.at = where::runs;
    j.begun = now_;
    j.end = now_ + all_.set_up + duration(j);
    note(n, "starts");
    for (const held_share& share : j.holds) {
      history_.back() += " on " + std::to_string(share.server) + ":";
      for (const std::uint64_t amount : share.of_places) history_.back() += ' ' + std::to_string(amount);
    }
  }
  void stop(std::size_t n, bool kills) {
    timed_job& j = jobs_[n];
    j.at = where::leaves;
    j.loses = kills;
    j.complete = j.end <= now_;
    const bool saves = !kills && now_ - j.begun >= all_.set_up;
    j.free_at = now_ + (saves ? all_.save : 0);
    j.left_then = j.complete ? 0 : j.left - work_since_start(j);
    note(n, kills ? "is killed" : "is preempted");
    ++preemptions_;
  }

 private:
  ticks duration(const timed_job& j) const {
    double slowest = capacity(j.holds.front().server);
    for (const held_share& share : j.holds) slowest = std::min(slowest, capacity(share.server));
    return std::max<ticks>(1, static_cast<ticks>(std::llround(static_cast<double>(j.left) / slowest)));
  }
  // Rounded down; a tick is left.
  ticks work_since_start(const timed_job& j) const {
    const ticks ran = now_ - j.begun, runs = j.end - j.begun - all_.set_up;
    return ran < all_.set_up ? 0 : std::min((ran - all_.set_up) * j.left / runs, j.left - 1);
  }

  template <class When>
  ticks first(where place, const When& when) const {
    ticks earliest = never;
    for (const timed_job& j : jobs_)
      if (j.at == place) earliest = std::min(earliest, when(j));
    return earliest;
  }
  template <class Of>
  std::size_t job_with(const Of& of) const {
    return static_cast<std::size_t>(std::find_if(jobs_.begin(), jobs_.end(), of) - jobs_.begin());
  }

  ticks repair_of(std::size_t f) const { return all_.faults[f].at + all_.faults[f].down; }

  // The next event. @return false: there is none
  bool step() {
    const auto end_of = [](const timed_job& j) { return j.end; };
    const auto free_at = [](const timed_job& j) { return j.free_at; };
    const ticks arrival = arrived_ < jobs_.size() ? all_.jobs[arrived_].arrival : never;
    ticks fault = never, repair = never;
    for (std::size_t f = 0; f < all_.faults.size(); ++f) {
      if (!failed_[f]) fault = std::min(fault, all_.faults[f].at);
      if (failed_[f] && !repaired_[f]) repair = std::min(repair, repair_of(f));
    }
    const ticks completion = first(where::runs, end_of), leaving = first(where::leaves, free_at),
                own = next_own_event();
    now_ = std::min({completion, fault, repair, leaving, arrival, own});
    if (now_ == never || job_with([](const timed_job& j) { return j.at != where::gone; }) == jobs_.size()) return false;
    if (completion == now_)
      end_service(job_with([&](const timed_job& j) { return j.at == where::runs && j.end == now_; }));
    else if (fault == now_)
      fail_server();
    else if (repair == now_)
      repair_server();
    else if (leaving == now_)
      let_leave();
    else if (arrival == now_)
      let_arrive();
    else
      own_event();
    return true;
  }

  void end_service(std::size_t n) {
    release(n);
    complete(n);
  }
  void complete(std::size_t n) {
    jobs_[n].at = where::gone;
    jobs_[n].end = now_;
    note(n, "completes");
    completes(n);
  }

  void fail_server() {
    std::size_t which = 0;
    while (failed_[which] || all_.faults[which].at != now_) ++which;
    failed_[which] = true;
    const std::size_t server = all_.faults[which].server;
    if (all_.one_job_a_fault && holders_of(server) > 1) {
      repaired_[which] = true;
      return;
    }
    faults_.push_back(all_.faults[which]);
    set_down(server, true);
    for (std::size_t n = 0; n < jobs_.size(); ++n) {
      timed_job& j = jobs_[n];
      const auto here = [&](const held_share& share) { return share.server == server; };
      const auto share = std::find_if(j.holds.begin(), j.holds.end(), here);
      if (share == j.holds.end()) continue;
      ++interruptions_;
      if (j.at == where::runs) {
        release(n);
        wait_again(n);
        is_interrupted(n);
      } else {  // its state on this server is lost, the others still save theirs
        j.loses = true;
        j.complete = false;
        give_back(n, *share);
        j.holds.erase(share);
        if (j.holds.empty()) j.free_at = now_;
      }
    }
  }

  std::ptrdiff_t holders_of(std::size_t server) const {
    return std::count_if(jobs_.begin(), jobs_.end(), [&](const timed_job& j) {
      return std::any_of(j.holds.begin(), j.holds.end(), [&](const held_share& s) { return s.server == server; });
    });
  }

  void repair_server() {
    std::size_t which = 0;
    while (!failed_[which] || repaired_[which] || repair_of(which) != now_) ++which;
    repaired_[which] = true;
    set_down(all_.faults[which].server, false);
    is_repaired(all_.faults[which].server);
  }

  // Lets jobs leave their servers; those that have turned out to be complete come first.
  void let_leave() {
    std::vector<std::size_t> complete_ones, others;
    for (std::size_t n = 0; n < jobs_.size(); ++n) {
      timed_job& j = jobs_[n];
      if (j.at != where::leaves || j.free_at != now_) continue;
      release(n);
      if (!j.complete) wait_again(n);
      (j.complete ? complete_ones : others).push_back(n);
    }
    for (const std::size_t n : complete_ones) complete(n);
    have_left(others);
  }
  void wait_again(std::size_t n) {
    timed_job& j = jobs_[n];
    if (j.at == where::leaves && !j.loses) j.left = j.left_then;
    j.at = where::waits;
    waits_again(n);
  }

  void let_arrive() {
    jobs_[arrived_].at = where::waits;
    jobs_[arrived_].left = all_.jobs[arrived_].size;
    arrives(arrived_++);
  }

  void release(std::size_t n) {
    timed_job& j = jobs_[n];
    while (!j.holds.empty()) {
      const auto next = next_given_back(j);
      give_back(n, *next);
      j.holds.erase(next);
    }
    leaves_cluster(n);
  }

  static std::vector<held_share>::const_iterator next_given_back(timed_job& j) {
    if (j.ends.empty()) return j.holds.begin();
    const auto next = std::find_if(j.holds.begin(), j.holds.end(),
                                   [&](const held_share& share) { return share.server == j.ends.front(); });
    if (next == j.holds.end()) throw std::logic_error("a job has given back a server that it does not hold");
    j.ends.pop_front();
    return next;
  }

  void note(std::size_t n, const char* what) {
    history_.push_back(std::to_string(now_) + ": job " + std::to_string(n) + ' ' + what);
  }

  const course& all_;
  std::vector<timed_job> jobs_;
  std::vector<bool> failed_, repaired_;  // of the faults
  std::size_t arrived_ = 0;
  ticks now_ = 0;
  std::vector<std::string> history_{};
  std::vector<course::fault> faults_{};
  unsigned preemptions_ = 0, interruptions_ = 0;
};

}  // namespace muster
