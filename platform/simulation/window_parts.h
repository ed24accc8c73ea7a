#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "platform/metrics/job_statistics.h"
#include "platform/metrics/time_sums.h"
#include "platform/model/scenario.h"

namespace muster {

/// Sums over one part of the window of measurement.
struct window_part {
  table<class_id, class_record> jobs;  ///< without quantiles
  std::optional<time_sums> times;      ///< none: jobs' times are not explained
  ticks length = 0;
};

/// Divides the window of measurement into parts of equally many completions. Enough of them to show skewness and to
/// estimate regression, and so few that each is long enough to be nearly independent of the others.
class window_parts {
 public:
  static constexpr std::uint64_t count = 8;

  /// Whether the window is long enough.
  static bool possible(const run_spec& run) { return run.jobs >= run.unmeasured() + count; }
  /// The job with which a part ends, counted from the first of the replication on. @param part below `count`
  static std::uint64_t end_of(const run_spec& run, std::uint64_t part) {
    return run.unmeasured() + (run.jobs - run.unmeasured()) * (part + 1) / count;
  }

  /// @param jobs,times observe the replication and outlive this; @param times null: they are not explained
  window_parts(job_statistics& jobs, const time_sums* times)
      : jobs_(jobs), times_(times), before_(jobs.classes().size()) {
    if (times) times_before_.emplace(jobs.classes().size());
  }

  void close_part(ticks now) {
    jobs_.settle(now);
    window_part part{before_, {}, now - (parts_.empty() ? jobs_.window_begin() : begin_)};
    for (const class_id id : id_range<class_id>{before_.size()}) {
      part.jobs[id] = jobs_.classes()[id].since(before_[id]);
      before_[id] = jobs_.classes()[id].since({});
    }
    if (times_) {
      part.times = times_->since(*times_before_);
      times_before_ = *times_;
    }
    begin_ = now;
    parts_.push_back(std::move(part));
  }
  /// @return the job with which the present part ends
  std::uint64_t next_end(const run_spec& run) const { return end_of(run, parts_.size()); }

  const std::vector<window_part>& parts() const { return parts_; }

 private:
  job_statistics& jobs_;
  const time_sums* times_;
  table<class_id, class_record> before_;   // sums at the beginning of the present part
  std::optional<time_sums> times_before_;  // the same
  ticks begin_ = 0;
  std::vector<window_part> parts_;
};

}  // namespace muster
