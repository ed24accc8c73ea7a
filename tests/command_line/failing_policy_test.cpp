#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/command.h"

namespace muster {
namespace {

class failing_policy : public command_line_test {
 protected:
  command_result run(const std::string& policy) const {
    return shell("muster run " + scenario() + " --plugin " MUSTER_PLUGINS "/failing.so --set policy.name=" + policy +
                 " --set arrivals.rate=1 --seed 7 -j 1 --out " + at(policy));
  }
  static void expect(const command_result& result, int status, const std::string& words) {
    EXPECT_EQ(result.status, status) << result.output;
    EXPECT_NE(result.output.find(words), std::string::npos) << words << '\n' << result.output;
  }
  // The command that a fault tells.
  static std::string rerun(const command_result& failed) {
    const std::string before = "to run that one alone, in one process: ";
    const std::size_t begin = failed.output.find(before);
    EXPECT_NE(begin, std::string::npos) << failed.output;
    if (begin == std::string::npos) return "false";
    return failed.output.substr(begin + before.size(), failed.output.find('\n', begin) - begin - before.size());
  }
};

TEST_F(failing_policy, that_throws_what_is_no_exception_is_reported_with_type_and_value) {
  const std::string begin = "fault: point 0, replication 0: ";
  expect(run("throws_int"), 3, "the policy's arrived() ended with an exception, int 42\n");
  expect(run("throws_own_type"), 3,
         "the policy's arrived() ended with an exception, muster::(anonymous namespace)::own_problem\n");
  expect(run("throws_out_of_range"), 3,
         "the policy's arrived() ended with an exception, std::out_of_range: basic_string::at");
  const auto made = run("throws_when_made");
  expect(made, 3, "the policy's constructor ended with an exception, int 43\n");
  expect(made, 3, begin);
}

TEST_F(failing_policy, whose_entry_throws_is_named_with_the_function) {
  expect(run("throws_when_asked"), 3,
         "fault: policy 'throws_when_asked': its check_classes() ended with an exception, muster::(anonymous "
         "namespace)::own_problem\n");
}

TEST_F(failing_policy, that_begins_a_phase_beyond_its_last_is_named_with_the_phase) {
  expect(run("begins_phase_99"), 3, "policy 'begins_phase_99' began phase 99; expected at most its 2 phases()");
}

TEST_F(failing_policy, that_crashes_is_reported_with_point_replication_and_function) {
  const std::string begin = "fault: point 0, replication 0: the worker ";
  const auto crashed = run("uses_null_pointer"), exhausted = run("recurses_for_ever");
  expect(crashed, 3, begin);
  expect(crashed, 3, " in the policy's completed()\n");
  expect(exhausted, 3, begin);
  expect(exhausted, 3, " in the policy's arrived()\n");
#ifndef MUSTER_SANITIZED
  expect(crashed, 3, "was ended by signal 11 (Segmentation fault)");
#endif
}

TEST_F(failing_policy, fails_again_by_the_command_that_the_fault_tells) {
  const auto thrown = run("throws_int");
  const std::string command = rerun(thrown);
  EXPECT_EQ(command, "muster run " + scenario() +
                         " --plugin " MUSTER_PLUGINS
                         "/failing.so --set policy.name=throws_int --set arrivals.rate=1 --set run.seed=7 --point 0 "
                         "--replication 0 --no-fork");
  expect(shell(command), 3, "the policy's arrived() ended with an exception, int 42\n");
#ifndef MUSTER_SANITIZED
  EXPECT_EQ(shell(rerun(run("uses_null_pointer"))).status, 128 + SIGSEGV);
#endif
}

TEST_F(failing_policy, that_does_not_return_is_named_while_it_runs) {
  const std::string out = at("out"), file = scenario(), notes = at("notes");
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(notes.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    execl(MUSTER_BINARY, "muster", "run", file.c_str(), "--plugin", MUSTER_PLUGINS "/failing.so", "--set",
          "policy.name=never_returns", "-j", "1", "--replications", "1", "--quiet", "--out", out.c_str(), nullptr);
    _exit(1);
  }
  const std::string note =
      "note: point 1, arrivals.rate = 1, replication 0: the policy's arrived() has not returned for ";
  for (int tries = 0; tries < 6000 && content_of(notes).find(note) == std::string::npos; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130);
  EXPECT_NE(content_of(notes).find(note), std::string::npos) << content_of(notes);
}

TEST_F(command_line_test, replication_without_fork_is_that_of_the_run_and_leaves_nothing) {
  const std::string words =
      "muster run " + scenario() + " --set policy.name=msf --set arrivals.rate=1 --replications 1";
  ASSERT_EQ(shell(words + " --quiet --out " + at("out")).status, 0);
  const auto alone = shell("cd " + folder_.string() + " && " + words + " --point 0 --replication 0 --no-fork");
  EXPECT_EQ(alone.status, 0);
  const auto manifest = nlohmann::json::parse(content_of(folder_ / "out" / "manifest.json"));
  EXPECT_EQ(alone.output.rfind(fmt::format("point 0, replication 0: no fault; 2000 jobs, {} events, simulated time ",
                                           manifest.at("events").get<std::uint64_t>()),
                               0),
            0u)
      << alone.output;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results"));
}

TEST_F(command_line_test, pilot_runs_without_fork_where_there_is_one) {
  const std::string words = "muster run " + scenario() + " --point 3 --replication pilot --no-fork";
  const auto found = shell(words + " --set run.warm_up=mser5");
  EXPECT_EQ(found.status, 0);
  EXPECT_EQ(
      found.output.rfind("point 3, arrivals.rate = 1, policy = msfq(threshold=2), pilot: no fault; a warm-up of ", 0),
      0u)
      << found.output;
  EXPECT_EQ(shell(words).status, 2);
}

TEST_F(command_line_test, replication_without_fork_must_be_named_and_be_there) {
  const std::string words = "muster run " + scenario() + " ";
  for (const char* wrong : {"--no-fork", "--no-fork --point 0", "--point 0 --replication 0", "--replication 0",
                            "--no-fork --point 4 --replication 0", "--no-fork --point 0 --replication -1",
                            "--no-fork --point 0 --replication first", "--no-fork --point 0 --replication 4294967295",
                            "--no-fork --point 0 --replication 0 --trace jobs"}) {
    const auto refused = shell(words + wrong);
    EXPECT_EQ(refused.status, 2) << wrong << '\n' << refused.output;
  }
  EXPECT_NE(shell(words + "--no-fork --point 4 --replication 0").output.find("expected a point from 0 to 3, found 4"),
            std::string::npos);
}

}  // namespace
}  // namespace muster
