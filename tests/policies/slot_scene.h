#pragma once

#include <cmath>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// A cluster of k cores and slotted jobs, without a clock and without SystemC: the test says what arrives and expires,
/// slot by slot; the policy under test gives the cores out; the test looks at who gets how much. Every order of the
/// policy is checked, and what it has given out is done by the end of the slot.
class slot_scene final : public slotted_decisions {
 public:
  /// Cores of the jobs 0, 1, .. in a slot.
  using shares = std::vector<double>;

  /// @param choice of the policy's parameter, if it has one; empty: its default
  slot_scene(unsigned cores, std::string_view policy_name, const std::string& choice = {})
      : state_(one_class(), table<group_id, unsigned>(1, cores)), cores_(cores) {
    const policy_entry& entry = *find_policy(policy_name);
    settings given;
    if (!choice.empty()) given.set(entry.parameters.front().name, choice);
    made_ = entry.make(state_, given);
    policy_ = &dynamic_cast<slotted_policy&>(*made_);
  }

  /// @param arrival tick, of use only for the order among jobs
  /// @return the job's number: 0, 1, 2, .. as they are told
  std::size_t arrive(std::vector<double> gains, std::uint64_t deadline = 0, ticks arrival = 0) {
    worths_.emplace_back(std::move(gains));
    jobs_.emplace_back();
    slotted& j = jobs_.back();
    j.id = jobs_.size() - 1;
    j.arrival = arrival;
    j.progress = {&worths_.back(), 0, static_cast<double>(worths_.back().units()), 0.0, deadline};
    j.units = &j.progress;
    state_.join(j);
    policy_->arrived(j, state_, *this);
    return j.id;
  }

  std::uint64_t most_jobs_in_system() const { return policy_->most_jobs_in_system(); }

  /// A slot, from its beginning to its end; jobs that are complete then leave.
  shares slot() {
    given_.assign(jobs_.size(), 0.0);
    given_out_ = 0.0;
    begins_ = true;
    state_.set_slot_cores(cores_);
    policy_->slot_begins(state_, *this);
    begins_ = false;
    for (slotted& j : jobs_) {
      if (j.where == job::place::in_service && given_[j.id] == 0.0) state_.preempt_to_tail(j);
      if (j.where == job::place::waiting && given_[j.id] > 0.0) state_.enter_service(j);
    }
    for (slotted& j : jobs_)
      if (j.where == job::place::in_service) work(j);
    return given_;
  }

  void expire(std::size_t number) {
    slotted& j = jobs_[number];
    if (j.where == job::place::waiting) state_.enter_service(j);
    j.where = job::place::leaving;
    policy_->expired(j, state_, *this);
    state_.leave(j);
  }

  double left(std::size_t number) const { return here(jobs_[number]) ? jobs_[number].progress.left : 0.0; }
  bool anyone_here() const { return state_.anyone_waits() || state_.in_service() > 0; }
  std::size_t count() const { return jobs_.size(); }

  void serve(const job& j, double units) override {
    if (!begins_) throw std::logic_error("serves a job while no slot begins");
    if (!here(j)) throw std::logic_error("serves a job that has left");
    if (!(units > 0.0)) throw std::logic_error("serves a job with nothing");
    given_out_ += units;
    if (given_out_ > cores_ + 1e-9) throw std::logic_error("gives out more than there is");
    given_[j.id] += units;
  }
  void wake_at(ticks, std::uint32_t) override { throw std::logic_error("asks to be woken, but there is no clock"); }

 private:
  struct slotted : job {
    unit_progress progress;
  };

  static table<class_id, job_class> one_class() {
    table<class_id, job_class> classes;
    classes.push_back({"job", 1, {group_id{0}}});
    return classes;
  }
  static bool here(const job& j) { return j.where == job::place::waiting || j.where == job::place::in_service; }

  void work(slotted& j) {
    constexpr double rounding = 1e-9;
    unit_progress& p = j.progress;
    p.left = std::max(0.0, p.left - given_[j.id]);
    if (std::abs(p.left - std::round(p.left)) < rounding) p.left = std::round(p.left);
    if (p.left == 0.0) {
      j.where = job::place::leaving;
      policy_->completed(j, state_, *this);
      state_.leave(j);
    }
    p.done = p.worth->units() - static_cast<std::uint32_t>(std::ceil(p.left));
  }

  cluster_state state_;
  unsigned cores_;
  std::unique_ptr<policy> made_;
  slotted_policy* policy_;
  std::deque<utility> worths_;
  std::deque<slotted> jobs_;
  bool begins_ = false;
  shares given_;
  double given_out_ = 0.0;
};

}  // namespace muster
