#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "platform/simulation/job_statistics.h"

namespace muster {

/// Statistics of a list or log of which the first and the last jobs to arrive are simulated, but not measured. The
/// window opens with the first arrival that is measured, and closes as that of all jobs does.
class listed_statistics final : public job_statistics {
 public:
  /// @param jobs of the list @param at_end the last ones, which are not measured
  listed_statistics(std::size_t classes, std::uint64_t jobs, std::uint64_t at_end)
      : job_statistics(classes), measured_until_(jobs - at_end) {}

  /// Opens the window with the arrival behind so many.
  void open_after(std::uint64_t jobs, std::function<void()> opens) override {
    measure_only(jobs, measured_until_ - jobs);
    first_arrival_ = jobs + 1;
    call_at_opening(std::move(opens));
  }
  void job_arrives(ticks now, const job_extension& job) override {
    job_statistics::job_arrives(now, job);
    if (first_arrival_ > 1 && arrived() == first_arrival_) open(now);
  }
  void job_completes(ticks now, const job_extension& job) override {
    if (measures(job))
      job_statistics::job_completes(now, job);
    else
      count_unmeasured(now, job);
  }

 private:
  std::uint64_t measured_until_;
  std::uint64_t first_arrival_ = 0;  // number of the first arrival that is measured, from 1
};

}  // namespace muster
