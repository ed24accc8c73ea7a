#include "platform/calibration/estimate_errors.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>

#include "muster/modules/scheduler/services/learnt_estimates.h"

namespace muster {

namespace {

constexpr double ticks_of_second = 1e6;  // finer than any log tells

ticks in_ticks(double seconds) { return static_cast<ticks>(std::max(1.0, std::round(seconds * ticks_of_second))); }

/// Jobs that run, by their ends.
class running_jobs_of_log {
 public:
  explicit running_jobs_of_log(std::size_t users) : learnt_(users) {}

  void add(const logged_job& job) { ends_.emplace(job.end(), job.user, job.run); }
  double estimate(const logged_job& job) {
    for (; !ends_.empty() && std::get<0>(ends_.top()) <= job.submit; ends_.pop())
      learnt_.complete(std::get<1>(ends_.top()), in_ticks(std::get<2>(ends_.top())));
    return static_cast<double>(learnt_.of(job.user, in_ticks(job.requested))) / ticks_of_second;
  }

 private:
  using end_of_job = std::tuple<double, std::uint32_t, double>;  // moment, user, run time
  learnt_estimates learnt_;
  std::priority_queue<end_of_job, std::vector<end_of_job>, std::greater<>> ends_;
};

}  // namespace

estimate_errors errors_of_estimates(const logged_past& past) {
  estimate_errors errors;
  std::size_t users = 0;
  std::vector<double> ratios;
  const auto is_known = [](const logged_job& job) { return job.waited && job.requested > 0.0; };
  for (const logged_job& job : past.jobs) {
    if (job.user != job_facts::no_user) users = std::max<std::size_t>(users, job.user + std::size_t{1});
    if (!is_known(job)) continue;
    ratios.push_back(job.run / job.requested);
    if (job.run >= job.requested) errors.beyond_limit.push_back(job.run - job.requested);
  }
  errors.jobs = ratios.size();
  errors.knows_users = users > 0;
  if (ratios.empty()) return errors;
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
  errors.median_ratio = ratios[ratios.size() / 2];
  running_jobs_of_log running(users);
  for (const logged_job& job : past.jobs) {
    if (is_known(job)) {
      errors.requested += std::abs(job.requested - job.run);
      errors.factor += std::abs(errors.median_ratio * job.requested - job.run);
      errors.learnt += std::abs(running.estimate(job) - job.run);
    }
    if (job.waited) running.add(job);
  }
  for (double* sum : {&errors.requested, &errors.factor, &errors.learnt}) *sum /= static_cast<double>(errors.jobs);
  return errors;
}

}  // namespace muster
