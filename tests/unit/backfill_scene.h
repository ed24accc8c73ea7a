#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// A job of a backfill_scene.
struct estimated_job {
  ticks arrival;
  ticks size;
  ticks estimate;
  unsigned cores;
  std::uint32_t user = job::no_user;
};

/// A pool of cores with a clock, timers and jobs that have estimates, without SystemC. Jobs of equal need are a class.
/// Of the events of an instant completions come first, in the order of the starts, then arrivals, then timers in the
/// order of their requests.
class backfill_scene final : public rigid_decisions, private simulated_clock {
 public:
  using changes = std::vector<std::pair<std::string_view, settings::value>>;

  backfill_scene(unsigned cores, const std::vector<estimated_job>& jobs, std::string_view policy_name,
                 const changes& changed = {})
      : given_(jobs), state_(classes_of(jobs), table<group_id, unsigned>(1, cores), this) {
    for (const class_id id : state_.classes()) class_of_[state_.need(id)] = id;
    settings values;
    for (const auto& [name, value] : changed) values.set(name, value);
    made_ = find_policy(policy_name)->make(state_, values);
    policy_ = &dynamic_cast<rigid_policy&>(*made_);
  }

  /// Runs all jobs, which are in the order of their arrival. @return when each of them starts
  std::vector<ticks> run() {
    starts_.assign(given_.size(), never);
    std::size_t arrived = 0;
    for (std::size_t completed = 0; completed < given_.size();) {
      const ticks arrival = arrived < given_.size() ? given_[arrived].arrival : never;
      const ticks end = ends_.empty() ? never : std::get<0>(*ends_.begin());
      const ticks timer = timers_.empty() ? never : timers_.begin()->first;
      now_ = std::min({arrival, end, timer});
      if (now_ == never) throw std::logic_error("jobs wait for ever");
      if (end == now_) {
        complete(std::get<2>(*ends_.begin()));
        ++completed;
      } else if (arrival == now_) {
        arrive(given_[arrived++]);
      } else {
        timers_.erase(timers_.begin());
        policy_->woken(0, state_, *this);
      }
    }
    return starts_;
  }

  void start(const job& waiting) override {
    job& j = jobs_.at(waiting.id);
    if (j.where != job::place::waiting || !rigid_view{state_}.fits(j))
      throw std::logic_error("starts a job that does not wait or does not fit");
    state_.take(group_id{0}, state_.need(j.type));
    state_.enter_service_by_arrival(j);
    starts_[j.id] = now_;
    ends_.insert({now_ + given_[j.id].size, ++started_, j.id});
  }
  void wake_at(ticks at, std::uint32_t cookie) override {
    if (at < now_) throw std::logic_error("a time that has passed");
    timers_.insert({at, cookie});
  }
  void start_on(const job&, const std::vector<task_placement>&) override {
    throw std::logic_error("places tasks, but only cores count");
  }
  void preempt(const job&, queue_place) override { throw std::logic_error("preempts a job"); }
  void kill(const job&, queue_place) override { throw std::logic_error("kills a job"); }

 private:
  static constexpr ticks never = ~ticks{0};

  static table<class_id, job_class> classes_of(const std::vector<estimated_job>& jobs) {
    std::set<unsigned, std::greater<>> needs;
    for (const estimated_job& j : jobs) needs.insert(j.cores);
    table<class_id, job_class> classes;
    for (const unsigned need : needs) classes.push_back({"need_" + std::to_string(need), need, {group_id{0}}});
    return classes;
  }

  ticks now() const override { return now_; }

  void arrive(const estimated_job& given) {
    jobs_.emplace_back();
    job& j = jobs_.back();
    j.id = jobs_.size() - 1;
    j.type = class_of_.at(given.cores);
    j.arrival = now_;
    j.estimate = given.estimate;
    j.user = given.user;
    state_.join(j);
    policy_->arrived(j, state_, *this);
  }
  void complete(std::uint64_t id) {
    ends_.erase(ends_.begin());
    job& j = jobs_.at(id);
    state_.leave(j);
    state_.give_back(group_id{0}, state_.need(j.type));
    policy_->completed(j, state_, *this);
  }

  std::vector<estimated_job> given_;
  ticks now_ = 0;
  cluster_state state_;
  std::map<unsigned, class_id> class_of_;  // by need
  std::unique_ptr<policy> made_;
  rigid_policy* policy_;
  std::deque<job> jobs_;
  std::vector<ticks> starts_;
  std::set<std::tuple<ticks, std::uint64_t, std::uint64_t>> ends_;  // time, number of the start, job
  std::uint64_t started_ = 0;
  std::multimap<ticks, std::uint32_t> timers_;
};

}  // namespace muster
