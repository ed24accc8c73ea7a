#pragma once

#include <deque>
#include <memory>
#include <stdexcept>

#include "muster/modules/scheduler/allocation/task_allocator.h"
#include "muster/policies/catalogue.h"
#include "tests/modules/random_tasks.h"
#include "tests/modules/task_timeline.h"
#include "tests/policies/timed_scene.h"

namespace muster {

/// Jobs of tasks that a policy of the catalogue starts, and that the allocator places, without SystemC. Every order of
/// the policy is checked.
class policy_timeline final : public task_timeline,
                              private rigid_decisions,
                              private simulated_clock,
                              private placement_preview {
 public:
  using changes = std::vector<std::pair<std::string_view, settings::value>>;

  /// @param random of the policy @param of_places of the rule of placement
  policy_timeline(const task_platform& platform, const course& all, std::string_view policy_name,
                  const changes& changed, std::string_view rule, random_numbers& random, random_numbers& of_places)
      : task_timeline(all),
        groups_(platform.groups),
        goes_back_(all.jobs.size()),
        of_cluster_(all.jobs.size()),
        state_(platform.classes, cores_of(platform), this, ticks{1}, inventory_of(platform)),
        allocator_(state_, platform.groups, platform.resources, *find_placement(rule), &of_places) {
    for (const group_id g : id_range<group_id>{groups_.size()})
      for (std::uint32_t server = 0; server < groups_[g].count; ++server) servers_.push_back({g, server, 0});
    settings given;
    for (const auto& [name, value] : changed) given.set(name, value);
    state_.set_preview(*this);
    made_ = find_policy(policy_name)->make(state_, given, random);
    policy_ = &dynamic_cast<rigid_policy&>(*made_);
  }

 private:
  static table<group_id, unsigned> cores_of(const task_platform& platform) {
    table<group_id, unsigned> cores;
    for (const server_group& g : platform.groups) cores.push_back(g.count * g.cores);
    return cores;
  }
  static cluster_inventory inventory_of(const task_platform& platform) {
    cluster_inventory all;
    all.of_cluster = resource_layout::of_cluster(platform.resources);
    for (const server_group& g : platform.groups)
      all.groups.push_back({g.count, {platform.resources.types, g.resources}});
    return all;
  }

  ticks now() const override { return time(); }
  double score(class_id type) const override { return allocator_.score(type); }

  std::vector<held_share> take(std::size_t number) override {
    std::vector<placement> at(servers_.size());
    std::vector<amounts> held(servers_.size());
    at.resize(allocator_.place(type_of(number), at, held, of_cluster_[number]));
    std::vector<held_share> shares;
    for (std::size_t n = 0; n < at.size(); ++n) shares.push_back({number_of(at[n]), held[n]});
    return shares;
  }
  void give_back(std::size_t number, const held_share& share) override {
    placement at = servers_[share.server];
    at.cores = static_cast<std::uint32_t>(share.of_places.front());
    allocator_.give_back(type_of(number), at, share.of_places.data() + 1);
  }
  void leaves_cluster(std::size_t number) override { allocator_.job_leaves(of_cluster_[number], {}); }
  double capacity(std::size_t server) const override { return groups_[servers_[server].group].capacity; }
  void set_down(std::size_t server, bool down) override {
    const placement& at = servers_[server];
    down ? allocator_.server_fails(at.group, at.server) : allocator_.server_is_repaired(at.group, at.server);
  }

  void arrives(std::size_t number) override {
    job j;
    j.id = number;
    j.type = type_of(number);
    j.arrival = time();
    known_.push_back(j);
    state_.join(known_.back());
    policy_->arrived(known_.back(), state_, *this);
  }
  void completes(std::size_t number) override {
    job& j = known_[number];
    if (j.where == job::place::leaving) state_.end_leaving(j);
    state_.leave(j);
    policy_->completed(j, state_, *this);
  }
  void waits_again(std::size_t number) override {
    job& j = known_[number];
    const bool failed = j.where == job::place::in_service;
    if (failed) state_.begin_leaving(j);
    state_.requeue(j, failed ? queue_place::by_arrival : goes_back_[number]);
  }
  void is_interrupted(std::size_t number) override { policy_->interrupted(known_[number], state_, *this); }
  void is_repaired(std::size_t server) override { policy_->repaired(servers_[server].group, state_, *this); }
  void have_left(const std::vector<std::size_t>& numbers) override {
    for (const std::size_t n : numbers) policy_->preempted(known_[n], state_, *this);
  }
  ticks next_own_event() const override {
    ticks next = never;
    for (const auto& [at, cookie] : wakes_) next = std::min(next, at);
    return next;
  }
  void own_event() override {
    const auto due = std::find_if(wakes_.begin(), wakes_.end(), [this](const auto& w) { return w.first == time(); });
    const std::uint32_t cookie = due->second;
    wakes_.erase(due);
    policy_->woken(cookie, state_, *this);
  }

  void start(const job& waiting) override {
    job& j = known_.at(waiting.id);
    if (&j != &waiting || j.where != job::place::waiting || !state_.fits(j.type))
      throw std::logic_error("starts a job that does not wait or does not fit");
    state_.enter_service_by_arrival(j);
    task_timeline::start(j.id);
  }
  void start_on(const job&, const std::vector<task_placement>&) override {
    throw std::logic_error("places a job itself");
  }
  void preempt(const job& running, queue_place place) override { take_off(running, place, false); }
  void kill(const job& running, queue_place place) override { take_off(running, place, true); }
  void take_off(const job& running, queue_place place, bool kills) {
    job& j = known_.at(running.id);
    if (&j != &running || j.where != job::place::in_service)
      throw std::logic_error("preempts a job that is not in service");
    state_.begin_leaving(j);
    goes_back_[j.id] = place;
    stop(j.id, kills);
  }
  void wake_at(ticks at, std::uint32_t cookie) override {
    if (at < time()) throw std::logic_error("asks for a time that has passed");
    wakes_.push_back({at, cookie});
  }

  class_id type_of(std::size_t number) const { return class_id{static_cast<std::uint32_t>(jobs()[number].type)}; }
  std::size_t number_of(const placement& at) const {
    const auto same = [&](const placement& p) { return p.group == at.group && p.server == at.server; };
    return static_cast<std::size_t>(std::find_if(servers_.begin(), servers_.end(), same) - servers_.begin());
  }

  const table<group_id, server_group>& groups_;
  std::vector<queue_place> goes_back_;  // by job
  std::vector<amounts> of_cluster_;     // what it holds of the cluster, by job
  cluster_state state_;
  task_allocator allocator_;
  std::vector<placement> servers_{};  // all, in the order of their groups
  std::unique_ptr<policy> made_{};
  rigid_policy* policy_ = nullptr;
  std::deque<job> known_{};
  std::vector<std::pair<ticks, std::uint32_t>> wakes_{};
};

}  // namespace muster
