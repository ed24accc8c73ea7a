#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "muster/modules/protocol/job_extension.h"
#include "platform/metrics/batch_series.h"
#include "platform/metrics/instrument.h"
#include "platform/metrics/replication_result.h"

namespace muster {

/// MSER (White, 1997): the number d of values to leave out at the beginning so that the standard error of the mean of
/// the others, their variance over their number, is least. The last tenth is left out of the search, as a few
/// values in a row may be close by chance.
/// @param values in their order; at least one
inline std::size_t mser(const std::vector<double>& values) {
  const std::size_t n = values.size();
  // Mean and sum of squared deviations of the values kept, from the last value backwards (Welford, 1962).
  double mean = 0.0, squares = 0.0, least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t d = n; d-- > 0;) {
    const auto left = static_cast<double>(n - d);
    const double off = values[d] - mean;
    mean += off / left;
    squares += off * (values[d] - mean);
    if ((n - d) * 10 < n) continue;
    if (const double error = squares / (left * left); error <= least) {
      least = error;
      best = d;
    }
  }
  return best;
}

/// Finds the warm-up of a replication by MSER-5 (White, Cobb and Spratt, 2000): MSER on means of 5 successive response
/// times, in the order in which jobs leave. In long replications the batches are longer (5 times a power of two), so
/// that there are at most 4096.
///
/// A minimum in the second half means that no steady state has been reached.
class warm_up_finder final : public instrument {
 public:
  void job_completes(ticks now, const job_extension& job) override {
    ++jobs_;
    responses_.add(static_cast<double>(now - job.arrival));
  }
  found_warm_up warm_up() const {
    const std::vector<double>& means = responses_.means();
    const std::size_t cut = means.empty() ? 1 : mser(means);
    if (2 * cut > means.size()) return {jobs_ / 2, false};
    return {cut * responses_.batch(), true};
  }

 private:
  batch_series responses_{5, 4096};
  std::uint64_t jobs_ = 0;
};

}  // namespace muster
