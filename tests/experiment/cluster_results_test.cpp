#include <string>
#include <utility>
#include <vector>

#include "platform/cluster/cluster.h"
#include "tests/experiment/study_folder.h"
#include "tests/modules/child.h"

// results.csv of a run, and what a cluster as a module has found of the same replication.

namespace muster {
namespace {

using setting_texts = std::vector<std::pair<std::string, std::string>>;

class results_of_a_cluster : public study_test {
 protected:
  /// Both must be equal, and have the mark in the column `note`.
  void expect_the_same(setting_texts settings, const std::string& mark) const {
    settings.emplace_back("run.replications", "1");
    std::string words = at("mm1.toml");
    for (const auto& [key, value] : settings) words += " --set '" + key + "=" + value + "'";
    const std::string of_run = results(words, "alone");
    EXPECT_EQ(in_child([&] {
                cluster one{"one", read_scenario(folder_ / "mm1.toml", settings)};
                while (!one.finished()) sc_core::sc_start(100, sc_core::SC_SEC);
                return one.results_csv();
              }),
              of_run);
    EXPECT_NE(of_run.find(mark), std::string::npos) << of_run;
  }
};

TEST_F(results_of_a_cluster, are_those_of_a_run_where_the_window_is_short_for_some_metrics) {
  expect_the_same({{"arrivals.rate", "0.5"}}, ",short\n");
}

TEST_F(results_of_a_cluster, are_those_of_a_run_whose_window_is_short) {
  expect_the_same({{"arrivals.rate", "0.97"}}, ",short\n");
}

TEST_F(results_of_a_cluster, are_those_of_a_run_that_is_unstable) {
  expect_the_same({{"arrivals.rate", "1.2"}}, ",unstable");
}

TEST_F(results_of_a_cluster, are_those_of_a_run_whose_means_follow_the_largest_jobs) {
  expect_the_same({{"classes.job.size", R"({distribution="pareto",mean=1.0,shape=2.5})"}}, ",heavy\n");
}

}  // namespace
}  // namespace muster
