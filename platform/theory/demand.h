#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// What a job of a class takes of the servers, on average.
struct demand {
  /// Units of time for which each job is certain to hold a core (a pooled job: a server) beyond its work: dispatch,
  /// set-up, epsilon, links there and back, and what interruptions cost.
  double overhead = 0.0;
  /// The job's mean size, and the work that the slowest of the class's cores (servers) could do in `overhead`.
  double work = 0.0;
  bool exact = true;  ///< false: jobs hold cores for at least that long
  /// At most that much work, in the sense of `work`; infinite: no bound is known. Of rigid and slotted jobs there is
  /// one where `work` is exact only.
  double work_at_most = 0.0;
};

/// By class, in the order of the scenario.
///
/// A rigid job pays dispatch and set-up once. A pooled one pays them at least once; with exponential timers without
/// ticks it is interrupted once in `theta` of its work on average, and each time one server saves, and one is
/// dispatched and restores. A slotted job pays dispatch, set-up and epsilon at least once. Exact where nothing else can
/// hold a core: servers of one capacity that never fail nor sleep, no finite bandwidth, decisions that take no time, no
/// preemption that costs time, and, of pooled jobs, a single server for each class.
///
/// At most a pooled job pays for a slice on each of its servers, once and again after each interruption, of which there
/// is no more than one in `theta` of its work on average, whatever the timers: each of them expires after `theta` of
/// work.
std::vector<demand> demands_of(const scenario& model);

/// What takes time that no load counts and for which no bound is known, such as "links".
std::vector<std::string> uncounted_time(const scenario& model);

/// Whether the policy may preempt rigid jobs, and stopping or resuming one takes time, or work is done again; set-up
/// that is interrupted is paid again.
bool preemption_takes_time(const scenario& model);

/// demand::work of each.
std::vector<double> work_of(const std::vector<demand>& demands);
/// demand::work_at_most of each; nothing where one has no bound.
std::optional<std::vector<double>> work_at_most(const std::vector<demand>& demands);

/// How much of the time that jobs hold cores beyond their work the demands count.
enum class overhead_count { none, exact, lower_bound };
overhead_count count_overhead(const std::vector<demand>& demands);

/// "-", "exact" or "lower bound".
const char* to_word(overhead_count counted);

/// What those words say of a load and its limits, in a sentence or two.
inline constexpr const char* about_overhead =
    "overhead: the time for which jobs hold cores beyond their work. exact: load and limits count all of it; lower "
    "bound: they count what every job is certain to pay, so that the load is at least, and a limit at most, what "
    "stands here";

}  // namespace muster
