#pragma once

#include <optional>
#include <string>

#include "muster/policies/stability_rule.h"
#include "platform/theory/stability/rigid_workload.h"

namespace muster {

/// How a limit of stability is known.
enum class limit_evidence {
  exact,           ///< computed: stable below it, unstable from it on
  simulated,       ///< the same with a 99 % interval; nothing is said within it
  bound,           ///< stable below it; what is above is not known up to another bound
  simulated_bound  ///< the same by simulation of long queues; nothing is proved
};

/// Up to which total arrival rate, the shares being kept, a policy is stable.
struct policy_limit {
  std::optional<double> rate;  ///< none: no rate is known under which it is stable
  double stable_below = 0.0;   ///< of a simulated limit the lower end of its interval
  double unstable_from = 0.0;  ///< of one that is not exact its upper end, or what no policy can bear
  limit_evidence known_by = limit_evidence::bound;
  std::string condition;  ///< in words, with its source
};

/// Whether to simulate for seconds where theory leaves a gap.
enum class limit_search { quick, thorough };

/// By the policy's rule:
///
/// - in_order: the throughput of a queue that never empties, see saturated_queue.h.
/// - greedy_by_need, greedy_by_arrival, greedy_with_drains: see greedy_limit.h. A thorough search where that leaves a
///   gap: see long_queues.h.
/// - classes_in_turn: sum over classes of lambda_j / (floor(k / need_j) mu_j) < 1 (Quickswap paper, Remark 1). The
///   paper calls it sufficient. It is necessary too: the places of the class in service bound what one class at a time
///   can do. That the next class may be let in while the last one drains changes nothing: with long queues a drain
///   takes a vanishing share of the time. It holds for sizes and interarrival times of any law, by fluid limits as in
///   greedy_limit.h.
/// - best_mix, preemptive_best_mix: the largest multiple of the loads in the convex hull of schedules, see
///   schedule_mix.h. No policy is stable above it; whatever the rule, `unstable_from` is at most that.
/// - best_mix_in_turn: the same where sizes are exponential without overhead, as the proof or the rule's times suppose.
/// - filling: with needs of which each divides the next larger, and the largest all cores, the served prefix fills all
///   cores (Grosof, Harchol-Balter and Scheller-Wolf, "Optimal scheduling in the multiserver-job model under heavy
///   traffic", 2022): load 1. Else a job of need n that does not fit leaves fewer than n cores idle, and at most
///   k - n, as one that needs as many or more is in service.
/// - divisor_filling: load 1 where every need divides the number of cores (the same paper).
///
/// Limits that take long are kept for the process. Nothing is claimed below `unstable_from` where it is not known for
/// how long jobs hold their cores: for the first two kinds that is then the limit of the shortest times, else that of
/// the best mix. Where waking alone adds to that, in_order and classes_in_turn have the limit of the
/// longest times (both are monotone in them); the others none, as cores of a job then come free one after the other.
/// @param preemption_costs whether it costs anything to stop a job and to resume it
policy_limit policy_limit_of(stability_rule rule, const rigid_workload& workload, bool preemption_costs,
                             limit_search search = limit_search::quick);

}  // namespace muster
