#pragma once

#include <cstdint>
#include <vector>

namespace muster::oracle {

/// The multi-server queue of "Balanced fair resource sharing in computer clusters", Section 2: Poisson arrivals,
/// exponential sizes of mean 1, any graph of compatibilities.
struct multiserver_queue {
  /// Work per time unit, one entry per server.
  std::vector<double> capacities;
  /// One entry per class, 1..16 of them: numbers of the servers that may work on its jobs.
  std::vector<std::vector<std::uint32_t>> servers_of;
  /// Arrivals per time unit, one entry per class.
  std::vector<double> arrival_rates;

  std::size_t classes() const { return servers_of.size(); }
  /// Total capacity of the servers that some of the classes may use; bit i stands for class i (the paper's mu(A)).
  double capacity_of(std::uint32_t class_set) const;
  /// Largest ratio of arrival rate to capacity over all sets of classes; the queue is stable below 1 (equation 5).
  double load() const;
};

/// Mean number of jobs of each class, from a recursion over sets of active classes: equations 3 and 4 summed over all
/// states with the same active classes.
std::vector<double> means_by_active_classes(const multiserver_queue& queue);

/// The same from the sum itself, over the states with at most `max_jobs` jobs.
std::vector<double> means_by_states(const multiserver_queue& queue, int max_jobs);

/// Mean number of jobs where each of them may use `drawn` of `servers` servers of capacity 1, drawn at random: equation
/// 1 summed over all states in which the jobs can use equally many servers.
double mean_under_random_assignment(unsigned servers, unsigned drawn, double arrival_rate);

/// What the chain of `solve_multiserver_chain` says.
struct multiserver_chain_result {
  /// Mean number of jobs of each class.
  std::vector<double> mean_in_system;
  /// Share of the arrivals lost to the truncation, which must be negligible for the means to be exact.
  double lost_share = 0.0;
  /// Largest difference between the probability of a state (classes of the jobs in order of the queue) and equation 1.
  double distance_from_product_form = 0.0;
  /// Number of states of the truncated chain.
  std::size_t states = 0;
};

/// The Markov chain of the detailed state, which is the class of each job in the order of the queue, written from the
/// dynamics alone: each server works on the first job that it may use, and interrupts it `interruptions_per_job` times
/// as often as it completes one; the job then goes to the end of the queue.
///
/// @param max_jobs 1..24; an arrival that finds so many jobs is lost
multiserver_chain_result solve_multiserver_chain(const multiserver_queue& queue, double interruptions_per_job,
                                                 int max_jobs);

}  // namespace muster::oracle
