#include "muster/policies/catalogue.h"
#include "muster/policies/rigid/service_levels.h"
#include "muster/policies/task_schedules.h"

namespace muster {

/// MaxWeight, preemptive. Source: Maguluri, Srikant and Ying, "Stochastic models of load balancing and scheduling in
/// cloud computing clusters" (INFOCOM 2012), Section III; reference 25 of the Quickswap paper.
///
/// At every arrival and completion it serves the schedule (n_1, n_2, ..) that fits and has the largest weight, the sum
/// of n_i q_i over the classes; q_i is the number of jobs of class i in the system, waiting or in service. Of schedules
/// of equal weight it is the one with most jobs of the first class in descending order of need, then of the next one.
///
/// Choices where the source is open: it lets a schedule have places for jobs that are not there; here n_i is at most
/// q_i. It decides in slots; here, as needs are met at any time, at events.
///
/// The schedule is found by dynamic programming over the cores: an event costs a time proportional to k times the
/// number of classes times log k, unless all jobs fit. Where tasks count, see max_weight_of_tasks.
class max_weight final : public rigid_policy {
 public:
  explicit max_weight(const cluster_view& cluster)
      : levels_(cluster, service_levels::of::classes),
        served_(levels_.size()),
        weight_(levels_.size(), std::vector<std::uint64_t>(cluster.all_cores() + 1)) {}

 private:
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    const unsigned cores = cluster.all_cores();
    std::uint64_t needed = 0;
    for (const class_id id : cluster.classes()) {
      served_[levels_.level(id)] = static_cast<std::uint32_t>(cluster.waiting(id) + cluster.in_service(id));
      needed += std::uint64_t{served_[levels_.level(id)]} * cluster.need(id);
    }
    if (needed > cores) choose(cores);
    levels_.serve(served_, cluster, decide);
  }

  // Turns served_ from the jobs in the system into the jobs to be served.
  void choose(unsigned cores) {
    const std::size_t last = levels_.size() - 1;
    for (std::size_t n = last; n-- > 1;) tabulate(n, cores);
    unsigned left = cores;
    for (std::size_t n = 0; n < last; ++n) {
      served_[n] = best(n, left);
      left -= served_[n] * levels_.need(n);
    }
    served_[last] = std::min(served_[last], left / levels_.need(last));
  }

  // The largest weight of jobs of the classes n, n + 1, .. on that many cores.
  std::uint64_t weight(std::size_t n, unsigned cores) const {
    if (n + 1 < levels_.size()) return weight_[n][cores];
    return std::uint64_t{std::min(served_[n], cores / levels_.need(n))} * served_[n];
  }

  void tabulate(std::size_t n, unsigned cores) {
    std::vector<std::uint64_t>& row = weight_[n];
    for (unsigned c = 0; c <= cores; ++c) row[c] = weight(n + 1, c);
    std::uint32_t more = std::min(served_[n], cores / levels_.need(n));
    for (std::uint32_t some = 1; more > 0; more -= some, some *= 2) {  // 1, 2, 4, .. and the rest: any number of them
      some = std::min(some, more);
      const unsigned taken = some * levels_.need(n);
      const std::uint64_t gain = std::uint64_t{some} * served_[n];
      for (unsigned c = cores; c >= taken; --c) row[c] = std::max(row[c], row[c - taken] + gain);
    }
  }

  // The most jobs of class n in a schedule of the largest weight on that many cores.
  std::uint32_t best(std::size_t n, unsigned cores) const {
    std::uint32_t count = 0;
    std::uint64_t largest = 0;
    for (std::uint32_t jobs = std::min(served_[n], cores / levels_.need(n)) + 1; jobs-- > 0;) {
      const std::uint64_t with = std::uint64_t{jobs} * served_[n] + weight(n + 1, cores - jobs * levels_.need(n));
      if (with <= largest) continue;
      largest = with;
      count = jobs;
    }
    return count;
  }

  service_levels levels_;
  std::vector<std::uint32_t> served_;
  std::vector<std::vector<std::uint64_t>> weight_;  // by class (but for the first and the last) and cores, see weight()
};

/// MaxWeight where tasks count. The schedules are task_schedules, those for which the placement rule `first` finds room
/// on an idle cluster; an event costs a time proportional to their number.
///
/// Jobs that are in service and in the new schedule stay where they are. Where the others find no room beside them, all
/// jobs are preempted, and when all have left, the schedule of that time starts anew. Where that fails, as servers are
/// down or another rule of placement is used, what fits of the schedule is served, in the order of the classes. The
/// schedule is then not tried again until a job has lost its servers by a failure or a server has been repaired.
class max_weight_of_tasks final : public rigid_policy {
 public:
  max_weight_of_tasks(const cluster_view& cluster, task_schedules schedules)
      : levels_(cluster, service_levels::of::classes),
        schedules_(std::move(schedules)),
        has_no_room_(schedules_.size()),
        in_system_(cluster.class_count()),
        served_(cluster.class_count()) {}

 private:
  void interrupted(const job&, rigid_view cluster, rigid_decisions& decide) override {
    servers_change(cluster, decide);
  }
  void repaired(group_id, rigid_view cluster, rigid_decisions& decide) override { servers_change(cluster, decide); }

  void servers_change(rigid_view cluster, rigid_decisions& decide) {
    has_no_room_.assign(schedules_.size(), false);
    schedule(cluster, decide);
  }

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    const bool idle = cluster.in_service() == 0;
    if (clears_ && !idle) return;
    clears_ = false;
    for (const class_id id : cluster.classes())
      in_system_[levels_.level(id)] = static_cast<std::uint32_t>(cluster.waiting(id) + cluster.in_service(id));
    const std::size_t best = schedules_.heaviest(in_system_);
    served_.assign(schedules_[best], schedules_[best] + served_.size());
    levels_.serve(served_, cluster, decide);
    if (has_no_room_[best] || is_served(cluster)) return;
    if (idle)
      has_no_room_[best] = true;
    else
      clear(cluster, decide);
  }

  // Whether all jobs of the schedule are in service, or wait for others to leave.
  bool is_served(rigid_view cluster) const {
    bool all = true;
    for (const class_id id : cluster.classes()) {
      if (cluster.leaving(id) > 0) return true;
      all = all && cluster.in_service(id) == served_[levels_.level(id)];
    }
    return all;
  }

  void clear(rigid_view cluster, rigid_decisions& decide) {
    clears_ = true;
    served_.assign(served_.size(), 0);
    levels_.serve(served_, cluster, decide);
  }

  service_levels levels_;
  task_schedules schedules_;
  std::vector<bool> has_no_room_;  // by schedule: it has not found room on the idle cluster
  std::vector<std::uint32_t> in_system_;
  std::vector<std::uint32_t> served_;
  bool clears_ = false;  // whether all jobs leave, so that a schedule can be placed anew
};

namespace {

std::optional<std::string> unless_schedules_are_few(const cluster_view& cluster) {
  if (!cluster.counts_tasks()) return unless_all_use_all_cores(cluster);
  if (cluster.inventory().groups.empty())
    return "it lists the schedules for which the servers have room, but the cluster has no inventory; expected one";
  if (task_schedules::of(cluster)) return std::nullopt;
  return "it lists the schedules for which the servers have room, of which there are more than " +
         std::to_string(task_schedules::limit) + "; expected fewer servers, fewer classes or larger needs";
}

std::unique_ptr<rigid_policy> make_max_weight(const cluster_view& cluster, const settings&, random_numbers&) {
  if (!cluster.counts_tasks()) return std::make_unique<max_weight>(cluster);
  return std::make_unique<max_weight_of_tasks>(cluster, *task_schedules::of(cluster));
}

}  // namespace

extern const policy_entry max_weight_entry = [] {
  policy_entry entry;
  entry.name = "max_weight";
  entry.about =
      "The schedule with the largest sum of jobs served times jobs of the class in the system (Maguluri, Srikant and "
      "Ying 2012)";
  entry.construct = make_max_weight;
  entry.check_classes = unless_schedules_are_few;
  entry.any_resources = true;
  entry.preempts = true;
  entry.stable_up_to = stability_rule::preemptive_best_mix;
  return entry;
}();

}  // namespace muster
