#pragma once

#include <fstream>
#include <string>

#include "tests/command_line/command.h"

namespace muster {

/// A folder with two studies of its own: `many.toml`, whose parts are all that a run can be made of, and `mm1.toml`.
class study_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    std::ofstream(folder_ / "many.toml") << content_of(scenario()) << R"(
[record]
jobs_in_system_every = 10
until = 100
)";
    std::ofstream(folder_ / "mm1.toml") << R"(name = "mm1"
platform.servers = [{ name = "node" }]
classes = [{ name = "job", need = 1, share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
arrivals.rate = 0.5
policy = "fcfs"
run.jobs = 2000
)";
  }

  /// Runs a study quietly into a directory; its results.
  std::string results(const std::string& words, const std::string& directory) const {
    const auto ran = shell("muster run " + words + " --quiet --out " + at(directory));
    EXPECT_EQ(ran.status, 0) << ran.output;
    return content_of(folder_ / directory / "results.csv");
  }
};

}  // namespace muster
