#pragma once

#include "muster/modules/protocol/job_extension.h"
#include "platform/metrics/batch_series.h"
#include "platform/metrics/instrument.h"
#include "platform/metrics/mser.h"

namespace muster {

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
  found_warm_up found() const {
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
