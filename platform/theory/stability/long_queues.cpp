#include "platform/theory/stability/long_queues.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "platform/random/random_stream.h"
#include "platform/random/weighted_choice.h"

namespace muster {

namespace {

constexpr double fewest_waiting = 4000.0, most_waiting = 10000.0;  // jobs that wait at the start
constexpr double fewest_of_a_class = 50.0;
constexpr double left_over = 0.1;      // share of the work at the start
constexpr double longest_run = 40.0;   // in units of the time in which as many jobs arrive as wait at the start
constexpr double longest_drain = 3.0;  // in units of the time in which all cores would do the work at the start
constexpr std::uint64_t run_count = 8;

/// A cluster with a queue for each class, in descending order of need.
class queueing_cluster {
 public:
  queueing_cluster(const rigid_workload& workload, admission_order order, double rate, std::uint64_t replication)
      : order_(order),
        capacity_(workload.capacity),
        mean_gap_(1.0 / rate),
        free_(workload.cores),
        classes_(descending(workload.classes)),
        waiting_(classes_.size()),
        in_service_(classes_.size()),
        choice_(weights_of(classes_)),
        class_bits_(1, replication, "long queues", "classes"),
        size_bits_(1, replication, "long queues", "sizes"),
        time_bits_(1, replication, "long queues", "arrivals") {}

  void add_jobs(double count) {
    for (double j = 0.0; j < count; ++j) add_job();
  }

  /// Simulates Poisson arrivals, and returns whether only that share of the work that waits now is left at some time.
  bool drains_to(double share, double duration) {
    const double target = share * work_waiting_;
    double next_arrival = 0.0;
    while (now_ < duration) {
      start_jobs();
      if (work_waiting_ <= target) return true;
      const double next_end = ends_.empty() ? duration : ends_.top().first;
      now_ = std::min({next_arrival, next_end, duration});
      if (next_end <= now_ && !ends_.empty()) {
        end_job();
      } else if (next_arrival <= now_) {
        add_job();
        next_arrival = now_ - std::log1p(-static_cast<double>(time_bits_() >> 11u) * 0x1p-53) * mean_gap_;
      }
    }
    return false;
  }

 private:
  using job_class = rigid_workload::job_class;
  using end_of_job = std::pair<double, std::size_t>;  // time, class

  static std::vector<job_class> descending(std::vector<job_class> all) {
    std::stable_sort(all.begin(), all.end(), [](const job_class& a, const job_class& b) { return a.need > b.need; });
    return all;
  }

  static double work(const job_class& c) { return c.need * c.held; }

  void add_job() {
    const std::size_t of = choice_(class_bits_);
    waiting_[of].push_back(arrived_++);
    work_waiting_ += work(classes_[of]);
  }

  void end_job() {
    const std::size_t of = ends_.top().second;
    ends_.pop();
    --in_service_[of];
    free_ += classes_[of].need;
  }

  void start(std::size_t of) {
    job_class& c = classes_[of];
    waiting_[of].pop_front();
    work_waiting_ -= work(c);
    ++in_service_[of];
    free_ -= c.need;
    ends_.emplace(now_ + c.overhead + c.size(size_bits_) / capacity_, of);
  }

  // The position in classes_ of the first class with a waiting job; their number if none waits.
  std::size_t first_waiting() const {
    std::size_t at = 0;
    while (at < classes_.size() && waiting_[at].empty()) ++at;
    return at;
  }

  std::size_t next_fitting() const {
    std::size_t earliest = classes_.size();
    for (std::size_t at = 0; at < classes_.size(); ++at) {
      if (waiting_[at].empty() || classes_[at].need > free_) continue;
      if (order_ != admission_order::earliest_first) return at;
      if (earliest == classes_.size() || waiting_[at].front() < waiting_[earliest].front()) earliest = at;
    }
    return earliest;
  }

  void start_jobs() {
    if (drains_) {
      const std::size_t largest = first_waiting();
      if (largest == classes_.size() || classes_[largest].need > free_) return;
      start(largest);
      drains_ = false;
    }
    for (std::size_t next; (next = next_fitting()) < classes_.size();) start(next);
    if (order_ == admission_order::largest_first_with_drains) drains_ = must_drain();
  }

  bool must_drain() const {
    if (first_waiting() == classes_.size()) return false;
    for (std::size_t at = 0; at < classes_.size(); ++at)
      if (in_service_[at] > 0 && !waiting_[at].empty()) return false;
    return true;
  }

  admission_order order_;
  double capacity_, mean_gap_;
  unsigned free_;
  std::vector<job_class> classes_;
  std::vector<std::deque<std::uint64_t>> waiting_;  // in order of arrival
  std::vector<unsigned> in_service_;
  weighted_choice choice_;
  random_stream class_bits_, size_bits_, time_bits_;
  std::uint64_t arrived_ = 0;
  double now_ = 0.0, work_waiting_ = 0.0;
  bool drains_ = false;
  std::priority_queue<end_of_job, std::vector<end_of_job>, std::greater<>> ends_;
};

// The number of jobs that wait at the start, so that some of each class do.
double jobs_at_the_start(const rigid_workload& workload) {
  double rarest = workload.rate();
  for (const auto& c : workload.classes) rarest = std::min(rarest, c.rate);
  return std::max(fewest_waiting, fewest_of_a_class * workload.rate() / rarest);
}

}  // namespace

bool long_queues_drain(const rigid_workload& workload, admission_order order, double total_rate) {
  const double jobs = jobs_at_the_start(workload), work = workload.work() / workload.rate();
  const double surplus = workload.cores - total_rate * work;
  if (!(surplus > 0.0)) return false;
  const double duration = std::max(longest_run * jobs / total_rate, longest_drain * jobs * work / surplus);
  for (std::uint64_t r = 0; r < run_count; ++r) {
    queueing_cluster cluster(workload, order, total_rate, r);
    cluster.add_jobs(jobs);
    if (!cluster.drains_to(left_over, duration)) return false;
  }
  return true;
}

double rate_at_which_long_queues_drain(const rigid_workload& workload, admission_order order, double stable_below,
                                       double unstable_from) {
  double highest = stable_below;
  if (jobs_at_the_start(workload) > most_waiting) return highest;
  for (const double part : {0.3, 0.6, 0.8, 0.9, 0.95, 0.97, 0.985}) {
    const double rate = part * unstable_from;
    if (rate <= stable_below) continue;
    if (!long_queues_drain(workload, order, rate)) break;
    highest = rate;
  }
  return highest;
}

}  // namespace muster
