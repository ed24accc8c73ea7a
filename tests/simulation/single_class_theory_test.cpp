#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// Single-class systems with known answers. Every interval here misses the truth with probability 1e-4; seeds are fixed.

namespace muster {
namespace {

std::string queue(unsigned cores, double rate, const std::string& size, const std::string& platform = "") {
  return one_class(fmt::format("cores = {}", cores), platform, rate, size,
                   "jobs = 37_000\nreplications = 36\nwarm_up = 0.1");
}

TEST(mm1, response_time_is_exponential_with_rate_mu_minus_lambda) {
  const auto results = replicate(queue(1, 0.7, exponential));
  const double mean = 1.0 / 0.3;
  EXPECT_ESTIMATE(results, "response_time", "all", mean);
  EXPECT_ESTIMATE(results, "response_time_deviation", "all", mean);
  EXPECT_ESTIMATE(results, "response_time_p50", "all", mean * std::log(2.0));
  EXPECT_ESTIMATE(results, "response_time_p95", "all", mean * std::log(20.0));
  EXPECT_ESTIMATE(results, "response_time_p99", "all", mean * std::log(100.0));
  EXPECT_ESTIMATE(results, "waiting_time", "all", mean - 1.0);
  EXPECT_ESTIMATE(results, "jobs_in_system", "all", 0.7 * mean);
  EXPECT_ESTIMATE(results, "utilization", "all", 0.7);
  EXPECT_ESTIMATE(results, "throughput", "all", 0.7);
  EXPECT_ESTIMATE(results, "weighted_response_time", "all", mean);
}

// P(N > n) = 0.5^(n+1): 1.56 % above 5 jobs, 0.78 % above 6, so that 6 is the 99th percentile. In 2,000,000 time units
// the share of time above a level has a standard deviation of 0.03 %: the correlations of 1{N > 6} last for less than
// 1 / (1 - sqrt(0.5))^2 = 11.7, hence a variance below 2 * 11.7 * 0.0078 / 2,000,000. A replication finds another level
// where the share above 6 is off by 0.22 %, or that above 5 by 0.56 %: 7 standard deviations, once in 10^11.
TEST(mm1, jobs_in_system_are_geometric_and_so_is_their_percentile) {
  for (const replication_result& r : replicate(queue(1, 0.5, R"(distribution = "exponential", mean = 1.0)"),
                                               {"run.jobs=1000000", "run.replications=2"}))
    EXPECT_EQ(r.find("all", "jobs_in_system_p99")->value, 6.0);
}

// The mean number in M[X]/M/1 is load (1 + E[B^2] / E[B]) / (2 (1 - load)) for batches of B jobs.
TEST(batches, make_jobs_wait_as_in_a_queue_with_batch_arrivals) {
  const std::vector<std::pair<std::string, double>> laws{{"geometric", 5.0}, {"fixed", 3.0}, {"uniform", 11.0 / 3.0}};
  for (const auto& [law, dispersion] : laws) {
    SCOPED_TRACE(law);
    const auto results = replicate(queue(1, 0.6, exponential),
                                   {"arrivals.process=batches", "arrivals.mean_batch=3", "arrivals.batch=" + law});
    const double mean = (1.0 + dispersion) / (2.0 * 0.4);
    EXPECT_ESTIMATE(results, "response_time", "all", mean);
    EXPECT_ESTIMATE(results, "jobs_in_system", "all", 0.6 * mean);
    EXPECT_ESTIMATE(results, "throughput", "all", 0.6);
    EXPECT_TRUE(results.front().controls.empty()) << "their means are not those of Poisson arrivals";
  }
}

TEST(mmk, mean_waiting_time_is_erlang_c) {
  const double k = 8, load = 6.8;
  double term = 1.0, sum = 1.0;
  for (int n = 1; n < k; ++n) sum += term *= load / n;
  const double last = term * load / k / (1.0 - load / k);
  const double waits = last / (sum + last) / (k - load);
  const auto results = replicate(queue(8, load, exponential));
  EXPECT_ESTIMATE(results, "waiting_time", "all", waits);
  EXPECT_ESTIMATE(results, "response_time", "all", waits + 1.0);
  EXPECT_ESTIMATE(results, "utilization", "all", load / k);
}

TEST(mg1, mean_waiting_time_is_pollaczek_khinchine_for_every_size_distribution) {
  const std::string sizes[] = {
      R"(distribution = "deterministic", value = 1.0)",
      R"(distribution = "uniform", low = 0.5, high = 1.5)",
      R"(distribution = "erlang", phases = 3, mean = 1.0)",
      R"(distribution = "hyperexponential", mean = 1.0, scv = 3.0)",
      R"(distribution = "lognormal", mean = 1.0, scv = 2.0)",
      R"(distribution = "bounded_pareto", shape = 2.5, low = 0.6, high = 50.0)",
      R"(distribution = "weibull", shape = 0.8, mean = 1.0)",
  };
  for (const std::string& size : sizes) {
    SCOPED_TRACE(size);
    const scenario model = first_point(queue(1, 0.6, size));
    const double m = model.classes[0].size.mean(), v = model.classes[0].size.variance();
    const double waits = 0.6 * (v + m * m) / 2.0 / (1.0 - 0.6 * m);
    const auto results = replicate(model);
    EXPECT_ESTIMATE(results, "waiting_time", "all", waits);
    EXPECT_ESTIMATE(results, "response_time", "all", waits + m);
  }
}

TEST(gm1, renewal_arrivals_wait_as_the_root_of_the_transform_tells) {
  // D/M/1: sigma = exp(-(1 - sigma) / rho), mean response time 1 / (mu (1 - sigma)).
  double sigma = 0.5;
  for (int i = 0; i < 200; ++i) sigma = std::exp(-(1.0 - sigma) / 0.8);
  const auto results = replicate(queue(1, 0.8, exponential), {"arrivals.process=deterministic"});
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / (1.0 - sigma));
}

TEST(costs, set_up_and_dispatch_prolong_every_service_and_show_as_overhead) {
  const double rate = 0.5, overhead = 0.3;
  const auto results = replicate(queue(1, rate, exponential, "costs = { dispatch_latency = 0.1, set_up = 0.2 }"));
  const double mean = 1.0 + overhead, second = 1.0 + mean * mean;
  EXPECT_ESTIMATE(results, "waiting_time", "all", rate * second / 2.0 / (1.0 - rate * mean));
  EXPECT_ESTIMATE(results, "overhead_share", "all", rate * overhead);
  EXPECT_ESTIMATE(results, "utilization", "all", rate);
}

TEST(capacity, a_faster_core_shortens_service_in_proportion) {
  const auto results = replicate(queue(1, 1.4, exponential), {"platform.servers.node.capacity=2.0"});
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / (2.0 - 1.4));
  EXPECT_ESTIMATE(results, "utilization", "all", 0.7);
}

TEST(links, latency_there_and_back_holds_the_core_as_a_longer_service_would) {
  const double rate = 0.5, latency = 0.1;
  const auto results = replicate(queue(1, rate, exponential, "link = { latency = 0.1 }"));
  const double mean = 1.0 + 2.0 * latency, second = 1.0 + mean * mean;
  EXPECT_ESTIMATE(results, "response_time", "all", mean + rate * second / 2.0 / (1.0 - rate * mean));
  EXPECT_ESTIMATE(results, "utilization", "all", rate);
}

// Last come, first served with preemption on one core: E[T] = E[S] / (1 - rho) for any sizes, 10 / 3 at load 0.7.
TEST(last_come_first_served, has_the_mean_response_time_of_the_mm1_queue_whatever_the_sizes) {
  for (const char* size : {R"(distribution = "deterministic", value = 1.0)",
                           R"(distribution = "hyperexponential", mean = 1.0, scv = 4.0)"}) {
    const auto results = replicate(queue(1, 0.7, size), {"policy.name=last_come_first_served"});
    EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / 0.3);
    EXPECT_ESTIMATE(results, "jobs_in_system", "all", 0.7 / 0.3);
  }
}

}  // namespace
}  // namespace muster
