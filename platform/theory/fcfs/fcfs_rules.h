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

/// What the future of FCFS depends on, but for how many jobs wait behind the first: their classes are independent of
/// all else and need not be known before they come first.
struct fcfs_state {
  static constexpr std::size_t no_head = SIZE_MAX;

  std::vector<std::size_t> in_service;  ///< by class
  std::size_t head = no_head;           ///< class of the first job that waits

  bool operator<(const fcfs_state& other) const;
  /// Jobs in service, and the head.
  std::size_t known() const;
};

using fcfs_outcomes = std::map<fcfs_state, double>;  ///< with their probabilities, or rates

/// States, numbered.
using fcfs_level = std::map<fcfs_state, std::size_t>;

void number(fcfs_level& level, const fcfs_outcomes& states);

/// Rates into another level.
template <class Transitions>
matrix rates(const fcfs_level& from, const fcfs_level& to, const Transitions& transitions) {
  matrix found = boost::numeric::ublas::zero_matrix<double>(from.size(), to.size());
  for (const auto& [state, row] : from)
    for (const auto& [next, rate] : transitions(state)) found(row, to.at(next)) += rate;
  return found;
}

/// Which states follow: jobs start in the order of their arrival, and the first one that does not fit is the head.
class fcfs_rules {
 public:
  /// Of jobs behind the head: always one more.
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
  /// Jobs start as they are looked at, until one does not fit. @param unseen jobs behind those that are known
  fcfs_outcomes look(const fcfs_state& from, std::size_t unseen, double rate) const;

 private:
  bool fits(const fcfs_state& state, std::size_t c) const;

  std::size_t cores_;
  std::vector<fcfs_class> classes_;
  double rate_ = 0.0;
};

/// Share of each state in a chain in continuous time. By elimination of one state after the other (Grassmann, Taksar
/// and Heyman, 1985): no subtraction, no loss of digits.
/// @param rate from each state to each other one; that to itself does not matter. State 0 is reached from all others
std::vector<double> stationary_shares(matrix rate);

}  // namespace muster
