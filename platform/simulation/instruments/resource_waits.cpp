#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Adds up for how long each resource beside cores was short while completed jobs waited.
class resource_wait_sums final : public instrument {
 public:
  explicit resource_wait_sums(const observed_replication& replication)
      : replication_(replication), short_of_(replication.point.resources.types.size()) {}

  void window_opens(ticks) override { short_of_.assign(short_of_.size(), 0); }
  void job_completes(ticks, const job_extension& job) override {
    if (!replication_.jobs.measures(job)) return;
    for (std::size_t r = 1; r < short_of_.size(); ++r) short_of_[r] += job.times->short_of(r);
  }
  void window_closes(ticks) override { in_window_ = short_of_; }
  void add_to(replication_result& result) override {
    const scenario& point = replication_.point;
    const std::uint64_t jobs = replication_.jobs.counts().completed;
    for (std::size_t r = 1; r < in_window_.size(); ++r) {
      const double mean = jobs > 0 ? point.unit.to_units(in_window_[r]) / static_cast<double>(jobs) : 0.0;
      result.add("resource_" + point.resources.types[r].name, "resource_wait", mean, jobs, jobs > 0).marks =
          result.marks();
    }
  }

 private:
  const observed_replication& replication_;
  std::vector<tick_sum> short_of_, in_window_;  // by resource
};

}  // namespace

extern const instrument_entry resource_waits_instrument{
    instrument_order::others,
    [](const observed_replication& replication) { return replication.measures("resource_wait"); },
    add_instrument<resource_wait_sums>};

}  // namespace muster
