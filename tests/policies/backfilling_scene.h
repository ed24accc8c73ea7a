#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"
#include "tests/oracles/backfilling.h"

namespace muster {

/// Interchangeable cores with a clock, and a policy of rigid jobs that have estimates and users, without SystemC. Of
/// the events of an instant ends come first, then arrivals, both by number of the job, then wake-ups in the order of
/// their requests. Jobs of a class may overtake each other.
class backfilling_scene final : public rigid_decisions, private simulated_clock {
 public:
  using changes = std::vector<std::pair<std::string_view, settings::value>>;

  /// @param pool a single server, of jobs of one task; each need is a class
  backfilling_scene(const oracle::backfill_cluster& pool, std::string_view policy_name, const changes& changed)
      : order_(descending(pool)), state_(classes_of(pool, order_, policy_name), cores_of(pool), this) {
    settings given;
    for (const auto& [name, value] : changed) given.set(name, value);
    const policy_entry* const entry = find_policy(policy_name);
    if (!entry) throw std::logic_error("no such policy");
    made_ = entry->make(state_, given);
    policy_ = &dynamic_cast<rigid_policy&>(*made_);
  }

  /// @param jobs in the order of their arrival @return when each of them starts
  std::vector<ticks> run(const std::vector<oracle::backfill_job>& jobs) {
    starts_.assign(jobs.size(), never);
    ends_.assign(jobs.size(), never);
    given_ = &jobs;
    for (std::size_t open = jobs.size(); open > 0;) {
      const ticks next_arrival = jobs_.size() < jobs.size() ? jobs[jobs_.size()].arrival : never;
      const auto next_end = std::min_element(ends_.begin(), ends_.end());
      const auto next_timer = std::min_element(timers_.begin(), timers_.end(), earlier);
      now_ = std::min({next_arrival, *next_end, next_timer == timers_.end() ? never : next_timer->first});
      if (now_ == never) throw std::logic_error("jobs wait for ever");
      if (*next_end == now_) {
        *next_end = never;
        complete(jobs_[static_cast<std::size_t>(next_end - ends_.begin())]);
        --open;
      } else if (next_arrival == now_) {
        arrive(jobs[jobs_.size()]);
      } else {
        const std::uint32_t cookie = next_timer->second;
        timers_.erase(next_timer);
        policy_->woken(cookie, state_, *this);
      }
    }
    return starts_;
  }

  void start(const job& waiting) override {
    job& j = jobs_.at(waiting.id);
    if (&j != &waiting || j.where != job::place::waiting || !rigid_view{state_}.fits(j))
      throw std::logic_error("starts a job that does not wait or does not fit");
    state_.take(group_id{0}, state_.need(j.type));
    state_.enter_service_by_arrival(j);
    starts_[j.id] = now_;
    ends_[j.id] = now_ + (*given_)[j.id].size;
  }
  void wake_at(ticks at, std::uint32_t cookie) override {
    if (at < now_) throw std::logic_error("a time that has passed");
    timers_.emplace_back(at, cookie);
  }
  void start_on(const job&, const std::vector<task_placement>&) override {
    throw std::logic_error("places a job itself");
  }
  void preempt(const job&, queue_place) override { throw std::logic_error("preempts a job"); }
  void kill(const job&, queue_place) override { throw std::logic_error("kills a job"); }

 private:
  static constexpr ticks never = ~ticks{0};
  using timer = std::pair<ticks, std::uint32_t>;

  static bool earlier(const timer& one, const timer& other) { return one.first < other.first; }

  // The places of the needs in descending order.
  static std::vector<std::size_t> descending(const oracle::backfill_cluster& pool) {
    std::vector<std::size_t> order;
    for (std::size_t n = 0; n < pool.needs.size(); ++n) order.push_back(n);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
      return pool.needs[one].cores() > pool.needs[other].cores();
    });
    return order;
  }
  static table<class_id, job_class> classes_of(const oracle::backfill_cluster& pool,
                                               const std::vector<std::size_t>& order, std::string_view policy_name) {
    table<class_id, job_class> classes;
    for (const std::size_t n : order) {
      job_class type;
      type.name = "need_" + std::to_string(n);
      type.need = static_cast<unsigned>(pool.needs[n].cores());
      type.groups = {group_id{0}};
      classes.push_back(std::move(type));
    }
    if (const policy_entry* const entry = find_policy(policy_name))
      entry->complete_classes(classes, cores_of(pool)[group_id{0}]);
    return classes;
  }
  static table<group_id, unsigned> cores_of(const oracle::backfill_cluster& pool) {
    return table<group_id, unsigned>(1, static_cast<unsigned>(pool.servers.at(0).has.at(0)));
  }

  ticks now() const override { return now_; }

  void complete(job& j) {
    state_.leave(j);
    state_.give_back(group_id{0}, state_.need(j.type));
    policy_->completed(j, state_, *this);
  }
  void arrive(const oracle::backfill_job& given) {
    job& j = jobs_.emplace_back();
    j.id = jobs_.size() - 1;
    j.type = class_id{static_cast<std::uint32_t>(std::find(order_.begin(), order_.end(), given.need) - order_.begin())};
    j.arrival = now_;
    j.estimate = made_->entry()->uses_estimates ? given.estimate : 0;
    j.user = given.user;
    state_.join(j);
    policy_->arrived(j, state_, *this);
  }

  ticks now_ = 0;
  std::vector<std::size_t> order_;  // need of each class
  cluster_state state_;
  std::unique_ptr<policy> made_;
  rigid_policy* policy_;
  const std::vector<oracle::backfill_job>* given_ = nullptr;
  std::deque<job> jobs_;
  std::vector<ticks> starts_, ends_;  // ends: never unless it runs
  std::vector<timer> timers_;
};

}  // namespace muster
