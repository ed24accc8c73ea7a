#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "platform/metrics/sample.h"
#include "platform/random/random_stream.h"
#include "platform/random/weighted_choice.h"
#include "platform/theory/stability/saturated_queue.h"

namespace muster {

namespace {

constexpr std::size_t batches = 32;
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Simulates a queue in order of arrival that never empties: the next job starts as soon as enough cores are free.
class saturated_run {
 public:
  explicit saturated_run(const rigid_workload& workload)
      : free_(workload.cores),
        capacity_(workload.capacity),
        classes_(workload.classes),
        choice_(weights_of(workload.classes)) {}

  struct batch {
    double duration = 0.0;  // from the start of one job to that of another, so many jobs later
    double work = 0.0;      // cores times time of the jobs that have started
  };

  batch start(std::size_t jobs) {
    batch started;
    const double begin = now_;
    for (std::size_t j = 0; j < jobs; ++j) {
      rigid_workload::job_class& c = classes_[classes_.size() > 1 ? choice_(class_bits_) : 0];
      const double held = c.overhead + c.size(size_bits_) / capacity_;
      while (free_ < c.need) {
        now_ = running_.top().first;
        free_ += running_.top().second;
        running_.pop();
      }
      free_ -= c.need;
      running_.emplace(now_ + held, c.need);
      started.work += c.need * held;
    }
    started.duration = now_ - begin;
    return started;
  }

 private:
  using end_of_job = std::pair<double, unsigned>;  // time, cores

  unsigned free_;
  double capacity_;
  std::vector<rigid_workload::job_class> classes_;
  weighted_choice choice_;
  random_stream class_bits_{1, 0, "saturated queue", "classes"}, size_bits_{1, 0, "saturated queue", "sizes"};
  double now_ = 0.0;
  std::priority_queue<end_of_job, std::vector<end_of_job>, std::greater<>> running_;
};

/// The mean of the batches' durations, corrected for the difference of their work from its known mean.
struct mean_duration {
  double mean = 0.0, half_width = 0.0;
};

mean_duration mean_of(const std::vector<saturated_run::batch>& all, double known_work) {
  const auto n = static_cast<double>(all.size());
  double duration = 0.0, work = 0.0;
  for (const auto& b : all) {
    duration += b.duration / n;
    work += b.work / n;
  }
  double squares = 0.0, work_squares = 0.0, products = 0.0;
  for (const auto& b : all) {
    squares += (b.duration - duration) * (b.duration - duration);
    work_squares += (b.work - work) * (b.work - work);
    products += (b.duration - duration) * (b.work - work);
  }
  const bool is_controlled = std::isfinite(known_work) && work_squares > 1e-20 * work * work;
  const double slope = is_controlled ? products / work_squares : 0.0;
  const double off = is_controlled ? work - known_work : 0.0;
  const double freedom = n - (is_controlled ? 2.0 : 1.0);
  const double variance = std::max(0.0, squares - slope * products) / freedom;
  const double t = students_quantile(freedom, 0.995);
  const double error = std::sqrt(variance * (1.0 / n + (is_controlled ? off * off / work_squares : 0.0)));
  return {duration - slope * off, t * error};
}

}  // namespace

saturated_throughput throughput_by_simulation(const rigid_workload& workload) {
  unsigned least = workload.cores;
  double work = 0.0, shares = 0.0;  // work of a job, and the sum of the shares
  for (const auto& c : workload.classes) {
    least = std::min(least, c.need);
    work += c.rate * c.need * (std::isfinite(c.size.variance()) ? c.held : unbounded);
    shares += c.rate;
  }
  // Batches are so long that what the cores hold at their ends matters little.
  const std::size_t jobs =
      std::clamp<std::size_t>(std::size_t{8} * workload.cores / least, std::size_t{1} << 14u, std::size_t{1} << 17u);
  saturated_run run(workload);
  run.start(jobs);
  std::vector<saturated_run::batch> all(batches);
  for (auto& b : all) b = run.start(jobs);
  const mean_duration duration = mean_of(all, work / shares * static_cast<double>(jobs));
  const auto n = static_cast<double>(jobs);
  return {n / duration.mean, n / (duration.mean + duration.half_width),
          duration.mean > duration.half_width ? n / (duration.mean - duration.half_width) : unbounded, true,
          "simulated"};
}

}  // namespace muster
