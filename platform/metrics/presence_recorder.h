#pragma once

#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "platform/metrics/job_statistics.h"

namespace muster {

/// Records the number of jobs in the system at regular instants.
class presence_recorder final : private timer_client {
 public:
  struct sample {
    ticks time;
    table<class_id, std::uint64_t> jobs;
  };

  /// @param step ticks between samples, the first at 0
  /// @param end no sample after it
  presence_recorder(timekeeper& time, const job_statistics& jobs, ticks step, ticks end)
      : time_(time),
        jobs_(jobs),
        step_(step),
        end_(end),
        timer_(time.add_recurring(timer_rank::observation, *this, 0)) {
    time_.set(timer_, 0);
  }

  const std::vector<sample>& samples() const { return samples_; }

 private:
  void expired(ticks now, std::uint32_t) override {
    sample s{now, table<class_id, std::uint64_t>(jobs_.classes().size())};
    for (const class_id id : id_range<class_id>{s.jobs.size()}) s.jobs[id] = jobs_.present(id);
    samples_.push_back(std::move(s));
    if (now + step_ <= end_) time_.set(timer_, now + step_);
  }

  timekeeper& time_;
  const job_statistics& jobs_;
  ticks step_, end_;
  timekeeper::recurring timer_;
  std::vector<sample> samples_;
};

}  // namespace muster
