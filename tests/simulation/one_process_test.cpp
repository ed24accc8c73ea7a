#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/determinism/studies.h"
#include "tests/simulation/replicate.h"

namespace muster {
namespace {

std::string result_of(const scenario& model, std::uint32_t replication) {
  replication_result result = run_replication(model, replication);
  result.seconds = 0.0;
  return to_text(result);
}

// The first point of each shipped scenario: rigid, pooled and slotted jobs, links, costs, resources, other units of
// time.
std::vector<scenario> shipped() {
  std::vector<scenario> models;
  for (const auto& file : scenarios_in(MUSTER_SOURCE "/scenarios"))
    models.push_back(read_study(file, small_size(file)).points.front().model);
  return models;
}

TEST(one_process, simulates_many_scenarios_one_after_the_other_with_the_results_of_a_process_each) {
  const std::vector<scenario> models = shipped();
  std::vector<std::string> apart(models.size());
  worker_pool(1, false).run(
      models.size(), [&](std::size_t m) { return result_of(models[m], 0); },
      [&](const task_outcome& outcome) {
        EXPECT_FALSE(outcome.failed) << outcome.text;
        apart[outcome.task] = outcome.text;
        return true;
      },
      [] { return true; });
  for (std::size_t m = models.size(); m-- > 0;) EXPECT_EQ(result_of(models[m], 0), apart[m]) << models[m].name;
  for (std::size_t m = 0; m < models.size(); ++m) EXPECT_EQ(result_of(models[m], 0), apart[m]) << models[m].name;
}

}  // namespace
}  // namespace muster
