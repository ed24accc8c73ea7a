#pragma once

#include <optional>
#include <vector>

#include "muster/modules/source/job_observer.h"
#include "muster/policies/table.h"
#include "platform/metrics/batch_series.h"

namespace muster {

/// Half-width of the 95 % interval of a mean by overlapping batch means (Meketon and Schmeiser, 1984), from one
/// sequence of dependent values.
///
/// The overlapping batches begin at every one of the means given, and are a twentieth of the sequence long. Student's t
/// with 1.5 (20 - 1) degrees of freedom (there, Section 4): half as many again as without overlap.
/// @param means of equal, successive parts of the sequence
/// @return none if there are fewer than 40
std::optional<double> overlapping_batch_means(const std::vector<double>& means);

/// Response times, waiting times and times to the start of one class or of all, in the order of completion, for their
/// intervals.
struct time_series {
  static constexpr std::size_t most = 2048;
  batch_series response{1, most}, waiting{1, most}, to_start{1, most};

  void add(ticks now, const job_extension& job) {
    response.add(static_cast<double>(now - job.arrival));
    waiting.add(static_cast<double>(job.waited(now)));
    to_start.add(static_cast<double>(job.started - job.arrival));
  }
  void clear() {
    response.clear();
    waiting.clear();
    to_start.clear();
  }
};

/// Keeps the sequences of all classes, in bounded memory.
class batch_observer final : public job_observer {
 public:
  /// @param measured the observer to which it passes all calls on; outlives it
  batch_observer(job_observer& measured, std::size_t classes) : measured_(measured), of_(classes) {}

  /// Discards all values. To be called where the measurement begins.
  void clear() {
    all_.clear();
    for (time_series& s : of_) s.clear();
  }
  const time_series& all() const { return all_; }
  const time_series& of(class_id id) const { return of_[id]; }

  void job_arrives(ticks now, const job_extension& job) override { measured_.job_arrives(now, job); }
  // Before the call is passed on: at the warm-up's last job the others clear their sums, and clear() is called.
  void job_completes(ticks now, const job_extension& job) override {
    if (!job.slots || !job.slots->expired) {
      all_.add(now, job);
      of_[job.type].add(now, job);
    }
    measured_.job_completes(now, job);
  }

 private:
  job_observer& measured_;
  time_series all_;
  table<class_id, time_series> of_;
};

}  // namespace muster
