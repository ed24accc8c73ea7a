#include <random>

#include <fmt/format.h>

#include "tests/scenario/graph_folder.h"
#include "tests/simulation/job_by_job.h"

// The jobs of a log, against the same jobs in a list.

namespace muster {
namespace {

class simulated_log : public graph_folder {};

std::string times_of_logged_job(ticks at, const job_extension& j) {
  return fmt::format("job {} of size {}: {} {} {}", j.id, j.descriptor.size, j.arrival, j.started, at);
}

TEST_F(simulated_log, gives_the_job_times_of_the_same_jobs_in_a_list) {
  std::mt19937_64 random{5};
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::string log, list = "id,arrival,size,cores\n";
  unsigned arrival = 0;
  for (unsigned id = 1; id <= 300; ++id) {
    arrival += below(30);
    const unsigned size = 1 + below(100), cores = 1 + below(8);
    log += fmt::format("{} {} -1 {} {} -1 -1 -1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n", id, 1000 + arrival, size, cores);
    list += fmt::format("{},{},{},{}\n", id, arrival, size, cores);
  }
  write("log.swf", log);
  write("jobs.csv", list);
  const std::string platform = "name = \"x\"\n[platform]\nservers = [{ name = \"node\", count = 3, cores = 4 }]\n";
  for (const char* policy : {"fcfs", "first_fit"}) {
    const std::string rest = fmt::format("[policy]\nname = \"{}\"\n", policy);
    const scenario of_log =
        read_here(platform + "[arrivals]\nprocess = \"log\"\nfile = \"log.swf\"\nclass_by = \"all\"\n" + rest)
            .points.front()
            .model;
    const scenario of_list =
        read_here(platform + "[[classes]]\nname = \"job\"\n[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n" +
                  rest)
            .points.front()
            .model;
    // The list begins at the first arrival, too, where that is 0; all times of the log are as much later.
    const auto first = static_cast<ticks>(of_list.arrivals.jobs->front().arrival * 1e9);
    const lines expected = through_the_simulator(
        of_list, 300,
        [&](ticks at, const job_extension& j) {
          return fmt::format("job {} of size {}: {} {} {}", j.id, j.descriptor.size, j.arrival - first,
                             j.started - first, at - first);
        },
        0);
    ASSERT_EQ(expected.size(), 300u);
    EXPECT_EQ(first_difference(through_the_simulator(of_log, 300, times_of_logged_job, 0, true), expected), "")
        << policy;
  }
}

}  // namespace
}  // namespace muster
