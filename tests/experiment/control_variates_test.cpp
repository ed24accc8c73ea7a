// Control variates of a whole study: what it says of them, and on what the results do not depend.

#include <nlohmann/json.hpp>

#include "tests/experiment/study_folder.h"

namespace muster {
namespace {

nlohmann::json told_in(const std::string& directory) {
  return nlohmann::json::parse(content_of(directory + "/manifest.json")).at("control_variates");
}

TEST_F(study_test, control_variates_are_reported) {
  const auto ran = shell("muster run " + at("mm1.toml") + " --replications 10 --out " + at("out"));
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_NE(ran.output.find(" times fewer jobs (control variates) at 1 of 1 points"), std::string::npos) << ran.output;
  double factor = 0.0;
  for (const auto& estimate : told_in(at("out"))) {
    EXPECT_EQ(estimate.at("point"), 0);
    EXPECT_GT(estimate.at("variance_factor"), 1.0);
    if (estimate.at("class") == "all" && estimate.at("metric") == "response_time")
      factor = estimate.at("variance_factor");
  }
  EXPECT_GT(factor, 100.0) << "the coupled queue is the system itself";
}

TEST_F(study_test, control_variates_can_be_switched_off) {
  const std::string with = results(at("mm1.toml") + " --replications 10", "with");
  const std::string without =
      results(at("mm1.toml") + " --replications 10 --set run.control_variates=false", "without");
  EXPECT_NE(with, without);
  EXPECT_TRUE(told_in(at("without")).empty());
}

TEST_F(study_test, control_variates_leave_nine_replications_as_they_are) {
  const std::string words = scenario() + " --replications 9";
  EXPECT_EQ(results(words, "with"), results(words + " --set run.control_variates=false", "without"));
  EXPECT_EQ(content_of(at("with/differences.csv")), content_of(at("without/differences.csv")));
  EXPECT_TRUE(told_in(at("with")).empty());
}

TEST_F(study_test, control_variates_give_the_same_bytes_for_any_workers_and_after_an_earlier_run) {
  const std::string words = scenario() + " --replications 12";
  const std::string one = results(words + " -j 1", "one");
  EXPECT_EQ(results(words + " -j 3", "three"), one);
  results(scenario() + " --replications 4", "resumed");
  EXPECT_EQ(results(words, "resumed"), one);
  EXPECT_EQ(content_of(at("resumed/differences.csv")), content_of(at("one/differences.csv")));
}

}  // namespace
}  // namespace muster
