#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/theory/demand.h"
#include "platform/theory/pooled/pooled_stability.h"
#include "platform/theory/stability/policy_limit.h"

namespace muster {

/// The course of a long queue at a stable point, in a simulation of limited length.
enum class queue_course { not_simulated, drains, stays };

/// Whether a point has a steady state, as far as the known conditions decide.
struct stability {
  enum class verdict { stable, unknown, unstable };

  struct class_load {
    std::string name;
    double overhead = 0.0;  ///< demand::overhead
    double cores = 0.0;     ///< cores that the class holds on average, on the fastest that it may use
    double share = 0.0;     ///< share of the cores that the class may use
  };

  std::vector<class_load> classes;  ///< loads of the classes of rigid and slotted jobs
  /// Whether `classes`, `work` and the limits count all the time for which jobs hold cores beyond their work. With
  /// lower_bound, loads are at least, and limits at most, what stands here.
  overhead_count overhead = overhead_count::none;
  double work = 0.0;       ///< load of the set of classes that presses hardest on its servers; below 1 is necessary
  double rate = 0.0;       ///< total arrival rate of the point
  double work_rate = 0.0;  ///< total arrival rate at which the necessary condition fails, the shares being kept
  /// The policy's limit, as a total arrival rate: of a simulated one the estimate, of a bound the rate below which the
  /// policy is known to be stable. None: no such rate is known.
  std::optional<double> policy_rate;
  limit_evidence known_by = limit_evidence::bound;  ///< how `policy_rate` is known
  stability_rule rule = stability_rule::not_known;  ///< the rule that has decided, of rigid jobs
  /// Total arrival rates below which the policy is known to be stable, and from which on it is known not to be.
  double stable_below = 0.0, unstable_from = 0.0;
  std::string condition;              ///< the policy's condition in words, with its source
  std::optional<pooled_set> hardest;  ///< the set of pooled jobs whose load over capacity is `work`
  verdict answer = verdict::unknown;
  queue_course long_queue = queue_course::not_simulated;  ///< see search_stability()

  bool policy_rate_is_exact() const { return policy_rate && known_by == limit_evidence::exact; }
};

/// The policy's limit as `muster check` shows it: "3.2", "3.2 +- 0.1" (simulated), ">= 3.2" (a bound; what is known to
/// be unstable may begin higher), ">= 3.2 (simulated)", "<= 3.2" (only an upper bound is known), or "-" (stable at any
/// rate).
std::string limit_text(const stability& limits);

/// What the work, the rate and the limits of a point say of its stability.
stability::verdict verdict_of(const stability& limits);

/// Examines whether a point is stable. Pooled jobs: Theorem 1 of the balanced-fairness paper, and what fluid limits say
/// of other sizes. Rigid jobs: policy_limit_of() the policy's rule; where they need tasks, load_of_tasks() and
/// limit_of_tasks(). Slotted jobs: whether they come to an end, or expire. Each job brings its demand: its work and the
/// overhead that is certain. Servers that fail have their mean capacity at most.
stability examine_stability(const scenario& model, limit_search search = limit_search::quick);

/// Whether every job is slotted and leaves at a deadline.
bool all_jobs_expire(const scenario& model);

/// A sentence for each entry of servers that no class can use.
std::vector<std::string> unusable_servers(const scenario& model);

}  // namespace muster
