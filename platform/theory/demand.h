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
  bool exact = true;  ///< false: jobs hold cores for at least `overhead`
  /// Upper bound of `work`; infinite where none is known. Rigid and slotted jobs have one only where `work` is exact.
  double work_at_most = 0.0;
};

/// The demand of each class, in the order of the scenario.
///
/// A rigid job pays dispatch and set-up once. A pooled one pays them at least once; with exponential timers without
/// ticks it is interrupted once in `theta` of its work on average, and each time one server saves, and one is
/// dispatched and restores. A slotted job pays dispatch, set-up and epsilon at least once. Exact where nothing else can
/// hold a core: servers of one capacity that never fail nor sleep, no finite bandwidth, decisions that take no time, no
/// preemption that costs time, and, of pooled jobs, a single server for each class.
///
/// A pooled job pays at most for a slice on each of its servers, once and again after each interruption. There is at
/// most one interruption in `theta` of its work on average, whatever the timers, as each timer expires after `theta` of
/// work.
std::vector<demand> demands_of(const scenario& model);

/// What takes time that no load counts and for which no bound is known, such as "links".
std::vector<std::string> uncounted_time(const scenario& model);

/// Whether the policy may preempt rigid jobs, and stopping or resuming one takes time, or work is done again; set-up
/// that is interrupted is paid again.
bool preemption_takes_time(const scenario& model);

/// Whether all servers have the same capacity for each core.
bool have_one_capacity(const std::vector<server_spec>& servers);

/// A value of the demand of each class.
std::vector<double> each_of(const std::vector<demand>& demands, double demand::*value);
/// The demand::work of each class.
inline std::vector<double> work_of(const std::vector<demand>& demands) { return each_of(demands, &demand::work); }
/// The demand::work_at_most of each class; nothing where one has no bound.
std::optional<std::vector<double>> work_at_most(const std::vector<demand>& demands);

/// How much of the time that jobs hold cores beyond their work the demands count.
enum class overhead_count { none, exact, lower_bound };
overhead_count count_overhead(const std::vector<demand>& demands);

/// "-", "exact" or "lower bound".
const char* to_word(overhead_count counted);

/// An explanation of the words of to_word(), for readers of a load and its limits.
inline constexpr const char* about_overhead =
    "overhead: the time for which jobs hold cores beyond their work. exact: load and limits count all of it; lower "
    "bound: they count what every job is certain to pay, so that the load is at least, and a limit at most, what "
    "stands here";

}  // namespace muster
