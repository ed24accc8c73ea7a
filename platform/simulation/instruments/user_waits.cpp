#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Measures the waiting times by user: the mean over the users of each one's mean, and the worst of these. Jobs whose
/// user is not known do not count.
class user_waits final : public instrument {
 public:
  explicit user_waits(const observed_replication& replication)
      : replication_(replication), of_user_(replication.point.arrivals.users.size()) {}

  void window_opens(ticks) override { of_user_.assign(of_user_.size(), {}); }
  void job_completes(ticks now, const job_extension& job) override {
    if (job.user >= of_user_.size() || !replication_.jobs.measures(job)) return;
    ++of_user_[job.user].jobs;
    of_user_[job.user].waited += job.waited(now);
  }
  void add_to(replication_result& result) override {
    double sum = 0.0, worst = 0.0, users = 0.0;
    std::uint64_t jobs = 0;
    for (const waits& of : of_user_) {
      if (of.jobs == 0) continue;
      const double mean = replication_.point.unit.to_units(of.waited) / static_cast<double>(of.jobs);
      sum += mean;
      worst = std::max(worst, mean);
      users += 1.0;
      jobs += of.jobs;
    }
    const cautions marks = result.marks();
    result.add("all", "mean_wait_of_users", users > 0.0 ? sum / users : 0.0, jobs, users > 0.0).marks = marks;
    result.add("all", "worst_mean_wait_of_users", worst, jobs, users > 0.0).marks = marks;
  }

 private:
  struct waits {
    std::uint64_t jobs = 0;
    tick_sum waited = 0;
  };

  const observed_replication& replication_;
  std::vector<waits> of_user_;
};

}  // namespace

extern const instrument_entry user_waits_instrument{
    instrument_order::others,
    [](const observed_replication& replication) { return replication.measures("mean_wait_of_users"); },
    add_instrument<user_waits>};

}  // namespace muster
