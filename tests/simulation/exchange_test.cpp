#include <gtest/gtest.h>

#include "platform/simulation/exchange_alone.h"
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
size = { distribution = "lognormal", mean = 1.0, scv = 2.0 }
exchange = { pattern = "ring", bytes = 1e9, every = 1.0 }
[arrivals]
rate = 0.4
[policy]
name = "fcfs"
[run]
jobs = 4_000
replications = 16
control_variates = false
)";

// There are cores for all jobs, so that the edge serves them by processor sharing. The mean response time does not
// depend on the law of sizes, and a job's speed is on average the load over the mean number of jobs.
TEST(exchange, of_all_jobs_over_one_edge_is_processor_sharing) {
  const auto results = replicate(two_servers);
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / (1.0 - 0.4));
  EXPECT_ESTIMATE(results, "exchange_speed", "job", 1.0 - 0.4);
}

// The edge lets a job that is alone go at half of its full speed.
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

TEST(exchange, of_a_job_alone_is_told_with_the_edge_that_binds) {
  const auto notes = [](const std::vector<std::string>& set) {
    return notes_on_exchange(read_study(two_servers, "f.toml", set));
  };
  EXPECT_EQ(
      notes({"classes.job.exchange.bytes=2e9"}),
      std::vector<std::string>{"class 'job': a job alone, on the first servers, goes at 0.5 of its speed; at full "
                               "speed its tasks take 2 of the bandwidth from 'scheduler' to 'node.0'"});
  // Two racks of four servers: an uplink has 4 times 4 streams.
  EXPECT_EQ(notes({"platform.servers.node.count=8", "platform.link.topology=racks", "platform.link.racks=2",
                   "platform.link.uplink_bandwidth=1e9", "classes.job.tasks=8", "classes.job.at_most_per_server=1",
                   "classes.job.exchange.bytes=0.5e9", "classes.job.exchange.pattern=all_to_all"}),
            std::vector<std::string>{"class 'job': a job alone, on the first servers, goes at 0.125 of its speed; at "
                                     "full speed its tasks take 8 of the bandwidth from 'scheduler' to 'rack 0'"});
  EXPECT_EQ(notes({"classes.job.at_most_per_server=2"}), std::vector<std::string>{});
}

// A job on one server counts with its full speed.
TEST(exchange, within_servers_is_no_slower_and_costs_no_speed) {
  const auto results = replicate(two_servers, {"classes.job.at_most_per_server=2", "run.jobs=500", "run.replications=2",
                                               "classes.job.exchange.bytes=1e12", "arrivals.rate=0.1"});
  EXPECT_EQ(estimate_of(results, "exchange_speed").mean, 1.0);
}

}  // namespace
}  // namespace muster
