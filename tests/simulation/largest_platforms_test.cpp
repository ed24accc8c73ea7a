#include <sys/resource.h>

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/model/class_table.h"
#include "platform/scenario/scenario_schema.h"
#include "tests/simulation/replicate.h"

// The largest numbers of servers, and of cores of a server, that a scenario may have. With a core for every job, each
// job's response time is its size.

namespace muster {
namespace {

struct platform_size {
  const char* name;
  std::int64_t servers, cores;
};

void PrintTo(const platform_size& s, std::ostream* out) { *out << s.name; }

const platform_size largest_sizes[] = {{"as_many_servers", most_servers, 1}, {"as_many_cores", 1, 1'000'000}};

scenario with_platform(const platform_size& size) {
  return first_point(fmt::format(R"(
name = "large"
classes = [{{ name = "one", share = 1.0, size = {{ distribution = "deterministic", value = 1.0 }} }}]
arrivals = {{ process = "poisson", rate = 10.0 }}
policy = "fcfs"
run = {{ jobs = 10, warm_up = 0, replications = 1 }}
[[platform.servers]]
name = "node"
count = {}
cores = {}
)",
                                 size.servers, size.cores));
}

long peak_kilobytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

class largest_platforms : public testing::TestWithParam<platform_size> {};

TEST_P(largest_platforms, serve_jobs_in_a_bounded_memory_for_each_core) {
  const scenario model = with_platform(GetParam());
  constexpr double most_bytes_each = 200.0;
  worker_pool(1, false).run(
      1,
      [&](std::size_t) -> std::string {
        const long before = peak_kilobytes();
        const replication_result result = run_replication(model, 0);
        const double grown = 1024.0 * static_cast<double>(peak_kilobytes() - before);
        const measurement* const response = result.find("all", "response_time");
        if (!response || response->jobs != 10 || std::abs(response->value - 1.0) > 1e-12) return "jobs waited";
        const double each = grown / static_cast<double>(total_cores(model));
        return each < most_bytes_each ? "as expected" : fmt::format("{} bytes a core", each);
      },
      [&](const task_outcome& outcome) {
        EXPECT_FALSE(outcome.failed);
        EXPECT_EQ(outcome.text, "as expected");
        return true;
      },
      [] { return true; });
}

INSTANTIATE_TEST_SUITE_P(sizes, largest_platforms, testing::ValuesIn(largest_sizes),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace muster
