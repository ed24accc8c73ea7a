#include <algorithm>
#include <cmath>
#include <iterator>

#include "platform/model/arrival_entry.h"
#include "platform/model/relative_rates.h"
#include "platform/model/synthetic_workload.h"

namespace muster {

namespace {

/// Poisson arrivals whose rate is constant in each of the equal parts of a period.
///
/// The arrivals of a Poisson process of the mean rate, each moved to the time at which as many arrivals are expected
/// (inversion of the cumulative rate: Cinlar, Introduction to Stochastic Processes, 1975, Section 4.7). One time
/// between arrivals is drawn for a job, the one that Poisson arrivals have.
class profile_workload final : public workload {
 public:
  profile_workload(const scenario& model, std::uint32_t replication)
      : jobs_(model, replication), period_(std::max<ticks>(1, model.unit.to_ticks(model.arrivals.values.front()))) {
    const std::vector<double>& rates = model.arrivals.lists.front();
    double sum = 0.0;
    for (const double rate : rates) expected_.push_back(sum += rate);
    for (double& until_end : expected_) until_end = until_end / sum * static_cast<double>(period_);
  }

  bool next(job_request& job) override {
    const ticks even = jobs_.next_arrival(), within = even % period_;
    job.arrival = even - within + moved(static_cast<double>(within));
    jobs_.draw(job);
    return true;
  }
  std::string_view fixes_arrivals() const override { return "its rate follows a course of its own"; }

 private:
  // A time within the period, moved to the part in which as many arrivals are expected.
  ticks moved(double even) const {
    const auto end = std::upper_bound(expected_.begin(), std::prev(expected_.end()), even);
    const auto part = static_cast<double>(end - expected_.begin());
    const double begin = end == expected_.begin() ? 0.0 : *std::prev(end);
    const double share = *end > begin ? (even - begin) / (*end - begin) : 0.0;
    const double time = (part + share) / static_cast<double>(expected_.size()) * static_cast<double>(period_);
    return std::min(period_, static_cast<ticks>(std::llround(time)));
  }

  synthetic_workload jobs_;
  ticks period_;
  // For each part the time until its end: the one in which as many arrivals are expected at the mean rate, in ticks.
  std::vector<double> expected_;
};

}  // namespace

/// Poisson arrivals by a table of rates; time 0 is the beginning of the period. Over whole periods their number is that
/// of Poisson arrivals.
extern const arrival_entry profile_arrivals{
    "profile",
    8,
    arrival_kind::other,
    {relative_rates_key(),
     {"period", number_key{above_zero, "time", clock_limit::range_and_step}, required{},
      "time after which the rates are the same again"}},
    exponential_times,
    make_jobs<profile_workload>,
    nullptr,
    [](const arrival_spec& arrivals) { return objection_to_rates(arrivals.lists.front()); },
    nullptr,
    [](const arrival_spec& arrivals) { return arrivals.values.front(); }};

}  // namespace muster
