#include "platform/theory/stability/saturated_queue.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

#include "platform/metrics/sample.h"
#include "platform/random/random_stream.h"
#include "platform/random/weighted_choice.h"
#include "platform/theory/fcfs/fcfs_chain.h"

namespace muster {

namespace {

// The probabilities that n jobs need s cores in all, by recursion over n.
class filling_sums {
 public:
  explicit filling_sums(const rigid_workload& workload) : workload_(workload), chance_(workload.cores + 1) {
    chance_[0] = 1.0;
  }

  // Adds one job. @return the probability that all fit
  double add_job() {
    std::vector<double> next(chance_.size());
    for (const auto& c : workload_.classes)
      for (std::size_t s = c.need; s < next.size(); ++s) next[s] += c.rate * chance_[s - c.need];
    chance_ = std::move(next);
    double sum = 0.0;
    for (const double p : chance_) sum += p;
    return sum;
  }

 private:
  const rigid_workload& workload_;
  std::vector<double> chance_;  // by the cores that the jobs need
};

/// Counts the ways in which jobs can be in service, some cores perhaps idle. @return `most` + 1 if there are more
std::size_t count_allocations(const rigid_workload& workload, std::size_t most) {
  std::vector<std::size_t> ways(workload.cores + 1);  // by number of cores
  ways[0] = 1;
  for (const auto& c : workload.classes)
    for (std::size_t s = c.need; s < ways.size(); ++s) ways[s] = std::min(ways[s] + ways[s - c.need], most + 1);
  std::size_t all = 0;
  for (const std::size_t n : ways) all = std::min(all + n, most + 1);
  return all;
}

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

std::optional<double> throughput_by_cycles(const rigid_workload& workload) {
  if (workload.classes.size() != 2) return std::nullopt;
  const auto [light, heavy] = std::minmax(workload.classes[0], workload.classes[1],
                                          [](const auto& a, const auto& b) { return a.need < b.need; });
  if (light.need != 1 || heavy.need != workload.cores || workload.cores == 1 || !light.is_exponential())
    return std::nullopt;
  const double light_share = light.rate / workload.rate(), heavy_share = heavy.rate / workload.rate();
  double cycle = heavy.held;
  double at_least = 1.0;  // P(L >= n)
  for (unsigned n = 1; n <= workload.cores; ++n)
    cycle += (at_least *= light_share) * light.held / n;  // the n-th light job prolongs the period by 1 / (n mu)
  cycle += at_least * light_share / heavy_share * light.held / workload.cores;  // each further one by 1 / (k mu)
  return workload.rate() / heavy.rate / cycle;
}

std::optional<double> throughput_by_product_form(const rigid_workload& workload) {
  constexpr double most_steps = 2e8;
  const auto& classes = workload.classes;
  const unsigned least = std::min_element(classes.begin(), classes.end(), [](const auto& a, const auto& b) {
                           return a.need < b.need;
                         })->need;
  const unsigned most_jobs = workload.cores / least;
  const double steps = static_cast<double>(most_jobs) * workload.cores * static_cast<double>(classes.size());
  if (steps > most_steps || !std::all_of(classes.begin(), classes.end(), [&](const auto& c) {
        return c.is_exponential() && c.held == classes.front().held;
      }))
    return std::nullopt;
  filling_sums sums(workload);
  double mean = 0.0;  // of 1 / S
  double fits = sums.add_job();
  for (unsigned n = 1; n <= most_jobs; ++n) {
    const double next_fits = sums.add_job();
    mean += (fits - next_fits) / n;
    fits = next_fits;
  }
  return 1.0 / (classes.front().held * mean);
}

std::optional<double> throughput_by_chain(const rigid_workload& workload, std::size_t most_states) {
  std::vector<fcfs_class> classes;
  for (const auto& c : workload.classes) {
    if (!c.is_exponential() || workload.cores / c.need > most_states) return std::nullopt;
    classes.push_back({c.need, c.rate, 1.0 / c.held});
  }
  const std::size_t most_allocations = 4 * most_states;
  if (count_allocations(workload, most_allocations) > most_allocations) return std::nullopt;
  return saturated_fcfs_throughput(workload.cores, classes, most_states);
}

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

saturated_throughput saturated_throughput_of(const rigid_workload& workload) {
  const auto computed = saturated_throughput::computed;
  if (const auto rate = throughput_by_cycles(workload))
    return computed(*rate, "one-or-all with exponential light jobs");
  if (const auto rate = throughput_by_product_form(workload))
    return computed(*rate, "product form, exponential sizes of one mean (Rumyantsev and Morozov 2017)");
  if (const auto rate = throughput_by_chain(workload, most_chain_states))
    return computed(*rate, "exponential sizes, Markov chain of the jobs in service");
  return throughput_by_simulation(workload);
}

}  // namespace muster
