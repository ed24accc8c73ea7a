#pragma once

namespace muster {

/// The rule by which `muster check` finds the arrival rates under which a policy for rigid or pooled jobs is stable,
/// from needs, sizes and cores. The limits of the rules and their sources are documented in
/// platform/theory/stability/policy_limit.h.
enum class stability_rule {
  /// Nothing is known but that no policy is stable above the limit of the best mix of schedules.
  not_known,
  /// Jobs start in the order of arrival; one that does not fit holds up all behind it. With pooled jobs each server
  /// serves the first job in the queue that may use it, unless it interrupts it.
  in_order,
  /// No job waits that fits; freed cores go to larger jobs first.
  greedy_by_need,
  /// No job waits that fits; freed cores go first to those that have waited longest.
  greedy_by_arrival,
  /// No job waits that fits, as in greedy_by_need, but while no class in service has a job waiting, admission may stop
  /// until the largest waiting job fits.
  greedy_with_drains,
  /// One class is in service at a time, on as many cores as its jobs can use; its turn does not end while its jobs fill
  /// them, and then comes to an end.
  classes_in_turn,
  /// Stable whenever some policy is, without preemption.
  best_mix,
  /// Stable whenever some policy is, without preemption, as long as sizes are exponential: the proof or the policy's
  /// own times take them so.
  best_mix_in_turn,
  /// Stable whenever some policy is, by preemption at no cost.
  preemptive_best_mix,
  /// Preempts; serves in descending order of need the shortest prefix, in an order of its own, of the jobs in the
  /// system whose needs add up to all cores.
  filling,
  /// Preempts; all cores are in service while the jobs in the system need more than all of them, if every need divides
  /// the number of cores.
  divisor_filling,
};

}  // namespace muster
