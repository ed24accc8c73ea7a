#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "platform/metrics/replication_result.h"
#include "platform/simulation/bounded_slowdown.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Measures the mean bounded slowdown of the jobs of a log by their need, in ranges that double, and their run time.
class slowdown_recorder final : public instrument {
 public:
  explicit slowdown_recorder(const observed_replication& replication)
      : replication_(replication), slowdown_(replication.point) {
    const time_unit& unit = replication.point.unit;
    for (std::size_t n = 0; n < limits_.size(); ++n)
      limits_[n] = unit.to_ticks(slowdown_cell::run_limits[n] / unit.seconds);
  }

  void window_opens(ticks) override { sums_.clear(); }
  void job_completes(ticks now, const job_extension& job) override {
    if (!replication_.jobs.measures(job)) return;
    const ticks response = now - job.arrival, run = response - job.waited(now);
    const auto range = std::upper_bound(limits_.begin(), limits_.end(), run) - limits_.begin();
    sum& of = sums_[{largest_of(replication_.simulated.central.view().cores(job.type)), range}];
    ++of.jobs;
    of.slowdown += slowdown_.of(response, run);
  }
  void add_to(replication_result& result) override {
    for (const auto& [range, of] : sums_) {
      slowdown_cell& cell = result.pictures.slowdowns.emplace_back();
      cell.cores = range.first;
      if (const auto at = static_cast<std::size_t>(range.second); at < limits_.size())
        cell.run_below = slowdown_cell::run_limits[at];
      cell.jobs = of.jobs;
      cell.slowdown = of.slowdown / static_cast<double>(of.jobs);
    }
  }

 private:
  struct sum {
    std::uint64_t jobs = 0;
    double slowdown = 0.0;
  };

  // The largest need of a range: the least power of two that is no smaller than the need.
  static std::uint32_t largest_of(std::uint32_t need) {
    std::uint32_t power = 1;
    while (power < need) power *= 2;
    return power;
  }

  const observed_replication& replication_;
  bounded_slowdown slowdown_;
  std::array<ticks, std::size(slowdown_cell::run_limits)> limits_{};  // ends of the ranges of run times
  std::map<std::pair<std::uint32_t, std::ptrdiff_t>, sum> sums_;      // by largest need and range of run times
};

}  // namespace

extern const instrument_entry slowdown_recorder_instrument{instrument_order::others, drawn_log,
                                                           add_instrument<slowdown_recorder>};

}  // namespace muster
