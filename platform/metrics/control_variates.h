#pragma once

#include <cstddef>
#include <vector>

#include "platform/metrics/replication_result.h"

namespace muster {

/// What independent replications have found of one mean.
struct replicated_values {
  std::vector<double> values;  ///< of each replication
  /// Of the parts of their windows, one replication after the other, equally many of each; empty: not known.
  std::vector<double> parts{};
  /// Of each replication, in the same order of names; empty: there are none.
  std::vector<const std::vector<control_variate>*> controls{};

  /// @param of_parts empty: not known, and then none are
  void add(double value, const std::vector<double>& of_parts, const std::vector<control_variate>* of_controls) {
    const std::size_t parts_of_one = values.empty() ? of_parts.size() : parts.size() / values.size();
    values.push_back(value);
    controls.push_back(of_controls);
    if (of_parts.size() == parts_of_one)
      parts.insert(parts.end(), of_parts.begin(), of_parts.end());
    else
      parts.clear();
  }
};

/// The same after control variates have been taken out.
struct controlled_values {
  std::vector<double> values, parts;
  std::size_t fitted = 0;        ///< control variates; 0: none helps, and the values are as they were
  double variance_factor = 1.0;  ///< by which the variance of the parts has fallen, at least 1
};

/// Takes out of the values what linear regression on control variates explains of their parts (Lavenberg and Welch,
/// 1981). What remains has the same expectation, because the deviations have the expectation 0.
///
/// At most one is taken for three replications, and six in all: one after the other, each the one that leaves the least
/// variance, as long as that lowers it by a twentieth and by more than one of many that explain nothing does by chance
/// (the share of 8 parts); none unless all together lower it to less than 0.8. Variances are those of the residuals,
/// for the degrees of freedom that are left.
controlled_values take_out_controls(const replicated_values& found);

}  // namespace muster
