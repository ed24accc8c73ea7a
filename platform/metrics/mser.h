#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "muster/modules/source/job_observer.h"
#include "platform/metrics/batch_series.h"

namespace muster {

/// How many jobs at the beginning of a replication belong to its warm-up.
struct found_warm_up {
  std::uint64_t jobs = 0;  ///< that leave before the measurement begins
  bool settled = true;     ///< else the replication is too short to show a steady state, and `jobs` is half of it
};

/// MSER (White, 1997): the number d of values to leave out at the beginning so that the standard error of the mean of
/// the others, their variance over their number, is least. The last tenth is left out of the search, as a few
/// values in a row may be close by chance.
/// @param values in their order; at least one
std::size_t mser(const std::vector<double>& values);

/// Finds the warm-up of a replication by MSER-5 (White, Cobb and Spratt, 2000): MSER on means of 5 successive response
/// times, in the order in which jobs leave. Of long replications the batches are longer (5 times a power of two), so
/// that there are at most 4096.
///
/// A minimum in the second half means that no steady state has been reached.
class warm_up_finder final : public job_observer {
 public:
  /// @param measured the observer to which it passes all calls on; outlives it
  explicit warm_up_finder(job_observer& measured) : measured_(measured) {}

  found_warm_up found() const;

  void job_arrives(ticks now, const job_extension& job) override { measured_.job_arrives(now, job); }
  void job_completes(ticks now, const job_extension& job) override {
    ++jobs_;
    responses_.add(static_cast<double>(now - job.arrival));
    measured_.job_completes(now, job);
  }

 private:
  job_observer& measured_;
  batch_series responses_{5, 4096};
  std::uint64_t jobs_ = 0;
};

}  // namespace muster
