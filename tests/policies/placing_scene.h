#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
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

/// A job of a placing_scene, of the class of that number.
struct placed_job {
  ticks arrival;
  ticks size;
  ticks estimate;
  std::uint32_t type;
  std::uint32_t user = job::no_user;
  std::uint32_t qos = job::no_qos;
};

/// Groups of servers with resources, a clock, timers and jobs of tasks that the policy places, without SystemC. What is
/// free is counted by server and place, and every order is checked against it. Of the events of an instant completions
/// come first, in the order of the starts, then failures, repairs and arrivals, then timers in the order of their
/// requests. Jobs that are killed leave their servers when the policy has returned.
class placing_scene final : public rigid_decisions, private simulated_clock {
 public:
  using changes = std::vector<std::pair<std::string_view, settings::value>>;
  struct group {
    std::uint32_t servers;
    amounts each;  ///< of each resource, cores first
  };

  /// @param types of the resources, cores first @param needs of the classes, all of which may use all groups
  /// @param known outages of which the policy knows @param of_classes parameters of the first classes; else as usual
  placing_scene(const std::vector<resource_type>& types, const std::vector<group>& groups, const amounts& of_cluster,
                const std::vector<task_need>& needs, std::string_view policy_name, const changes& changed = {},
                const std::vector<planned_outage>& known = {}, const std::vector<settings>& of_classes = {})
      : state_(classes_of(needs, groups, policy_name, of_classes), cores_of(groups), this, 1,
               inventory_of(types, groups, of_cluster), known),
        cluster_free_(state_.inventory().of_cluster.all()) {
    for (const group_id g : id_range<group_id>{groups.size()})
      free_.push_back(std::vector<amounts>(groups[static_cast<std::size_t>(g)].servers, layout(g).all()));
    count();
    settings values;
    for (const auto& [name, value] : changed) values.set(name, value);
    made_ = find_policy(policy_name)->make(state_, values);
    policy_ = &dynamic_cast<rigid_policy&>(*made_);
  }

  /// Lets decisions take time for each job that is examined, as the view tells policies; here they take none.
  void set_time_per_job(ticks each) { state_.set_time_per_job(each); }
  void fail_at(ticks at, server_name server) { failures_.insert({at, server}); }
  void repair_at(ticks at, server_name server) { repairs_.insert({at, server}); }

  /// Runs all jobs, which are in the order of their arrival. @return when each of them starts for the last time
  std::vector<ticks> run(const std::vector<placed_job>& jobs) {
    given_ = jobs;
    starts_.assign(jobs.size(), never);
    placed_.resize(jobs.size());
    std::size_t arrived = 0;
    for (std::size_t completed = 0; completed < jobs.size();) {
      const ticks arrival = arrived < jobs.size() ? jobs[arrived].arrival : never;
      const ticks end = ends_.empty() ? never : std::get<0>(*ends_.begin());
      now_ = std::min({arrival, end, first_of(failures_), first_of(repairs_), first_of(timers_)});
      if (now_ == never) throw std::logic_error("jobs wait for ever");
      if (end == now_) {
        complete(std::get<2>(*ends_.begin()));
        ++completed;
      } else if (first_of(failures_) == now_) {
        fail(take_first(failures_));
      } else if (first_of(repairs_) == now_) {
        repair(take_first(repairs_));
      } else if (arrival == now_) {
        arrive(jobs[arrived++]);
      } else {
        policy_->woken(take_first(timers_), state_, *this);
      }
      while (!killed_.empty()) completed += take_killed_off();
    }
    return starts_;
  }
  /// How often a job was killed.
  unsigned kills(std::uint64_t id) const { return kills_.count(id) == 0 ? 0 : kills_.at(id); }
  /// Where a job was in its last service.
  const std::vector<task_placement>& placed(std::uint64_t id) const { return placed_.at(id); }

  void start_on(const job& waiting, const std::vector<task_placement>& where) override {
    job& j = jobs_.at(waiting.id);
    if (j.where != job::place::waiting) throw std::logic_error("starts a job that does not wait");
    unsigned tasks = 0;
    if (const auto& needed = state_.tasks(j.type).per_job; !of_cluster().fits(held_of_cluster(where), needed))
      throw std::logic_error("does not say what the job holds of the cluster");
    for (const task_placement& part : where) {
      for (std::size_t place = 0; place < part.held.size(); ++place)
        if (part.held[place] > free_at(part)[place]) throw std::logic_error("takes what is not free");
      if (part.group == whole_cluster) continue;
      tasks += layout(part.group).tasks_that_fit(part.held, state_.tasks(j.type));
      if (is_down({part.group, part.server})) throw std::logic_error("starts a job on a server that is down");
    }
    if (tasks < state_.tasks(j.type).tasks) throw std::logic_error("places too few tasks");
    placed_[j.id] = where;
    change(j, -1);
    state_.enter_service_by_arrival(j);
    starts_[j.id] = now_;
    ends_.insert({now_ + given_[j.id].size - j.done, ++started_, j.id});
    count();
  }
  void start(const job&) override { throw std::logic_error("leaves the placement to the scheduler"); }
  void wake_at(ticks at, std::uint32_t cookie) override {
    if (at < now_) throw std::logic_error("a time that has passed");
    timers_.insert({at, cookie});
  }
  void preempt(const job&, queue_place) override { throw std::logic_error("preempts a job"); }
  void kill(const job& running, queue_place where) override {
    job& j = jobs_.at(running.id);
    if (j.where != job::place::in_service) throw std::logic_error("kills a job that is not in service");
    state_.begin_leaving(j);
    killed_.push_back({j.id, where});
    ends_.erase(std::find_if(ends_.begin(), ends_.end(), [&](const auto& end) { return std::get<2>(end) == j.id; }));
  }

 private:
  static constexpr ticks never = ~ticks{0};

  static table<class_id, job_class> classes_of(const std::vector<task_need>& needs, const std::vector<group>& groups,
                                               std::string_view policy_name, const std::vector<settings>& of_classes) {
    table<class_id, job_class> classes;
    for (const task_need& need : needs) {
      job_class type{
          "need_" + std::to_string(classes.size()), static_cast<unsigned>(need.tasks * need.per_task[0]), {}};
      for (const group_id g : id_range<group_id>{groups.size()}) type.groups.push_back(g);
      type.tasks = need;
      if (classes.size() < of_classes.size()) type.parameters = of_classes[classes.size()];
      classes.push_back(type);
    }
    unsigned cores = 0;
    for (const unsigned of_group : cores_of(groups)) cores += of_group;
    find_policy(policy_name)->complete_classes(classes, cores);
    return classes;
  }
  static table<group_id, unsigned> cores_of(const std::vector<group>& groups) {
    table<group_id, unsigned> cores;
    for (const group& g : groups) cores.push_back(static_cast<unsigned>(g.servers * g.each[0]));
    return cores;
  }
  static cluster_inventory inventory_of(const std::vector<resource_type>& types, const std::vector<group>& groups,
                                        const amounts& of_cluster) {
    cluster_inventory all;
    all.of_cluster = resource_layout::of_cluster({types, of_cluster});
    for (const group& g : groups) all.groups.push_back({g.servers, {types, g.each}});
    return all;
  }
  template <class Value>
  static ticks first_of(const std::multimap<ticks, Value>& events) {
    return events.empty() ? never : events.begin()->first;
  }
  template <class Value>
  static Value take_first(std::multimap<ticks, Value>& events) {
    return events.extract(events.begin()).mapped();
  }

  ticks now() const override { return now_; }
  const resource_layout& layout(group_id g) const { return state_.inventory().groups[g].each; }
  const resource_layout& of_cluster() const { return state_.inventory().of_cluster; }
  amounts& free_at(const task_placement& part) {
    return part.group == whole_cluster ? cluster_free_ : free_[part.group][part.server];
  }
  // What a job that is placed holds in each place of the cluster.
  amounts held_of_cluster(const std::vector<task_placement>& where) const {
    for (const task_placement& part : where)
      if (part.group == whole_cluster) return part.held;
    return amounts(of_cluster().places());
  }
  bool is_down(const server_name& server) const {
    const auto& down = state_.servers_down();
    return std::find(down.begin(), down.end(), server) != down.end();
  }

  // Takes what a job holds where it is placed, or gives it back.
  void change(const job& j, int sign) {
    const auto add = [&](std::uint64_t& to, std::uint64_t amount) { to = sign > 0 ? to + amount : to - amount; };
    for (const task_placement& part : placed_[j.id])
      for (std::size_t place = 0; place < part.held.size(); ++place) add(free_at(part)[place], part.held[place]);
  }
  // Shows the view how many tasks of each class fit.
  void count() {
    for (const class_id id : state_.classes()) {
      unsigned tasks = 0;
      for (const group_id g : id_range<group_id>{free_.size()})
        for (std::uint32_t n = 0; n < free_[g].size(); ++n)
          if (!is_down({g, n})) tasks += layout(g).tasks_that_fit(free_[g][n], state_.tasks(id));
      state_.set_fitting(id, of_cluster().fits(cluster_free_, state_.tasks(id).per_job) ? tasks : 0);
    }
  }

  void arrive(const placed_job& given) {
    jobs_.emplace_back();
    job& j = jobs_.back();
    j.id = jobs_.size() - 1;
    j.type = class_id{given.type};
    j.arrival = now_;
    j.estimate = given.estimate;
    j.user = given.user;
    j.qos = given.qos;
    state_.join(j);
    policy_->arrived(j, state_, *this);
  }
  void complete(std::uint64_t id) {
    ends_.erase(ends_.begin());
    job& j = jobs_.at(id);
    state_.leave(j);
    change(j, 1);
    count();
    policy_->completed(j, state_, *this);
  }
  // Jobs of a server that fails lose all their work and wait again.
  void fail(const server_name& server) {
    state_.server_fails(server);
    count();
    std::vector<std::uint64_t> lost;
    for (auto end = ends_.begin(); end != ends_.end();) {
      const std::uint64_t id = std::get<2>(*end);
      const auto& parts = placed_[id];
      const bool here = std::any_of(parts.begin(), parts.end(), [&](const task_placement& p) {
        return server_name{p.group, p.server} == server;
      });
      if (here) lost.push_back(id);
      end = here ? ends_.erase(end) : std::next(end);
    }
    for (const std::uint64_t id : lost) {
      job& j = jobs_.at(id);
      state_.begin_leaving(j);
      state_.requeue(j, queue_place::by_arrival);
      change(j, 1);
      count();
      policy_->interrupted(j, state_, *this);
    }
  }
  // Jobs that were killed lose all their work and wait again, all of them before the policy is called, but for those
  // that were killed for good, of which it hears first. @return how many were
  std::size_t take_killed_off() {
    const auto killed = std::exchange(killed_, {});
    std::size_t for_good = 0;
    for (const auto& [id, where] : killed) {
      if (where != queue_place::nowhere) state_.requeue(jobs_.at(id), where);
      change(jobs_.at(id), 1);
      ++kills_[id];
    }
    count();
    for (const auto& [id, where] : killed) {
      if (where != queue_place::nowhere) continue;
      state_.end_leaving(jobs_.at(id));
      state_.leave(jobs_.at(id));
      ++for_good;
      policy_->completed(jobs_.at(id), state_, *this);
    }
    for (const auto& [id, where] : killed)
      if (where != queue_place::nowhere) policy_->preempted(jobs_.at(id), state_, *this);
    return for_good;
  }
  void repair(const server_name& server) {
    state_.server_is_repaired(server);
    count();
    policy_->repaired(server.group, state_, *this);
  }

  std::vector<placed_job> given_;
  ticks now_ = 0;
  cluster_state state_;
  amounts cluster_free_;  // in each place of the cluster
  table<group_id, std::vector<amounts>> free_;
  std::unique_ptr<policy> made_;
  rigid_policy* policy_;
  std::deque<job> jobs_;
  std::vector<ticks> starts_;
  std::vector<std::vector<task_placement>> placed_;
  std::set<std::tuple<ticks, std::uint64_t, std::uint64_t>> ends_;  // time, number of the start, job
  std::uint64_t started_ = 0;
  std::vector<std::pair<std::uint64_t, queue_place>> killed_;
  std::map<std::uint64_t, unsigned> kills_;
  std::multimap<ticks, server_name> failures_, repairs_;
  std::multimap<ticks, std::uint32_t> timers_;
};

}  // namespace muster
