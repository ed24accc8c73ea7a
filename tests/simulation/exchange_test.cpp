#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"

// Jobs that exchange data while they work, against known values of queues.

namespace muster {
namespace {

// Jobs of two tasks, one on each of two servers, whose streams fill an edge at full speed.
const std::string two_servers = R"(name = "two_servers"
[platform]
servers = [{ name = "node", count = 2, cores = 200 }]
link = { bandwidth = 1e9, sharing = "max_min", dispatch_bytes = 0, message_bytes = 0 }
[[classes]]
name = "job"
tasks = 2
at_most_per_server = 1
share = 1.0
size = { distribution = "lognormal", mean = 1.0, scv = 3.0 }
exchange = { pattern = "ring", bytes = 1e9, every = 1.0 }
[arrivals]
rate = 0.6
[policy]
name = "fcfs"
[run]
jobs = 20_000
replications = 8
control_variates = false
)";

// There are cores for all jobs, so that the edge serves them by processor sharing. The mean response time does not
// depend on the law of sizes, and a job's speed is on average the load over the mean number of jobs.
TEST(exchange, of_all_jobs_over_one_edge_is_processor_sharing) {
  const auto results = replicate(two_servers);
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / (1.0 - 0.6));
  EXPECT_ESTIMATE(results, "exchange_speed", "job", 1.0 - 0.6);
}

// Of one job at a time the edge is half as fast as the job would be.
TEST(exchange, at_half_speed_is_a_queue_with_services_twice_as_long) {
  const auto results =
      replicate(two_servers, {"platform.servers.node.cores=1", "classes.job.exchange.bytes=2e9", "arrivals.rate=0.3",
                              "classes.job.size={ distribution = \"exponential\", mean = 1.0 }"});
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / (0.5 - 0.3));
  for (const char* of : {"all", "job"}) EXPECT_NEAR(estimate_of(results, "exchange_speed", of).mean, 0.5, 1e-9);
}

TEST(exchange, gives_the_same_results_where_the_protocol_is_checked) {
  const scenario model = first_point(two_servers, {"run.jobs=500", "run.replications=2"});
  watching checked;
  checked.check_protocol = true;
  EXPECT_EQ(text_of(replicate(model)), text_of(replicate(model, 2, checked)));
}

// A job on one server counts with its full speed.
TEST(exchange, within_servers_is_no_slower_and_costs_no_speed) {
  const auto results = replicate(two_servers, {"classes.job.at_most_per_server=2", "run.jobs=500", "run.replications=2",
                                               "classes.job.exchange.bytes=1e12", "arrivals.rate=0.1"});
  EXPECT_EQ(estimate_of(results, "exchange_speed").mean, 1.0);
}

}  // namespace
}  // namespace muster
