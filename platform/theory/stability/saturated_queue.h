#pragma once

#include <optional>

#include "platform/theory/stability/rigid_workload.h"

namespace muster {

/// The throughput of a queue in order of arrival that never empties, in jobs per unit of time: the limit of FCFS. Below
/// it the queue is stable, above it not, for any law of the interarrival times (Baccelli and Foss, "On the saturation
/// rule for the stability of queues", 1995); the law of the sizes matters.
struct saturated_throughput {
  double rate = 0.0;
  double low = 0.0, high = 0.0;  ///< 99 % interval; equal to `rate` if it is computed
  bool simulated = false;
  const char* method = "";

  static saturated_throughput computed(double rate, const char* method) { return {rate, rate, rate, false, method}; }
};

/// Computes the throughput by the first of these methods that applies; `workload` is known and of total rate 1.
///
/// 1. One or all, the sizes of light jobs exponential: cycles from heavy job to heavy job.
/// 2. Exponential sizes of one mean: product form.
/// 3. Exponential sizes: the finite Markov chain of the jobs in service and of the class of the one that does not fit,
///   up to most_chain_states.
/// 4. Simulation.
saturated_throughput saturated_throughput_of(const rigid_workload& workload);

/// @name The methods
/// Each returns nothing if it does not apply.
/// @{
/// Cycles from heavy job to heavy job, at any total rate. A geometric number L of light jobs comes between two heavy
/// ones; they take (L - k)+ / (k mu) + H_min(L, k) / mu on k cores, H_n being the harmonic numbers, and the heavy job
/// then takes its time.
std::optional<double> throughput_by_cycles(const rigid_workload& workload);
/// The product form mu / E[1 / S], S being the number of jobs in service on cores that have just been filled from empty
/// (Rumyantsev and Morozov, "Stability criterion of a multiserver model with simultaneous service", 2017).
std::optional<double> throughput_by_product_form(const rigid_workload& workload);
/// The Markov chain of saturated_fcfs_throughput(). @param most_states with more there is no answer
std::optional<double> throughput_by_chain(const rigid_workload& workload, std::size_t most_states);
inline constexpr std::size_t most_chain_states = 600;
/// Simulation with batch means over 32 equal batches of jobs, after one that is not counted. The work that a batch
/// brings is a control variate where it has a variance. The seed is fixed: the same workload has the same result.
saturated_throughput throughput_by_simulation(const rigid_workload& workload);
/// @}

}  // namespace muster
