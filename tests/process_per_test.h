#pragma once

#include <csignal>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace muster {

/// Runs the tests that GoogleTest's filter selects, each in a process of its own, as SystemC holds one simulation per
/// process: forked from this one, which has started and has no module yet. A start takes longer than most tests.
/// GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX give this process a share of them.
/// @return exit status: 0 if all have passed
inline int run_each_test_in_a_process() {
  const auto number = [](const char* variable, int otherwise) {
    const char* text = std::getenv(variable);
    return text ? std::atoi(text) : otherwise;
  };
  const int shares = number("GTEST_TOTAL_SHARDS", 1), own = number("GTEST_SHARD_INDEX", 0);
  const int tests = testing::UnitTest::GetInstance()->total_test_count();
  int failed = 0;
  // Each child is the only test's share of as many as there are tests: GoogleTest counts those that the filter selects.
  setenv("GTEST_TOTAL_SHARDS", std::to_string(tests).c_str(), 1);
  for (int test = own; test < tests; test += shares) {
    setenv("GTEST_SHARD_INDEX", std::to_string(test).c_str(), 1);
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      std::exit(RUN_ALL_TESTS());
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) ++failed;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace muster
