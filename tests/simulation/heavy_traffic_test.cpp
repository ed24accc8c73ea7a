#include <cmath>
#include <functional>
#include <queue>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>

#include "platform/experiment/worker_pool.h"
#include "platform/model/class_table.h"
#include "platform/simulation/cluster_hardware.h"
#include "platform/simulation/kernel_run.h"
#include "tests/scenario/first_point.h"
#include "tests/simulation/first_jobs.h"

// ServerFilling and ServerFilling-SRPT near load 1, where all needs are powers of two, and k, the number of cores, too:
// both come close to one server that serves one job after the other on all cores, which takes need times size over k,
// the job's work S. They are simulated beside that pooled queue with the same jobs, and its exact mean is a control
// variate: only the differences, which stay small as the load grows, are estimated. Source: Grosof, Harchol-Balter and
// Scheller-Wolf, "WCFS: a new framework for analyzing multiserver systems" (Queueing Systems 102, 2022).

namespace muster {
namespace {

struct kind {
  double share, mean;  ///< of exponential sizes
  int need;
};

constexpr int k = 8;
const std::vector<kind> kinds{{0.4, 1.0, 1}, {0.3, 0.5, 2}, {0.2, 1.5, 4}, {0.1, 1.0, 8}};

double mean_work_of(const kind& c) { return c.mean * c.need / k; }

/// A moment of S.
double moment(int order) {
  double sum = 0.0;
  for (const kind& c : kinds) sum += c.share * std::tgamma(order + 1.0) * std::pow(mean_work_of(c), order);
  return sum;
}

scenario at_load(double load, const std::string& policy) {
  std::string text = fmt::format("name = \"heavy\"\n[platform]\nservers = [{{ name = \"node\", cores = {} }}]\n", k);
  for (const kind& c : kinds)
    text += fmt::format(
        "[[classes]]\nname = \"need_{0}\"\nneed = {0}\nshare = {1}\nsize = {{ distribution = \"exponential\", mean = "
        "{2} }}\n",
        c.need, c.share, c.mean);
  text += fmt::format("[arrivals]\nload = {}\n[policy]\nname = \"{}\"\n[run]\njobs = 1000\n", load, policy);
  return first_point(text);
}

double arrival_rate(double load) { return load / moment(1); }

/// Of jobs that count, as those that come early do not: the system is empty at first.
struct mean_of_jobs {
  double sum = 0.0, jobs = 0.0;
  void add(double value, bool counts) {
    if (!counts) return;
    sum += value;
    ++jobs;
  }
  double value() const { return sum / jobs; }
};

/// The pooled queue. Times and work are in units of time.
class pooled_queue {
 public:
  virtual ~pooled_queue() = default;
  virtual void arrive(double time, double work, bool counts) = 0;
  double mean() const { return mean_.value(); }

 protected:
  mean_of_jobs mean_;
};

/// First come, first served: the work that each job finds, by Lindley's recursion.
class work_found final : public pooled_queue {
 public:
  void arrive(double time, double work, bool counts) override {
    present_ = std::max(0.0, present_ - (time - latest_));
    latest_ = time;
    mean_.add(present_, counts);
    present_ += work;
  }
  /// Pollaczek and Khinchin.
  static double exact_mean(double load) { return arrival_rate(load) * moment(2) / (2.0 * (1.0 - load)); }

 private:
  double present_ = 0.0, latest_ = 0.0;
};

/// Least remaining work first: response times.
class least_work_first final : public pooled_queue {
 public:
  void arrive(double time, double work, bool counts) override {
    while (!jobs_.empty() && now_ + jobs_.top().left <= time) {
      now_ += jobs_.top().left;
      mean_.add(now_ - jobs_.top().arrival, jobs_.top().counts);
      jobs_.pop();
    }
    if (!jobs_.empty()) {
      entrant first = jobs_.top();
      jobs_.pop();
      first.left -= time - now_;
      jobs_.push(first);
    }
    now_ = time;
    jobs_.push({work, time, counts});
  }
  /// Schrage and Miller.
  static double exact_mean(double load);

 private:
  struct entrant {
    double left, arrival;
    bool counts;
    bool operator<(const entrant& other) const { return left > other.left; }
  };
  std::priority_queue<entrant> jobs_;
  double now_ = 0.0;
};

double least_work_first::exact_mean(double load) {
  const double rate = arrival_rate(load);
  // Of the jobs whose work S is at most x: the share of others, E[S; S <= x] and E[S^2; S <= x].
  const auto over_kinds = [](auto&& term) {
    double sum = 0.0;
    for (const kind& c : kinds) sum += c.share * term(mean_work_of(c));
    return sum;
  };
  const auto above = [&](double x) { return over_kinds([x](double m) { return std::exp(-x / m); }); };
  const auto density = [&](double x) { return over_kinds([x](double m) { return std::exp(-x / m) / m; }); };
  const auto load_below = [&](double x) {
    return rate * over_kinds([x](double m) { return m - (m + x) * std::exp(-x / m); });
  };
  const auto second_below = [&](double x) {
    return over_kinds([x](double m) { return 2 * m * m - (x * x + 2 * m * x + 2 * m * m) * std::exp(-x / m); });
  };
  const auto integrand = [&](double x) {
    const double idle = 1.0 - load_below(x);
    const double waiting = rate * (second_below(x) + x * x * above(x)) / (2.0 * idle * idle);
    return density(x) * waiting + above(x) / idle;  // the latter: from its start to its completion
  };
  constexpr double end = 60.0;  // beyond it is exp(-60) of the jobs
  return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(integrand, 0.0, end, 12, 1e-10);
}

/// Response times in the cluster, and the pooled queue with the same jobs.
class beside final : public job_observer {
 public:
  beside(const scenario& model, pooled_queue& queue, std::uint64_t early)
      : queue_(queue),
        unit_(static_cast<double>(model.unit.to_ticks(1.0))),
        classes_(class_table(model)),
        early_(early) {}
  void job_arrives(ticks now, const job_extension& job) override {
    const double size = static_cast<double>(job.descriptor.size) / unit_;
    const auto type = static_cast<class_id>(job.descriptor.type);
    queue_.arrive(static_cast<double>(now) / unit_, size * classes_[type].need / k, arrived_++ >= early_);
  }
  void job_completes(ticks now, const job_extension& job) override {
    mean_.add(static_cast<double>(now - job.arrival) / unit_, job.id >= early_);
  }
  double mean() const { return mean_.value(); }

 private:
  pooled_queue& queue_;
  double unit_;
  table<class_id, job_class> classes_;
  std::uint64_t early_, arrived_ = 0;
  mean_of_jobs mean_;
};

struct means {
  double in_cluster, in_pooled_queue;
};

constexpr std::size_t replications = 20;

/// @param early jobs of each replication that do not count. @param jobs of each replication
template <class Queue>
std::vector<means> simulate(double load, const std::string& policy, std::uint64_t early, std::uint64_t jobs) {
  const scenario model = at_load(load, policy);
  std::vector<means> found(replications);
  const auto one = [&](std::size_t replication) {
    const auto number = static_cast<std::uint32_t>(replication);
    return in_the_kernel(model, [&] {
      first_jobs workload(model, number, jobs);
      Queue queue;
      beside seen(model, queue, early);
      module_of<cluster_hardware> whole("cluster", model, number, workload, seen);
      sc_core::sc_start();
      return fmt::format("{} {}", seen.mean(), queue.mean());
    });
  };
  const auto keep = [&](const task_outcome& outcome) {
    if (outcome.failed) throw std::runtime_error(outcome.text);
    std::istringstream(outcome.text) >> found[outcome.task].in_cluster >> found[outcome.task].in_pooled_queue;
    return true;
  };
  worker_pool(2).run(replications, one, keep, [] { return true; });
  return found;
}

/// A mean with an interval that misses the truth once in 10,000 tests.
struct interval {
  double low, high;
};

template <class Value>
interval interval_of(const std::vector<means>& found, const Value& value, double offset = 0.0) {
  double sum = 0.0, squares = 0.0;
  for (const means& m : found) sum += value(m);
  const double mean = sum / replications;
  for (const means& m : found) squares += std::pow(value(m) - mean, 2);
  const boost::math::students_t t(replications - 1.0);
  const double half = boost::math::quantile(t, 1.0 - 0.5e-4) * std::sqrt(squares / (replications - 1.0) / replications);
  return {mean + offset - half, mean + offset + half};
}

double by_which_the_cluster_is_slower(const means& m) { return m.in_cluster - m.in_pooled_queue; }

/// Mean response time in the cluster: the pooled queue's exact mean and the estimated difference.
template <class Queue>
interval response_time(double load, const std::vector<means>& found) {
  return interval_of(found, by_which_the_cluster_is_slower, Queue::exact_mean(load));
}

// What follows is for exponential sizes, where the work left of a job, served or not, has the mean of its class,
// whatever the policy has done. W is all work, B the share of cores in service, M the jobs of ServerFilling's prefix.
//
// d/dt E[W^2] = 0 gives E[W] = lambda E[S^2] / (2 (1 - load)) + E[(1 - B) W] / (1 - load), with E[1 - B] = 1 - load.
// Cores are idle only while all jobs together need less than k, so that the last term is at least 0 and at most the
// largest mean work of such jobs. The classes of the jobs behind M are as those of arrivals, so that E[N] E[S] - E[W]
// is the mean of |M| E[S] less the work of M; and load E[T] = E[N] E[S]. With the least and the most of both terms over
// all M there can be, (1 - load) E[T] differs from E[S^2] / (2 E[S]) by a multiple of 1 - load.
interval bounds_of_server_filling(double load) {
  double least = 0.0, most = 0.0, most_idle = 0.0;
  const std::function<void(std::size_t, int, double, double)> extend = [&](std::size_t from, int need, double jobs_in_m,
                                                                           double work) {
    const auto note = [&](double count, double with) {
      least = std::min(least, count * moment(1) - with);
      most = std::max(most, count * moment(1) - with);
    };
    note(jobs_in_m, work);
    most_idle = std::max(most_idle, work);
    for (std::size_t c = 0; c < kinds.size(); ++c) {
      if (need + kinds[c].need >= k)
        note(jobs_in_m + 1, work + mean_work_of(kinds[c]));  // the last one of M
      else if (c >= from)
        extend(c, need + kinds[c].need, jobs_in_m + 1, work + mean_work_of(kinds[c]));
    }
  };
  extend(0, 0, 0.0, 0.0);
  const double common = moment(2) / (2.0 * moment(1) * (1.0 - load));
  return {common + least / load, common + (most + most_idle) / load};
}

class server_filling_in_heavy_traffic : public testing::TestWithParam<double> {};

TEST_P(server_filling_in_heavy_traffic, responds_like_a_pooled_queue_but_for_a_bounded_term) {
  const double load = GetParam();
  const interval found = response_time<work_found>(load, simulate<work_found>(load, "server_filling", 10'000, 60'000));
  const interval bounds = bounds_of_server_filling(load);
  EXPECT_GT(found.low, bounds.low);
  EXPECT_LT(found.high, bounds.high);
}

INSTANTIATE_TEST_SUITE_P(at_load, server_filling_in_heavy_traffic, testing::Values(0.9, 0.95, 0.98));

// No policy can be faster than the pooled queue with least remaining work first, as it can do whatever the cluster
// does. By the theorem of "Optimal scheduling in the multiserver-job model under heavy traffic" ServerFilling-SRPT is
// slower by no more than a term of order log(1 / (1 - load)), while the queue's own mean grows faster.
TEST(heavy_traffic, lets_server_filling_srpt_come_close_to_the_best_pooled_queue) {
  const double load = 0.9, higher = 0.98, best = least_work_first::exact_mean(load);
  const std::vector<means> found = simulate<least_work_first>(load, "server_filling_srpt", 5'000, 45'000);
  const std::vector<means> found_higher = simulate<least_work_first>(higher, "server_filling_srpt", 6'000, 36'000);
  const interval pooled = interval_of(found, [](const means& m) { return m.in_pooled_queue; });
  EXPECT_LT(pooled.low, best);
  EXPECT_GT(pooled.high, best);
  EXPECT_LT(pooled.high - pooled.low, 0.2 * best);
  const interval slower = interval_of(found, by_which_the_cluster_is_slower);
  const interval slower_at_higher = interval_of(found_higher, by_which_the_cluster_is_slower);
  EXPECT_GT(slower.low, 0.0);
  EXPECT_GT(slower_at_higher.low, 0.0);
  EXPECT_LT(slower_at_higher.high / slower.low, std::log(1.0 - higher) / std::log(1.0 - load));
  EXPECT_LT(least_work_first::exact_mean(higher) + slower_at_higher.high, bounds_of_server_filling(higher).low);
}

}  // namespace
}  // namespace muster
