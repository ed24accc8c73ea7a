#include <cstdint>

#include <fmt/format.h>

#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Counts the jobs that run at time 0 and were not started then, as the policy has held them back, or had no room; and
/// those that were started elsewhere than on the servers that are named.
class initial_starts final : public instrument {
 public:
  explicit initial_starts(const observed_replication& replication) : replication_(replication) {}

  // Jobs that run are the only ones that arrive at time 0.
  void job_completes(ticks now, const job_extension& job) override {
    if (job.arrival == 0 && (job.started > 0 || job.waited(now) > 0)) ++late_;
  }
  void add_to(replication_result& result) override {
    if (const std::uint64_t elsewhere = replication_.simulated.central.jobs_without_named_places(); elsewhere > 0)
      result.notes.push_back({fmt::format(
          "{} of the jobs that run in initial.file were started on other servers than it names, which were in use",
          elsewhere)});
    if (late_ == 0) return;
    result.notes.push_back(
        {fmt::format("{} of the {} jobs that run in initial.file were not started at time 0, or not "
                     "kept running",
                     late_, replication_.point.arrivals.running)});
  }

 private:
  const observed_replication& replication_;
  std::uint64_t late_ = 0;
};

}  // namespace

extern const instrument_entry initial_starts_instrument{
    instrument_order::others,
    [](const observed_replication& replication) { return replication.point.arrivals.running > 0; },
    add_instrument<initial_starts>};

}  // namespace muster
