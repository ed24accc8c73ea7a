#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "platform/experiment/simulation_task.h"
#include "platform/experiment/stopping_rules.h"
#include "platform/inference/stability_of_study.h"
#include "platform/model/study.h"

namespace muster {

/// Which replication comes next, and which points are finished. Knows nothing of who runs them, nor of where the
/// results go.
///
/// With a precision, points that differ in nothing but the policy (families_of_policies()) are one family: they look at
/// the same numbers of replications, and go on together until one look finds all of them precise. So the policies of a
/// comparison have seen the same jobs, and as many. Where policies are to be told apart (comparison_rule), only those
/// go on that are undecided. Points with a replication that ended early do not go on. Points known to be unstable
/// stand by themselves, as do those whose intervals come from batch means.
///
/// The costliest points come first, as far as that can be told beforehand, so that at the end the workers have small
/// things left to share; those of a family come one after the other, as do a point's replications, so that points get
/// finished. The order has no influence on the results.
class replication_plan {
 public:
  explicit replication_plan(const study& s) : replication_plan(s, examine_points(s)) {}
  /// @param known the stability of each point
  replication_plan(const study& s, const std::vector<stability>& known);

  /// @name What has been found, in any order
  /// @{
  void add(std::size_t point, std::uint32_t replication, replication_result seen);
  void add_pilot(std::size_t point) { points_[point].pilot = pilot_state::done; }
  /// @}

  /// The next task's number; nothing if there is none, at least until another one has been added.
  std::optional<std::size_t> next();
  const replication_task& task(std::size_t number) const { return handed_out_[number]; }

  const sequential_rule& rule(std::size_t point) const { return points_[point].rule; }
  bool is_finished(std::size_t point) const { return families_[points_[point].family].finished; }
  std::size_t finished_points() const { return finished_points_; }
  /// Replications 0 .. n - 1 that are there and count.
  std::uint32_t counted(std::size_t point) const { return static_cast<std::uint32_t>(points_[point].values.size()); }
  /// What the last look at the point has found.
  const sequential_rule::finding& last_look(std::size_t point) const { return points_[point].last; }
  /// The task that was handed out last; nothing if there was none yet.
  std::optional<std::size_t> point_in_work() const {
    return handed_out_.empty() ? std::nullopt : std::optional(handed_out_.back().point);
  }
  /// Replications that are still to be simulated until the next look at each point.
  std::uint64_t replications_left() const;
  /// Completions that are still to be simulated, as far as can be told.
  double jobs_left() const;

 private:
  enum class pilot_state { wanted, running, done };

  struct point_state {
    sequential_rule rule;
    double jobs;  // of a replication
    pilot_state pilot;
    std::size_t family = 0;
    std::uint32_t due = 0;                                   // replications at the next look
    std::uint32_t next = 0;                                  // the next one to hand out
    std::vector<std::optional<replication_result>> found{};  // by number, as far as there
    std::vector<replication_result> values{};                // of those that count
    sequential_rule::finding last{};
  };
  struct family {
    std::vector<std::size_t> points;
    comparison_rule comparison;
    bool finished = false;
  };

  static bool is_there(const point_state& point, std::uint32_t replication) {
    return replication < point.found.size() && point.found[replication].has_value();
  }
  void make_families(const study& s);
  // Counts what is there of each point. @return whether it is all that the next look needs
  bool is_due(const family& together);
  void look(family& together);
  // Lets those go on that are not told apart where they should be.
  void compare(family& together);
  double replications_wanted(const family& together) const;

  std::vector<point_state> points_;
  std::vector<family> families_;
  std::vector<std::size_t> order_;  // the costliest family first, and in it the costliest point
  std::size_t first_open_ = 0;      // place in that order before which all points are finished
  std::size_t finished_points_ = 0;
  std::vector<replication_task> handed_out_;
};

}  // namespace muster
