#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "muster/policies/algorithms/linear_equations.h"

namespace muster {

/// A class of jobs under FCFS: Poisson arrivals, exponential sizes. Rates are per unit of time.
struct fcfs_class {
  std::size_t need = 1;  ///< cores, not 0
  double arrivals = 0.0;
  double completions = 1.0;  ///< of one job in service
};

/// The state on which the future of FCFS depends, without the number of jobs that wait behind the first: their classes
/// are independent of all else and need not be known before they come first.
struct fcfs_state {
  static constexpr std::size_t no_head = SIZE_MAX;

  std::vector<std::size_t> in_service;  ///< by class
  std::size_t head = no_head;           ///< class of the first job that waits

  bool operator<(const fcfs_state& other) const;
  /// The number of jobs whose classes are known: those in service and the head.
  std::size_t known() const;
};

using fcfs_outcomes = std::map<fcfs_state, double>;  ///< states with their probabilities, or rates

/// The states of a level with their numbers.
using fcfs_level = std::map<fcfs_state, std::size_t>;

/// Adds states to a level, with the next numbers.
void number(fcfs_level& level, const fcfs_outcomes& states);

/// The matrix of the rates from the states of one level to those of another, or of the same.
template <class Transitions>
matrix rates(const fcfs_level& from, const fcfs_level& to, const Transitions& transitions) {
  matrix all = boost::numeric::ublas::zero_matrix<double>(from.size(), to.size());
  for (const auto& [state, row] : from)
    for (const auto& [next, rate] : transitions(state)) all(row, to.at(next)) += rate;
  return all;
}

/// The transitions of FCFS: jobs start in the order of their arrival, and the first one that does not fit is the head.
class fcfs_rules {
 public:
  /// The number of unseen jobs in a queue that never empties.
  static constexpr std::size_t never_empty = SIZE_MAX;

  /// @param classes of a total arrival rate above 0, none of them needing more than `cores`
  fcfs_rules(std::size_t cores, std::vector<fcfs_class> classes);

  double rate() const { return rate_; }
  double share(std::size_t c) const { return classes_[c].arrivals / rate_; }
  fcfs_state empty() const { return {std::vector<std::size_t>(classes_.size()), fcfs_state::no_head}; }
  double completions(const fcfs_state& state) const;

  fcfs_outcomes after_arrival(const fcfs_state& state) const;
  /// @param jobs in the system before
  fcfs_outcomes after_completion(const fcfs_state& state, std::size_t jobs) const;
  /// Lets unseen jobs start one after the other, until one does not fit. @param unseen jobs behind those that are known
  fcfs_outcomes look(const fcfs_state& from, std::size_t unseen, double rate) const;

 private:
  bool fits(const fcfs_state& state, std::size_t c) const;

  std::size_t cores_;
  std::vector<fcfs_class> classes_;
  double rate_ = 0.0;
};

/// The stationary share of each state of a chain in continuous time, by elimination of one state after the other
/// (Grassmann, Taksar and Heyman, 1985), which subtracts nothing and so loses no digits.
/// @param rate from each state to each other one; the diagonal does not matter. State 0 is reached from all others
std::vector<double> stationary_shares(matrix rate);

}  // namespace muster
