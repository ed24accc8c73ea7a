#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"

// Servers that fail at random, against what is known without simulation.

namespace muster {
namespace {

struct breakdowns {
  std::string platform;
  std::string size = R"(distribution = "exponential", mean = 1.0)";
  std::string policy = "fcfs";
  unsigned need = 1;
  double rate = 0.5;
};

std::string queue(const breakdowns& b) {
  return fmt::format(R"(
name = "breakdowns"
[platform]
{}
[[classes]]
name = "job"
need = {}
rate = {}
size = {{ {} }}
[policy]
name = "{}"
[run]
jobs = 18_500
replications = 36
)",
                     b.platform, b.need, b.rate, b.size, b.policy);
}

/// Jobs in an M/M/1 queue of service rate 1 whose server fails at rate a, busy or not, and is repaired at rate b;
/// nothing of the work is lost. From the balance equations of (jobs, up or down) by generating functions.
double jobs_in_system(double rate, double a, double b) {
  const double slack = 1.0 - rate - a * rate / b;
  return (rate + a * rate / b + a * rate * rate / (b * b)) / slack + a * rate / (b * (a + b));
}

TEST(faults, delay_as_the_queue_with_breakdowns_does) {
  for (const char* policy : {"fcfs", "fcfs_pooled"}) {
    const auto results = replicate(queue({R"(
servers = [{ name = "node", faults = { to_failure = 20.0, to_repair = 2.0 } }]
checkpoint_every = 0.0)",
                                          R"(distribution = "exponential", mean = 1.0)", policy}));
    EXPECT_ESTIMATE(results, "jobs_in_system", "all", jobs_in_system(0.5, 1.0 / 20.0, 1.0 / 2.0));
    EXPECT_ESTIMATE(results, "down_share", "all", 2.0 / 22.0);
    EXPECT_ESTIMATE(results, "utilization", "all", 0.5);
    EXPECT_ESTIMATE(results, "failures_per_job", "all", 1.0 / 20.0);
  }
}

// A job of size s that begins anew after each failure suffers exp(s / mean) - 1 of them, and each stretch between two
// checkpoints likewise.
TEST(faults, are_as_many_to_a_job_as_it_needs_attempts) {
  const auto failures = [](const char* more, unsigned need) {
    return replicate(queue({fmt::format(R"(
servers = [{{ name = "node", count = 2, faults = {{ to_failure = 8.0, to_repair = 0.5 }} }}]
{})",
                                        more),
                            "distribution = \"deterministic\", value = 4.0", "fcfs", need, 0.05}),
                     {"run.jobs=4600"});
  };
  EXPECT_ESTIMATE(failures("", 1), "failures_per_job", "all", std::exp(0.5) - 1.0);
  EXPECT_ESTIMATE(failures("", 2), "failures_per_job", "all", std::exp(1.0) - 1.0);
  EXPECT_ESTIMATE(failures("checkpoint_every = 1.0", 1), "failures_per_job", "all", 4.0 * (std::exp(0.125) - 1.0));
  EXPECT_ESTIMATE(failures("checkpoint_every = 0.0", 2), "failures_per_job", "all", 1.0);
}

// The clock ends at 4.6e9 s. A tenth of the times to failure and to repair are longer.
TEST(faults, beyond_the_range_of_the_clock_never_come) {
  const breakdowns rare{R"(
servers = [{ name = "node", count = 64, faults = { to_failure = 2e9, to_repair = 2e9 } }])"};
  for (const replication_result& r : replicate(queue(rare), {"run.jobs=1000"})) EXPECT_EQ(r.jobs, 1000u);
}

TEST(faults, are_not_in_the_results_where_no_server_fails) {
  const auto results =
      replicate(read_study(queue({R"(servers = [{ name = "node" }])"}), "test", {"run.jobs=100", "run.replications=1"})
                    .points.front()
                    .model);
  ASSERT_FALSE(results.front().measurements.empty());
  for (const measurement& m : results.front().measurements)
    EXPECT_TRUE(m.metric != "down_share" && m.metric != "failures_per_job") << m.metric;
}

}  // namespace
}  // namespace muster
