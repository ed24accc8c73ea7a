#include "platform/calibration/replay_error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace muster {

namespace {

/// Collects the jobs of a class.
class class_sums {
 public:
  void add(const paired_job& job) { jobs_.push_back(&job); }
  bool empty() const { return jobs_.empty(); }

  class_error result(const std::string& name, const time_unit& unit) const {
    class_error error;
    error.class_name = name;
    error.jobs = jobs_.size();
    const double second = static_cast<double>(unit.ticks) / unit.seconds;
    std::vector<std::int64_t> logged, replayed;
    for (const paired_job* job : jobs_) {
      logged.push_back(job->logged_wait);
      replayed.push_back(job->wait);
      const auto later = static_cast<double>(job->later());
      const double apart = std::abs(later);
      error.later += later;
      error.apart += apart;
      error.within_second += apart <= second ? 1.0 : 0.0;
      error.within_minute += apart <= 60.0 * second ? 1.0 : 0.0;
      error.within_tenth += apart <= 0.1 * static_cast<double>(job->logged_wait) ? 1.0 : 0.0;
    }
    const auto jobs = static_cast<double>(jobs_.size());
    const auto of_unit = static_cast<double>(unit.ticks);
    for (double* share : {&error.within_second, &error.within_minute, &error.within_tenth}) *share /= jobs;
    for (double* mean : {&error.later, &error.apart}) *mean /= of_unit * jobs;
    std::tie(error.logged_mean, error.logged_p95) = mean_and_p95(logged, of_unit);
    std::tie(error.replayed_mean, error.replayed_p95) = mean_and_p95(replayed, of_unit);
    return error;
  }

 private:
  static std::pair<double, double> mean_and_p95(std::vector<std::int64_t>& waits, double of_unit) {
    double sum = 0.0;
    for (const std::int64_t wait : waits) sum += static_cast<double>(wait);
    const std::size_t at = (95 * waits.size() + 99) / 100 - 1;  // of n values the one of rank 0.95 n, rounded up
    std::nth_element(waits.begin(), waits.begin() + static_cast<std::ptrdiff_t>(at), waits.end());
    return {sum / of_unit / static_cast<double>(waits.size()), static_cast<double>(waits[at]) / of_unit};
  }

  std::vector<const paired_job*> jobs_;
};

}  // namespace

replay_error error_of(const scenario& point, const paired_jobs& pairs) {
  class_sums all;
  std::vector<class_sums> classes(point.classes.size());
  std::vector<std::pair<std::int64_t, std::int64_t>> starts;
  for (const paired_job& job : pairs.jobs) {
    all.add(job);
    classes[job.job_class].add(job);
    starts.emplace_back(job.logged_start(), job.start);
  }
  replay_error error;
  error.classes.push_back(all.result("all", point.unit));
  for (std::size_t c = 0; c < classes.size(); ++c)
    if (!classes[c].empty()) error.classes.push_back(classes[c].result(point.classes[c].name, point.unit));
  error.order = compare_orders(std::move(starts));
  return error;
}

}  // namespace muster
