#pragma once

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"

namespace muster {

using job_numbers = std::vector<std::uint64_t>;

/// A cluster of k cores, without a clock and without SystemC: the test says what arrives and what completes, the policy
/// under test decides, and the test looks at who is in service. Every order of the policy is checked.
class policy_scene final : public rigid_decisions {
 public:
  using changes = std::vector<std::pair<std::string_view, settings::value>>;

  /// @param needs of the classes 0, 1, .., in descending order
  /// @param changed settings that differ from the policy's defaults
  /// @param unusable cores of the platform that no class may use
  policy_scene(unsigned cores, const std::vector<unsigned>& needs, std::string_view policy_name,
               const changes& changed = {}, unsigned unusable = 0)
      : state_(classes_of(needs), groups_of(cores, unusable)) {
    settings given;
    for (const auto& [name, value] : changed) given.set(name, value);
    made_ = find_policy(policy_name)->make(state_, given);
    policy_ = &dynamic_cast<rigid_policy&>(*made_);
  }

  /// @return the job's number: 0, 1, 2, .. in order of arrival
  std::uint64_t arrive(unsigned type) {
    job j;
    j.id = jobs_.size();
    j.type = class_id{type};
    jobs_.push_back(j);
    state_.join(jobs_.back());
    policy_->arrived(jobs_.back(), state_, *this);
    return j.id;
  }
  void arrive(std::initializer_list<unsigned> types) {
    for (const unsigned type : types) arrive(type);
  }

  void complete(std::uint64_t number) {
    job& j = jobs_.at(number);
    if (j.where != job::place::in_service) throw std::logic_error("the test completes a job that is not in service");
    state_.leave(j);
    state_.give_back(group_id{0}, state_.need(j.type));
    policy_->completed(j, state_, *this);
  }
  /// The jobs that the policy has preempted wait again.
  void leave_cores() {
    for (const auto& [j, where] : std::exchange(preempted_, {})) {
      state_.requeue(*j, where);
      state_.give_back(group_id{0}, state_.need(j->type));
      policy_->preempted(*j, state_, *this);
    }
  }

  /// No job will arrive.
  void end_stream() { policy_->stream_ended(state_, *this); }

  void complete(std::initializer_list<std::uint64_t> numbers) {
    for (const std::uint64_t number : numbers) complete(number);
  }

  job_numbers serving() const { return numbers(job::place::in_service); }
  job_numbers waiting() const { return numbers(job::place::waiting); }
  unsigned phase() const { return policy_->phase(); }
  std::uint64_t phases_begun() const { return policy_->phases_begun(); }
  unsigned phases() const { return policy_->phases(); }
  std::uint64_t most_jobs_in_system() const { return policy_->most_jobs_in_system(); }
  rigid_view view() const { return state_; }
  /// All jobs that have started, in the order of their starts.
  const job_numbers& started() const { return started_; }
  const job& at(std::uint64_t number) const { return jobs_.at(number); }

  void start(const job& waiting) override {
    job& j = jobs_.at(waiting.id);
    if (&j != &waiting || j.where != job::place::waiting) throw std::logic_error("starts a job that does not wait");
    if (!view().fits(j)) throw std::logic_error("starts a job that does not fit");
    if (state_.first(j.type) != &j) throw std::logic_error("lets a job overtake another of its class");
    state_.take(group_id{0}, state_.need(j.type));
    state_.enter_service_by_arrival(j);
    started_.push_back(j.id);
  }
  void start_on(const job&, const std::vector<task_placement>&) override {
    throw std::logic_error("places tasks, but only cores count");
  }
  void preempt(const job& running, queue_place where) override { take_cores(running, where); }
  void kill(const job& running, queue_place where) override { take_cores(running, where); }
  void wake_at(ticks, std::uint32_t) override { throw std::logic_error("asks to be woken, but there is no clock"); }

 private:
  static table<class_id, job_class> classes_of(const std::vector<unsigned>& needs) {
    if (!std::is_sorted(needs.rbegin(), needs.rend())) throw std::logic_error("needs must descend");
    table<class_id, job_class> classes;
    for (const unsigned need : needs)
      classes.push_back({"class_" + std::to_string(classes.size()), need, {group_id{0}}});
    return classes;
  }

  static table<group_id, unsigned> groups_of(unsigned cores, unsigned unusable) {
    table<group_id, unsigned> groups(1, cores);
    if (unusable > 0) groups.push_back(unusable);
    return groups;
  }

  void take_cores(const job& running, queue_place where) {
    job& j = jobs_.at(running.id);
    if (&j != &running || j.where != job::place::in_service) throw std::logic_error("preempts a job not in service");
    state_.begin_leaving(j);
    preempted_.push_back({&j, where});
  }

  job_numbers numbers(job::place where) const {
    job_numbers found;
    for (const job& j : jobs_)
      if (j.where == where) found.push_back(j.id);
    return found;
  }

  cluster_state state_;
  std::unique_ptr<policy> made_;
  rigid_policy* policy_;
  std::deque<job> jobs_;
  job_numbers started_;
  std::vector<std::pair<job*, queue_place>> preempted_;
};

}  // namespace muster
