#include <gtest/gtest.h>

#include "tests/scenario/graph_folder.h"
#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// Devices of the cluster as a whole, which jobs hold in parts, from the scenario to the results.

namespace muster {
namespace {

class fpgas_of_the_cluster : public graph_folder {};

// Two FPGAs, of which jobs hold parts of one or both whole. Jobs 1 and 2 hold 0.6 of one each, until 2 and 4. Jobs 3
// and 4, which need 0.5, wait for job 1 with 0.4 free of each device, and hold the first one in 2..3 and 2..4. Job 5,
// which needs both, waits until 4 and holds them in 4..5: 0.6 x 2 + 0.6 x 4 + 0.5 x 1 + 0.5 x 2 + 2 x 1 = 7.1 of the 10
// device seconds, which draw 10 W, the other 2.9 draw 2 W. The jobs wait for 1, 1 and 0.5, all the time for FPGAs.
TEST_F(fpgas_of_the_cluster, are_held_waited_for_and_paid_by_device) {
  write("jobs.csv", "id,arrival,size,fpga\n1,0,2,0.6\n2,0,4,0.6\n3,1,1,0.5\n4,1,2,0.5\n5,3.5,1,2\n");
  const std::string text = R"(name = "fpgas"
platform.servers = [{ name = "node", cores = 8 }]
platform.resources.fpga.kind = "devices"
platform.resources.fpga.of = "cluster"
platform.resources.fpga.amount = 2
platform.resources.fpga.shares = 10
platform.resources.fpga.power = { idle = 2.0, busy = 10.0 }
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
policy = "fcfs"
[price]
watt = 0.5
resources = { fpga = 7.0 }
[report]
explain = true
)";
  const replication_result result = run_replication(read_here(text).points.front().model, 0);
  const double joules = 2.0 * 2.9 + 10.0 * 7.1;
  EXPECT_NEAR(result.find("resource_fpga", "resource_utilization")->value, 0.71, 1e-9);
  EXPECT_FALSE(result.find("resource_fpga", "resource_fragmentation"));
  EXPECT_NEAR(result.find("resource_fpga", "resource_wait")->value, 2.5 / 5.0, 1e-9);
  EXPECT_NEAR(result.find("all", "average_power")->value, joules / 5.0, 1e-9);
  EXPECT_NEAR(result.find("all", "cost")->value, 2 * 7.0 + 0.5 * joules / 5.0, 1e-9);
}

// Five devices in halves, of which each job holds one while its only core runs, also where a failure ends that: more
// halves than there are cores, so that no job waits for them.
TEST(parts_of_devices_of_the_cluster, are_given_back_by_jobs_whose_server_fails) {
  const auto results = replicate(
      one_class("count = 2, cores = 2, faults = { to_failure = 8.0, to_repair = 4.0 }",
                "resources = { fpga = { kind = \"devices\", of = \"cluster\", amount = 5, shares = 2, power = "
                "{ idle = 2.0, busy = 10.0 } } }",
                1.5, exponential, "jobs = 2000\nreplications = 2"),
      {"classes.job.per_job={fpga=0.5}"});
  const double running = 4.0 * estimate_of(results, "utilization").mean;
  EXPECT_GT(running, 1.0);
  EXPECT_GT(estimate_of(results, "failures_per_job").mean, 0.01);
  EXPECT_NEAR(estimate_of(results, "resource_utilization", "resource_fpga").mean, 0.5 * running / 5.0, 1e-9);
  EXPECT_NEAR(estimate_of(results, "average_power").mean, 5 * 2.0 + 8.0 * 0.5 * running, 1e-6);
}

}  // namespace
}  // namespace muster
