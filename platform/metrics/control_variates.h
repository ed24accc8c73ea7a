#pragma once

#include <cstddef>
#include <vector>

#include "platform/metrics/replication_result.h"

namespace muster {

/// The values of one mean in independent replications, as measured or after control variates have been taken out.
struct replicated_values {
  std::vector<std::size_t> replications{};  ///< numbers of the replications that have a value, ascending
  std::vector<double> values{};             ///< values of these replications
  /// Values of the parts of their windows, one replication after the other, equally many of each; empty: not known.
  std::vector<double> parts{};
  std::size_t fitted = 0;        ///< number of control variates taken out; 0: the values are as measured
  double variance_factor = 1.0;  ///< factor by which the variance of the parts has fallen, at least 1
  double bias = 0.0;             ///< estimated bias of the mean of the values, for which an interval allows

  /// Adds the value of a further replication. @param of_parts values of the parts; empty: not known, and then those of
  /// no replication are
  void add(std::size_t replication, double value, const std::vector<double>& of_parts) {
    const std::size_t parts_of_one = values.empty() ? of_parts.size() : parts.size() / values.size();
    replications.push_back(replication);
    values.push_back(value);
    if (of_parts.size() == parts_of_one)
      parts.insert(parts.end(), of_parts.begin(), of_parts.end());
    else
      parts.clear();
  }
};

/// The control variates of a point: one set for all its means. Taken out of two means, they are taken out of the sum of
/// both with the same coefficients, since those are linear in the values: what adds up still does.
class control_set {
 public:
  control_set() = default;  ///< no control variate
  /// Chooses the set with which linear regression explains most of some means (Lavenberg and Welch, 1981).
  ///
  /// At most one for three replications, and six in all: one after the other, each the one that leaves the least
  /// variance, in the geometric mean over the means, as long as that lowers it by a twentieth and by more than one of
  /// many that explain nothing does by chance (the share of 8 parts); none unless all together lower it to less than
  /// 0.8. Variances are those of the residuals, for the degrees of freedom that are left.
  ///
  /// A control variate whose mean lies so far from its expectation, by its own scatter over the replications, that this
  /// happens by chance once in a thousand times, is left out: where a window is too short for its load, the coupled
  /// queues have not reached their expectation, and the regression on short parts does not say what is still to come.
  /// @param controls control variates of each replication, in the same order of names
  /// @param means with values of all replications, and parts
  control_set(const std::vector<const std::vector<control_variate>*>& controls,
              const std::vector<replicated_values>& means);

  std::size_t size() const { return chosen_.size(); }
  /// Takes the set out of a mean. What remains has the same expectation, because the deviations have the expectation 0,
  /// but for the bias of regression on few parts.
  ///
  /// What remains of each replication, and the bias, are those of the jackknife over replications (Nelson, 1990,
  /// Operations Research 38): residuals alone say too little of how much the mean varies. Where a queue was long, the
  /// same parts decide on the coefficients and have the largest residuals, and coefficients follow them.
  replicated_values taken_out_of(replicated_values mean) const;

  /// The values of one mean, over whole windows and over their parts.
  struct observed {
    std::vector<double> values, parts;

    void subtract(const observed& other, double times);
  };

 private:
  std::vector<observed> of_replications(const std::vector<std::size_t>& replications) const;

  std::vector<observed> chosen_;  // the chosen control variates, of all replications
};

}  // namespace muster
