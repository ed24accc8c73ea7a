#include <fmt/format.h>

#include "tests/scenario/graph_folder.h"
#include "tests/simulation/job_by_job.h"

// Servers that leave and return at given times, traced by hand.

namespace muster {
namespace {

class server_events : public graph_folder {};

// Two servers of one core. Job 0 loses its server, the first one, at 4 and begins anew at 9. From 12 on both drain:
// jobs 0 and 2 go on until 19 and 20, and job 3 waits until one of them returns at 30. That one fails at 30.5 under job
// 4, which begins anew at 40.
TEST_F(server_events, come_at_their_times) {
  write("jobs.csv", "id,arrival,size\n0,0,10\n1,0,10\n2,0,10\n3,15,0.25\n4,16,1\n");
  const scenario model = read_here(R"(name = "events"
events = [
  { at = 4, servers = "node", action = "fail", count = 1 },
  { at = 9, servers = "node", action = "return" },
  { at = 12, servers = "node", action = "drain" },
  { at = 30, servers = "node", action = "return", count = 1 },
  { at = 30.5, servers = "node", action = "fail" },
  { at = 40, servers = "node", action = "return" },
]
platform.servers = [{ name = "node", count = 2 }]
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
policy = "fcfs"
)")
                             .points.front()
                             .model;
  const job_line told = [&](ticks at, const job_extension& j) {
    return fmt::format("{} to {}, {} failures", model.unit.to_units(j.started), model.unit.to_units(at), j.failures);
  };
  EXPECT_EQ(through_the_simulator(model, 5, told, 0, true),
            (lines{"0 to 19, 1 failures", "0 to 10, 0 failures", "10 to 20, 0 failures", "30 to 30.25, 0 failures",
                   "30.25 to 41, 1 failures"}));
}

}  // namespace
}  // namespace muster
