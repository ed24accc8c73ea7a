#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/simulation/job_statistics.h"

namespace muster {

/// The sums over a part of the window of measurement.
/// @tparam Jobs records without quantiles: of each class, or of one class or all together
template <class Jobs>
struct sums_of_part {
  Jobs jobs;
  ticks length = 0;
};
using window_part = sums_of_part<table<class_id, class_record>>;
using window_part_of_class = sums_of_part<class_record>;

/// The values of a function, which returns an optional number, for each part. Empty if one part has none: nothing has
/// completed in it, or no time passed as all completed in one slot.
template <class Parts, class Value>
std::vector<double> values_of_parts(const Parts& parts, const Value& value_of) {
  std::vector<double> values;
  for (const auto& part : parts) {
    const std::optional<double> value = value_of(part);
    if (!value || !std::isfinite(*value)) return {};
    values.push_back(*value);
  }
  return values;
}

/// Divides the window of measurement into parts of equally many completions: enough parts to show skewness and to
/// estimate regression, and so few that each is long enough to be nearly independent of the others.
class window_parts {
 public:
  static constexpr std::uint64_t count = 8;

  /// Whether parts are recorded: they are of use, and the window is long enough.
  static bool wanted(const scenario& point) {
    return point.records_parts() && point.run.jobs >= point.run.unmeasured() + count;
  }
  /// The number, within the replication, of the completion with which a part ends. @param part below `count`
  static std::uint64_t end_of(const run_spec& run, std::uint64_t part) {
    return run.unmeasured() + (run.jobs - run.unmeasured()) * (part + 1) / count;
  }

  /// @param jobs outlive the parts
  explicit window_parts(job_statistics& jobs) : jobs_(jobs), before_(jobs.classes().size()) {}

  void close_part(ticks now) {
    jobs_.settle(now);
    window_part part{before_, now - (parts_.empty() ? jobs_.window_begin() : begin_)};
    for (const class_id id : id_range<class_id>{before_.size()}) {
      part.jobs[id] = jobs_.classes()[id].since(before_[id]);
      before_[id] = jobs_.classes()[id].since({});
    }
    begin_ = now;
    parts_.push_back(std::move(part));
  }
  /// @return the job with which the present part ends
  std::uint64_t next_end(const run_spec& run) const { return end_of(run, parts_.size()); }

  const std::vector<window_part>& parts() const { return parts_; }
  std::vector<window_part_of_class> of(class_id id) const {
    return each([id](const window_part& p) -> const class_record& { return p.jobs[id]; });
  }
  /// The sums over all classes in each part.
  std::vector<window_part_of_class> of_all() const {
    return each([](const window_part& p) { return sum_of(p.jobs); });
  }

 private:
  template <class Jobs>
  std::vector<window_part_of_class> each(const Jobs& jobs_of) const {
    std::vector<window_part_of_class> all;
    for (const window_part& p : parts_) all.push_back({jobs_of(p), p.length});
    return all;
  }

  job_statistics& jobs_;
  table<class_id, class_record> before_;  // sums at the beginning of the present part, by class
  ticks begin_ = 0;
  std::vector<window_part> parts_;
};

}  // namespace muster
