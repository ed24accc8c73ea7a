#include "muster/policies/task_schedules.h"

#include <algorithm>

namespace muster {

namespace {

/// Places jobs on an idle cluster, class after class, by the rule `first`.
class packing {
 public:
  explicit packing(const cluster_inventory& all) : inventory_(&all), of_cluster_(all.of_cluster.all()) {
    for (const cluster_inventory::group& g : all.groups) free_.push_back(std::vector<amounts>(g.servers, g.each.all()));
  }

  /// Begins a class. Its jobs need not look again at servers that were too full for one of them.
  void begin_class(const cluster_view& cluster, class_id id) {
    need_ = &cluster.tasks(id);
    groups_ = &cluster.groups(id);
    group_ = server_ = 0;
  }

  /// Places one more job of the class. @return whether there is room; if not, no other class may begin
  bool place() {
    const resource_layout& of_cluster = inventory_->of_cluster;
    if (!of_cluster.fits(of_cluster_, need_->per_job)) return false;
    taken_.assign(of_cluster_.size(), 0);
    of_cluster.take_of_job(of_cluster_, need_->per_job, taken_);
    unsigned left = need_->tasks;
    std::size_t group = group_, server = server_;
    for (; left > 0 && group < groups_->size(); ++group, server = 0)
      for (; left > 0 && server < free_[(*groups_)[group]].size(); ++server) left -= take(group, server, left);
    return left == 0;
  }

 private:
  unsigned take(std::size_t group, std::size_t server, unsigned tasks) {
    const group_id g = (*groups_)[group];
    const resource_layout& layout = inventory_->groups[g].each;
    amounts& free = free_[g][server];
    const unsigned fit = layout.tasks_that_fit(free, *need_);
    if (fit == 0) {
      if (group == group_ && server == server_ && ++server_ == free_[g].size()) {
        ++group_;
        server_ = 0;
      }
      return 0;
    }
    taken_.assign(free.size(), 0);
    layout.take(free, *need_, std::min(fit, tasks), taken_);
    return std::min(fit, tasks);
  }

  const cluster_inventory* inventory_;
  amounts of_cluster_;                          // free in each place of the cluster
  table<group_id, std::vector<amounts>> free_;  // in each place of each server
  const task_need* need_ = nullptr;
  const std::vector<group_id>* groups_ = nullptr;
  std::size_t group_ = 0, server_ = 0;  // before this server none has room for a task of the class
  amounts taken_;
};

/// Lists the schedules, depth first.
struct search {
  const cluster_view& cluster;
  std::size_t most;                     // numbers that are listed at most
  std::vector<std::uint32_t>& found;    // by schedule and class
  std::vector<std::uint32_t> served{};  // of the classes before

  // Lists all schedules that begin with the jobs served. @return whether there are not too many
  bool extend(packing room) {
    const auto id = static_cast<class_id>(served.size());
    const bool last = served.size() + 1 == cluster.class_count();
    room.begin_class(cluster, id);
    served.push_back(0);
    bool fits = true;
    do {
      if (!last && !extend(room)) return false;
      if (last && found.size() == most) return false;
      if (last) found.insert(found.end(), served.begin(), served.end());
      ++served.back();
      fits = room.place();
    } while (fits);
    served.pop_back();
    return true;
  }
};

}  // namespace

std::optional<task_schedules> task_schedules::of(const cluster_view& cluster) {
  task_schedules all(cluster.class_count());
  search over{cluster, limit * all.classes_, all.jobs_};
  if (!over.extend(packing{cluster.inventory()})) return std::nullopt;
  return all;
}

std::size_t task_schedules::heaviest(const std::vector<std::uint32_t>& in_system) const {
  std::size_t best = 0;
  std::uint64_t largest = 0;
  for (std::size_t number = 0; number < size(); ++number) {
    const std::uint32_t* const jobs = (*this)[number];
    std::uint64_t weight = 0;
    bool present = true;
    for (std::size_t c = 0; c < classes_ && present; ++c) {
      present = jobs[c] <= in_system[c];
      weight += std::uint64_t{jobs[c]} * in_system[c];
    }
    if (!present || weight < largest) continue;
    largest = weight;
    best = number;
  }
  return best;
}

}  // namespace muster
