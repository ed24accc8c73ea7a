#pragma once

#include "muster/modules/protocol/job_extension.h"
#include "muster/policies/table.h"
#include "platform/metrics/batch_series.h"
#include "platform/metrics/instrument.h"

namespace muster {

/// Keeps the time_series of each class and of all classes together, in bounded memory.
class batch_sequences final : public instrument {
 public:
  explicit batch_sequences(std::size_t classes) : of_(classes) {}

  const time_series& all() const { return all_; }
  const time_series& of(class_id id) const { return of_[id]; }

  void window_opens(ticks) override {
    all_.clear();
    for (time_series& s : of_) s.clear();
  }
  void job_completes(ticks now, const job_extension& job) override {
    if (job.slots && job.slots->expired) return;
    for (time_series* const series : {&all_, &of_[job.declared_class()]})
      series->add(now - job.arrival, job.waited(now), job.started - job.arrival);
  }

 private:
  time_series all_;
  table<class_id, time_series> of_;
};

}  // namespace muster
