#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// A job of a timed_scene.
struct scene_job {
  unsigned type;
  ticks arrival, size;
};

/// Random numbers that are the same from each object with the same seed.
class seeded_numbers final : public random_numbers {
 public:
  explicit seeded_numbers(std::uint64_t seed) : bits_(seed) {}
  double uniform() override { return std::uniform_real_distribution<>{}(bits_); }

 private:
  std::mt19937_64 bits_;
};

/// A cluster of interchangeable cores with a clock, timers and sizes, without SystemC. Of the events of an instant
/// completions come first, in the order of the starts, then arrivals, then timers in the order of their requests.
class timed_scene final : public rigid_decisions, private simulated_clock {
 public:
  using changes = std::vector<std::pair<std::string_view, settings::value>>;

  timed_scene(unsigned cores, table<class_id, job_class> classes, ticks ticks_per_unit, std::string_view policy_name,
              const changes& changed, std::uint64_t seed)
      : state_(std::move(classes), table<group_id, unsigned>(1, cores), this, ticks_per_unit), random_(seed) {
    settings given;
    for (const auto& [name, value] : changed) given.set(name, value);
    made_ = find_policy(policy_name)->make(state_, given, random_);
    policy_ = &dynamic_cast<rigid_policy&>(*made_);
  }

  /// @param jobs in the order of their arrival @return when each of them starts
  std::vector<ticks> run(const std::vector<scene_job>& jobs) {
    starts_.assign(jobs.size(), never);
    sizes_.clear();
    for (const scene_job& j : jobs) sizes_.push_back(j.size);
    std::size_t arrived = 0, completed = 0;
    while (completed < jobs.size()) {
      const ticks next_arrival = arrived < jobs.size() ? jobs[arrived].arrival : never;
      now_ = std::min({next_arrival, next_completion(), next_timer()});
      if (now_ == never) throw std::logic_error("jobs wait for ever");
      if (next_completion() == now_) {
        complete();
        ++completed;
      } else if (next_arrival == now_) {
        arrive(jobs[arrived++]);
      } else {
        wake();
      }
    }
    return starts_;
  }

  void start(const job& waiting) override {
    job& j = jobs_.at(waiting.id);
    if (j.where != job::place::waiting || !rigid_view{state_}.fits(j) || state_.first(j.type) != &j)
      throw std::logic_error("starts a job that does not wait, does not fit or overtakes one of its class");
    state_.take(group_id{0}, state_.need(j.type));
    state_.enter_service(j);
    starts_[j.id] = now_;
    running_.push_back(j.id);
  }
  void wake_at(ticks at, std::uint32_t cookie) override {
    if (at < now_) throw std::logic_error("a time that has passed");
    timers_.push_back({at, cookie});
  }
  void start_on(const job&, const std::vector<task_placement>&) override {
    throw std::logic_error("places tasks, but only cores count");
  }
  void preempt(const job&, queue_place) override { throw std::logic_error("preempts a job"); }
  void kill(const job&, queue_place) override { throw std::logic_error("kills a job"); }

 private:
  static constexpr ticks never = ~ticks{0};

  ticks now() const override { return now_; }
  ticks end_of(std::uint64_t id) const { return starts_[id] + sizes_[id]; }

  ticks next_completion() const {
    ticks next = never;
    for (const std::uint64_t id : running_) next = std::min(next, end_of(id));
    return next;
  }
  ticks next_timer() const {
    ticks next = never;
    for (const auto& [at, cookie] : timers_) next = std::min(next, at);
    return next;
  }

  void complete() {
    const auto found =
        std::find_if(running_.begin(), running_.end(), [this](std::uint64_t id) { return end_of(id) == now_; });
    job& j = jobs_.at(*found);
    running_.erase(found);
    state_.leave(j);
    state_.give_back(group_id{0}, state_.need(j.type));
    policy_->completed(j, state_, *this);
  }
  void arrive(const scene_job& given) {
    job j;
    j.id = jobs_.size();
    j.type = class_id{given.type};
    j.arrival = now_;
    jobs_.push_back(j);
    state_.join(jobs_.back());
    policy_->arrived(jobs_.back(), state_, *this);
  }
  void wake() {
    const auto found = std::find_if(timers_.begin(), timers_.end(), [this](const auto& t) { return t.first == now_; });
    const std::uint32_t cookie = found->second;
    timers_.erase(found);
    policy_->woken(cookie, state_, *this);
  }

  ticks now_ = 0;
  cluster_state state_;
  seeded_numbers random_;
  std::unique_ptr<policy> made_;
  rigid_policy* policy_;
  std::deque<job> jobs_;
  std::vector<ticks> sizes_, starts_;
  std::vector<std::uint64_t> running_;
  std::vector<std::pair<ticks, std::uint32_t>> timers_;
};

}  // namespace muster
