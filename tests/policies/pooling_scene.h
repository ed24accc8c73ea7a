#pragma once

#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// Servers of one core and pooled jobs, without a clock and without SystemC: the test says what arrives, completes and
/// is interrupted; the policy under test lets servers join; the test looks at who works for whom.
class pooling_scene final : public pooled_decisions {
 public:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  /// @param compatible the servers of the classes 0, 1, ..
  pooling_scene(std::size_t servers, const std::vector<std::vector<unsigned>>& compatible, std::string_view policy_name)
      : state_(classes_of(compatible), table<group_id, unsigned>(servers, 1)), works_for_(servers, nobody) {
    settings given;
    if (policy_name == "balanced_fair") given.set("theta", 1.0);
    made_ = find_policy(policy_name)->make(state_, given);
    policy_ = &dynamic_cast<pooled_policy&>(*made_);
  }

  /// @return the job's number: 0, 1, 2, .. in order of arrival
  std::size_t arrive(unsigned type) {
    jobs_.emplace_back();
    job& j = jobs_.back();
    j.id = jobs_.size() - 1;
    j.type = class_id{type};
    const std::vector<group_id>& groups = state_.type(j.type).groups;
    j.groups = groups.data();
    j.group_count = static_cast<std::uint32_t>(groups.size());
    state_.join_pool(j);
    policy_->arrived(j, state_, *this);
    return j.id;
  }
  void complete(std::size_t number) {
    leave_servers(number);
    state_.leave(jobs_[number]);
    policy_->completed(jobs_[number], state_, *this);
  }
  void interrupt(std::size_t number) {
    leave_servers(number);
    state_.rejoin_pool(jobs_[number]);
    policy_->interrupted(jobs_[number], state_, *this);
  }

  /// The job that each server works for.
  const std::vector<std::size_t>& works_for() const { return works_for_; }
  const job& at(std::size_t number) const { return jobs_[number]; }
  pooled_view view() const { return state_; }

  void wake_at(ticks, std::uint32_t) override { throw std::logic_error("asks to be woken, but there is no clock"); }
  void join(const job& pooled, group_id servers) override {
    std::size_t& server = works_for_[static_cast<std::size_t>(servers)];
    if (server != nobody) throw std::logic_error("lets a busy server join");
    server = pooled.id;
    state_.take(servers, 1);
    if (pooled.where == job::place::waiting) state_.enter_service(jobs_[pooled.id]);
  }

 private:
  static table<class_id, job_class> classes_of(const std::vector<std::vector<unsigned>>& compatible) {
    table<class_id, job_class> classes;
    for (const auto& servers : compatible) {
      std::vector<group_id> groups;
      for (const unsigned s : servers) groups.push_back(group_id{s});
      classes.push_back({"class_" + std::to_string(classes.size()), 1, groups});
    }
    return classes;
  }

  void leave_servers(std::size_t number) {
    if (jobs_[number].where != job::place::in_service) throw std::logic_error("the test ends a job not in service");
    state_.withdraw(jobs_[number]);
    for (std::size_t s = 0; s < works_for_.size(); ++s) {
      if (works_for_[s] != number) continue;
      works_for_[s] = nobody;
      const auto servers = static_cast<group_id>(s);
      state_.give_back(servers, 1);
      policy_->freed(servers, state_, *this);
    }
  }

  cluster_state state_;
  std::vector<std::size_t> works_for_;
  std::deque<job> jobs_;
  std::unique_ptr<policy> made_;
  pooled_policy* policy_;
};

}  // namespace muster
