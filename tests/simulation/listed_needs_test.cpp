#include <algorithm>
#include <array>
#include <random>

#include <fmt/format.h>

#include "platform/simulation/replication.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/timed_list_sample.h"
#include "tests/simulation/job_by_job.h"

// Needs that the jobs of a list bring, against the same jobs in classes with one need each.

namespace muster {
namespace {

class listed_needs : public graph_folder {
 protected:
  scenario read_with(const std::string& text, const std::string& jobs) const {
    write("jobs.csv", jobs);
    return read_here(text).points.front().model;
  }
};

std::string times_of(ticks at, const job_extension& j) {
  return fmt::format("job {} of size {}: {} {} {}", j.id, j.descriptor.size, j.arrival, j.started, at);
}

TEST_F(listed_needs, give_the_job_times_of_a_class_for_each_need_byte_for_byte) {
  std::mt19937_64 random{3};
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::string together = "id,arrival,size,cores,tasks,gpu,exclusive,at_most_per_server\n",
              apart = "id,arrival,size,class\n";
  double arrival = 0.0;
  for (unsigned id = 0; id < 400; ++id) {
    arrival += 0.01 * below(40);
    const unsigned need = below(4);
    const std::string head = fmt::format("{},{:.2f},{:.2f},", id, arrival, 0.01 + 0.01 * below(200));
    together += head + std::array{",,,,\n", "2,3,,,\n", "4,1,1.0,,\n", "2,2,,true,1\n"}[need];
    apart += head + std::array{"own\n", "wide\n", "gpu\n", "alone\n"}[need];
  }
  const std::string classes = R"(classes = [
  { name = "wide", tasks = 3, per_task = { cores = 2 } },
  { name = "gpu", per_task = { cores = 4, gpu = 1 } },
  { name = "alone", tasks = 2, per_task = { cores = 2 }, exclusive = true, at_most_per_server = 1 },
  { name = "own", need = 3 },
]
)";
  const std::string platform = R"(name = "listed"
platform.resources.gpu = { kind = "devices" }
platform.servers = [ { name = "node", count = 3, cores = 8, resources = { gpu = 1 } } ]
)";
  const std::string rest = "[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n[policy]\nname = ";
  for (const char* policy : {"\"fcfs\"\n", "\"first_fit\"\n", "\"msf\"\n"}) {
    const scenario one = read_with(platform + "[[classes]]\nname = \"job\"\nneed = 3\n" + rest + policy, together);
    const scenario four = read_with(platform + classes + rest + policy, apart);
    const lines expected = through_the_simulator(four, 400, times_of, 0);
    ASSERT_EQ(expected.size(), 400u);
    EXPECT_EQ(first_difference(through_the_simulator(one, 400, times_of, 0, true), expected), "") << policy;
  }
}

// Little's law, accounts and traces are of the declared class, whatever its jobs need.
TEST_F(listed_needs, count_to_their_declared_class) {
  const scenario model = read_with(timed_list_sample, "id,arrival,size,cores\n1,0,1,4\n2,0,2,\n3,0,1,8\n4,1,1,2\n");
  const replication_result result = run_replication(model, 0);
  EXPECT_EQ(result.jobs, 4u);
  const auto found = std::find_if(result.measurements.begin(), result.measurements.end(), [](const measurement& m) {
    return m.class_name == "job" && m.metric == "response_time";
  });
  ASSERT_NE(found, result.measurements.end());
  EXPECT_DOUBLE_EQ(found->value, (1.0 + 2.0 + 3.0 + 3.0) / 4.0);
}

}  // namespace
}  // namespace muster
