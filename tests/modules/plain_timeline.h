#pragma once

#include <functional>
#include <optional>

#include "tests/modules/plain_cluster.h"
#include "tests/modules/plain_random.h"
#include "tests/modules/task_timeline.h"

// Jobs of tasks on a cluster of which all servers are looked at, under rules that look at all jobs.

namespace muster::plain {

/// Jobs that a rule starts on a plain cluster.
class plain_timeline : public task_timeline {
 public:
  /// @param any places jobs where the rule of placement is `random`
  plain_timeline(const plain_cluster& idle, const course& all, any_server* any)
      : task_timeline(all), cluster_(idle), any_(any) {
    for (const plain_need& n : idle.needs) shares_.push_back(idle.fraction(n));
  }

  virtual ~plain_timeline() = default;

 protected:
  /// Starts jobs, after every event.
  virtual void schedule() = 0;

  void arrives(std::size_t) override { schedule(); }
  void completes(std::size_t) override { schedule(); }
  void is_interrupted(std::size_t) override { schedule(); }
  void is_repaired(std::size_t) override { schedule(); }
  void have_left(const std::vector<std::size_t>& jobs) override {
    for (std::size_t n = 0; n < jobs.size(); ++n) schedule();
  }

  std::size_t classes() const { return cluster_.needs.size(); }
  const plain_cluster& cluster() const { return cluster_; }
  /// The largest share of a resource that a job of the class needs.
  const std::pair<unsigned long, unsigned long>& fraction(std::size_t of_class) const { return shares_[of_class]; }
  std::size_t type(std::size_t job) const { return jobs()[job].type; }
  /// Whether job `a` needs a larger share of a resource than job `b`, or came before it with an equal one.
  bool has_larger_share(std::size_t a, std::size_t b) const {
    const unsigned long of_a = fraction(type(a)).first * fraction(type(b)).second;
    const unsigned long of_b = fraction(type(b)).first * fraction(type(a)).second;
    return of_a > of_b || (of_a == of_b && a < b);
  }
  bool is(std::size_t job, where place) const { return jobs()[job].at == place; }
  std::size_t count(std::size_t type, where place) const {
    std::size_t number = 0;
    for (const timed_job& j : jobs()) number += j.type == type && j.at == place ? 1 : 0;
    return number;
  }
  std::size_t count(where place) const {
    std::size_t number = 0;
    for (std::size_t type = 0; type < classes(); ++type) number += count(type, place);
    return number;
  }
  /// The waiting job that comes first by an order; nothing: none waits for which the condition holds.
  template <class Before, class If>
  std::optional<std::size_t> first_waiting(const Before& before, const If& condition) const {
    std::optional<std::size_t> best;
    for (std::size_t n = 0; n < jobs().size(); ++n)
      if (is(n, where::waits) && condition(n) && (!best || before(n, *best))) best = n;
    return best;
  }
  std::optional<std::size_t> first_waiting(std::size_t of_class) const {
    return first_waiting(std::less<>{}, [&](std::size_t n) { return type(n) == of_class; });
  }
  bool fits(std::size_t job) const { return cluster_.fits(type(job)); }

 private:
  std::vector<held_share> take(std::size_t job) override {
    held_.resize(jobs().size());
    held_[job] = any_ ? any_->place(cluster_, type(job)) : cluster_.place(type(job));
    std::vector<held_share> shares;
    for (const auto& [server, taken] : held_[job]) {
      if (server == cluster_.servers.size()) continue;  // of the cluster as a whole
      shares.push_back({server, {taken.cores, taken.memory}});
      auto& places = shares.back().of_places;
      places.insert(places.end(), taken.gpus.begin(), taken.gpus.end());
    }
    return shares;
  }
  void give_back(std::size_t job, const held_share& share) override {
    for (const auto& [server, taken] : held_[job])
      if (server == share.server) cluster_.servers[server].give_back(taken);
    changed(share.server);
  }
  void leaves_cluster(std::size_t job) override {
    const auto& [server, taken] = held_[job].back();
    if (server == cluster_.servers.size()) cluster_.whole.give_back(taken);
  }
  double capacity(std::size_t server) const override { return cluster_.servers[server].capacity; }
  void set_down(std::size_t server, bool down) override {
    cluster_.servers[server].down = down;
    changed(server);
  }
  void changed(std::size_t server) {
    if (any_) any_->server_changes(cluster_, server);
  }

  plain_cluster cluster_;
  std::vector<std::pair<unsigned long, unsigned long>> shares_{};  // of the classes
  any_server* any_;
  std::vector<std::vector<std::pair<std::size_t, plain_server>>> held_{};  // by job
};

}  // namespace muster::plain
