#pragma once

#include <optional>
#include <string>
#include <utility>

#include "muster/policies/stability_rule.h"
#include "platform/theory/stability/rigid_workload.h"

namespace muster {

/// How a limit of stability is known.
enum class limit_evidence {
  exact,           ///< computed: stable below the limit, unstable from it on
  simulated,       ///< as exact, with a 99 % interval, within which nothing is claimed
  bound,           ///< stable below the limit; above it nothing is known up to another bound
  simulated_bound  ///< as bound, by simulation of long queues; nothing is proved
};

/// The total arrival rate, the shares being kept, up to which a policy is stable.
struct policy_limit {
  std::optional<double> rate;  ///< none: no rate is known below which the policy is stable
  double stable_below = 0.0;   ///< the lower end of the interval of a simulated limit
  double unstable_from = 0.0;  ///< the upper end of that interval, or what no policy can bear
  limit_evidence known_by = limit_evidence::bound;
  std::string condition;  ///< the condition in words, with its source

  static policy_limit exactly(double rate, std::string condition) {
    return {rate, rate, rate, limit_evidence::exact, std::move(condition)};
  }
  /// A limit of which only an upper bound is known.
  static policy_limit at_most(double unstable_from, std::string condition) {
    return {std::nullopt, 0.0, unstable_from, limit_evidence::bound, std::move(condition)};
  }
};

/// Whether to simulate for seconds where theory leaves a gap.
enum class limit_search { quick, thorough };

/// Finds the limit by the policy's rule:
///
/// - in_order: the throughput of a queue that never empties, see saturated_queue.h.
/// - greedy_by_need, greedy_by_arrival, greedy_with_drains: see greedy_limit.h. A thorough search where that leaves a
///   gap: see long_queues.h.
/// - classes_in_turn: sum over classes of lambda_j / (floor(k / need_j) mu_j) < 1 (Quickswap paper, Remark 1). The
///   paper calls it sufficient. The condition is necessary too: the places of the class in service bound what one class
///   at a time can do. That the next class may be let in while the last one drains changes nothing, as with long queues
///   a drain takes a vanishing share of the time. The condition holds for sizes and interarrival times of any law, by
///   fluid limits as in greedy_limit.h.
/// - best_mix, preemptive_best_mix: the largest multiple of the loads in the convex hull of schedules, see
///   schedule_mix.h. No policy is stable above it; whatever the rule, `unstable_from` is at most that.
/// - best_mix_in_turn: as best_mix where sizes are exponential without overhead, as the proof or the rule's times
///   suppose.
/// - filling: with needs of which each divides the next larger, and the largest all cores, the served prefix fills all
///   cores (Grosof, Harchol-Balter and Scheller-Wolf, "Optimal scheduling in the multiserver-job model under heavy
///   traffic", 2022): load 1. Else a job of need n that does not fit leaves fewer than n cores idle, and at most k - n,
///   as one that needs as many or more is in service.
/// - divisor_filling: load 1 where every need divides the number of cores (the same paper).
///
/// Limits that take long are kept for the process. Where it is not known for how long jobs hold their cores, nothing is
/// claimed below `unstable_from`, which for in_order and classes_in_turn is the limit of the shortest times, else that
/// of the best mix. Where only waking adds to those times, in_order and classes_in_turn have the limit of the longest
/// times, in which both are monotone; the other rules have none, as cores of a job then come free one after the other.
/// @param preemption_costs whether it costs anything to stop a job and to resume it
policy_limit policy_limit_of(stability_rule rule, const rigid_workload& workload, bool preemption_costs,
                             limit_search search = limit_search::quick);

}  // namespace muster
