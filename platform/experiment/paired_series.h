#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "platform/experiment/narrowing.h"

namespace muster {

/// What two variants of a scenario have found at a value of the parameter, replication by replication on the same jobs.
struct paired_point {
  double value = 0.0;
  std::vector<double> first{}, second{};  ///< by replication; equally many
  std::string why{};                      ///< it is left out; empty: it is not

  bool excluded() const { return !why.empty(); }
  std::vector<double> differences() const;  ///< first minus second
  /// Which expectation is less, judged with a probability of an error of at most alpha: -1 the first's, 1 the second's,
  /// 0 that cannot be told.
  int side(double alpha) const;
};

/// Paired points that share their replications, which are numbered from some number on.
class paired_series {
 public:
  /// @param model `run` gets trials of the variants 0 and 1
  paired_series(const tuned_model& model, std::uint32_t first_replication) : model_(model), begin_(first_replication) {}

  /// Replications that measure() would simulate.
  std::size_t cost(const std::vector<double>& values, std::uint32_t n) const;
  /// Makes the points of these values have n replications, those that are left out excepted. @return what it has cost
  std::size_t measure(const std::vector<double>& values, std::uint32_t n);
  /// Leaves a value out.
  void exclude(double value, const std::string& why) { points_[value] = {value, {}, {}, why}; }

  bool has(double value) const { return points_.count(value) > 0; }
  const paired_point& at(double value) const { return points_.at(value); }
  std::vector<paired_point> all() const;  ///< by value

 private:
  std::vector<trial> missing(const std::vector<double>& values, std::uint32_t n) const;

  const tuned_model& model_;
  std::uint32_t begin_;
  std::map<double, paired_point> points_;
};

}  // namespace muster
