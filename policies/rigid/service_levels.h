#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "muster/policies/rigid_policy.h"

namespace muster {

/// Levels of jobs, each with one need, of which a preemptive policy decides how many are in service; within a level
/// jobs are served by arrival. A level is a class, or all classes of equal need.
class service_levels {
 public:
  enum class of { needs, classes };

  service_levels(const cluster_view& cluster, of level) : level_of_(cluster.class_count()) {
    for (const class_id id : cluster.classes()) {
      if (levels_.empty() || level == of::classes || levels_.back().need != cluster.need(id))
        levels_.push_back({cluster.need(id), {}});
      levels_.back().classes.push_back(id);
      level_of_[id] = levels_.size() - 1;
    }
  }

  /// The number of levels, which are numbered from 0 in descending order of need.
  std::size_t size() const { return levels_.size(); }
  unsigned need(std::size_t level) const { return levels_[level].need; }
  std::size_t level(class_id id) const { return level_of_[id]; }

  /// Brings the jobs in service to these numbers by level. Preempts those that are too many, latest arrivals first;
  /// then, by descending need, starts as many as fit of those that are missing, earliest arrivals first. A job in
  /// service is not exchanged for an earlier one of its level. Where leaving jobs still hold cores, it is to be called
  /// again when they have left.
  /// @param wanted jobs in service by level
  void serve(const std::vector<std::uint32_t>& wanted, rigid_view cluster, rigid_decisions& decide) {
    preempt_surplus(wanted, cluster, decide);
    for (std::size_t n = 0; n < size(); ++n) start(n, wanted[n], cluster, decide);
  }

  /// Brings the jobs in service to these numbers where only the earliest jobs of each level may be in service. The
  /// place of one that is leaving is not given to a job behind them.
  /// @param among number of those earliest jobs, by level, those that are leaving included; not fewer than are wanted
  /// @return whether as many as wanted are in service; if not, cores that come free may let more start at the next
  /// event
  bool serve(const std::vector<std::uint32_t>& wanted, const std::vector<std::uint32_t>& among, rigid_view cluster,
             rigid_decisions& decide) {
    preempt_surplus(wanted, cluster, decide);
    bool all = true;
    for (std::size_t n = 0; n < size(); ++n)
      all = start(n, std::min<std::size_t>(wanted[n], among[n] - leaving(n, cluster)), cluster, decide) >= wanted[n] &&
            all;
    return all;
  }

 private:
  struct classes_of_level {
    unsigned need;
    std::vector<class_id> classes;
  };

  void preempt_surplus(const std::vector<std::uint32_t>& wanted, rigid_view cluster, rigid_decisions& decide) {
    for (std::size_t n = 0; n < size(); ++n)
      if (const std::size_t now = staying(n, cluster); now > wanted[n]) preempt(n, now - wanted[n], cluster, decide);
  }

  // @return the number of jobs in service then
  std::size_t start(std::size_t n, std::size_t wanted, rigid_view cluster, rigid_decisions& decide) const {
    std::size_t now = staying(n, cluster);
    for (; now < wanted; ++now) {
      const job* const next = earliest_waiting(n, cluster);
      if (!next || !cluster.fits(*next)) break;
      decide.start(*next);
    }
    return now;
  }

  std::size_t leaving(std::size_t n, rigid_view cluster) const {
    std::size_t jobs = 0;
    for (const class_id id : levels_[n].classes) jobs += cluster.leaving(id);
    return jobs;
  }

  // The number of jobs in service that are not leaving.
  std::size_t staying(std::size_t n, rigid_view cluster) const {
    std::size_t jobs = 0;
    for (const class_id id : levels_[n].classes) jobs += cluster.in_service(id) - cluster.leaving(id);
    return jobs;
  }

  const job* earliest_waiting(std::size_t n, rigid_view cluster) const {
    const job* best = nullptr;
    for (const class_id id : levels_[n].classes)
      if (const job* first = cluster.first(id); first && (!best || first->id < best->id)) best = first;
    return best;
  }

  void preempt(std::size_t n, std::size_t count, rigid_view cluster, rigid_decisions& decide) {
    latest_.clear();
    for (const class_id id : levels_[n].classes) latest_.push_back(cluster.running(id));
    for (; count > 0; --count) {
      const job** latest = nullptr;
      for (const job*& j : latest_) {
        while (j && j->where != job::place::in_service) j = j->behind;
        if (j && (!latest || j->id > (*latest)->id)) latest = &j;
      }
      decide.preempt(**latest);
    }
  }

  std::vector<classes_of_level> levels_;
  table<class_id, std::size_t> level_of_;
  std::vector<const job*> latest_;  // candidates, by class of the level
};

/// Says why a policy that takes all cores as one pool cannot run the classes, if it cannot.
inline std::optional<std::string> unless_all_use_all_cores(const cluster_view& cluster) {
  for (const class_id id : cluster.classes())
    if (cluster.usable_cores(id) != cluster.all_cores())
      return "it takes all cores as one pool, which class '" + cluster.name(id) +
             "' may not use; expected classes that may use all servers";
  return std::nullopt;
}

}  // namespace muster
