#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/content_of.h"

namespace muster {

struct command_result {
  int status;
  std::string output;  ///< standard output and standard error together
};

/// Runs a shell command; `muster` in it stands for the binary under test.
inline command_result shell(const std::string& command) {
  FILE* pipe = popen(("muster() { " MUSTER_BINARY " \"$@\"; }; { " + command + "; } 2>&1").c_str(), "r");
  command_result result{-1, {}};
  char buffer[4096];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.output.append(buffer, n);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

/// A folder of its own for each test, empty at its start and gone at its end.
class command_line_test : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::temp_directory_path() / (std::string("muster_") + test->name() + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "small.toml") << R"(name = "small"
[platform]
servers = [{ name = "node", cores = 4 }]
[[classes]]
name = "light"
need = 1
share = 0.8
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "heavy"
need = 4
share = 0.2
size = { distribution = "exponential", mean = 1.0 }
[policy]
name = "msfq"
[run]
jobs = 2000
replications = 3
[sweep]
"arrivals.rate" = [0.5, 1.0]
policy = [{ name = "msf" }, { name = "msfq", threshold = 2 }]
)";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::string scenario() const { return at("small.toml"); }

  std::filesystem::path folder_;
};

}  // namespace muster
