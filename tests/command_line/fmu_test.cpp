#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/command.h"
#include "tests/command_line/started_program.h"
#include "tests/made_fmu.h"

// Studies with an FMU beside the cluster.

namespace muster {
namespace {

class study_with_an_fmu : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    std::filesystem::create_directories(at("models"));
    std::filesystem::create_directories(at("temporary"));
    for (const int fmi : {2, 3}) make_cooling_fmu(at(fmt::format("models/room{}.fmu", fmi)), fmi);
    std::ofstream(at("room.toml")) << R"(name = "room"
platform.servers = [{ name = "node", count = 2, power = { idle = 25.0, active = 100.0 } }]
classes = [{ name = "job", rate = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
policy = "fcfs"
run = { jobs = 2000, replications = 4 }
[[fmu]]
name = "room"
file = "models/room3.fmu"
every = 1
inputs = { heat = "power" }
outputs = { speed = "speed.node" }
start = { setpoint = 34.0 }
[sweep]
"fmu.room.start.setpoint" = [34.0, 1000.0]
)";
  }

  std::string run(const std::string& out, const std::string& more = "") const {
    return fmt::format("TMPDIR={} muster run {} --quiet --out {} {}", at("temporary"), at("room.toml"), at(out), more);
  }
  bool nothing_is_left() const { return std::filesystem::is_empty(at("temporary")); }
  // What a worker that was killed has unpacked is removed by another process.
  bool comes_to_nothing() const {
    for (int tries = 0; tries < 3000 && !nothing_is_left(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return nothing_is_left();
  }
};

TEST_F(study_with_an_fmu, has_the_same_results_by_either_version_of_fmi_and_by_any_number_of_workers) {
  ASSERT_EQ(shell(run("one", "-j 1")).status, 0);
  ASSERT_EQ(shell(run("two", "-j 2")).status, 0);
  ASSERT_EQ(shell(run("other", "-j 2 --set fmu.room.file=models/room2.fmu")).status, 0);
  const std::string results = content_of(at("one/results.csv"));
  EXPECT_NE(results.find("room,0,34,"), std::string::npos) << results;
  EXPECT_EQ(results, content_of(at("two/results.csv")));
  EXPECT_EQ(results, content_of(at("other/results.csv")));
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(study_with_an_fmu, goes_on_with_the_same_results_and_not_with_another_fmu) {
  ASSERT_EQ(shell(run("whole", "--replications 4")).status, 0);
  ASSERT_EQ(shell(run("parts", "--replications 1")).status, 0);
  ASSERT_EQ(shell(run("parts", "--replications 4")).status, 0);
  EXPECT_EQ(content_of(at("whole/results.csv")), content_of(at("parts/results.csv")));
  EXPECT_NE(content_of(at("parts/manifest.json")).find("\"replications_reused\": 2"), std::string::npos);
  // The scenario that lies beside the results has the whole path of the FMU.
  EXPECT_EQ(shell("muster theory " + at("parts/scenario.toml")).status, 0);
  archive_files other = described_fmu(3);
  write_zip(at("models/room3.fmu"), other);
  const command_result refused = shell(run("parts", "--replications 4"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.output,
            at("parts") +
                ": holds results of another scenario; choose another directory with --out, or overwrite "
                "with --force\n");
}

TEST_F(study_with_an_fmu, runs_where_schedulers_share_the_servers_or_take_jobs_from_each_other) {
  for (const std::string key : {"partition=shared", "work_stealing=true"}) {
    const auto ran = shell(run(key,
                               "--replications 1 --set platform.schedulers.count=2 "
                               "--set platform.schedulers." +
                                   key));
    EXPECT_EQ(ran.status, 0) << ran.output;
  }
}

TEST_F(study_with_an_fmu, becomes_an_fmu_that_holds_the_other) {
  const auto made = shell(fmt::format("cd {} && muster export-fmu room.toml --set fmu.room.start.setpoint=34", at("")));
  EXPECT_EQ(made.status, 0) << made.output;
  EXPECT_NE(content_of(at("room.fmu")).find("resources/scenario/fmus/0/room3.fmu"), std::string::npos);
}

// A cluster that muster has exported, whose counts are Int64, beside another one: it is in service while jobs of the
// other one wait, and that one while it runs a job itself. Its jobs of 10 s come at 0.5 and 5.5, those of 1 s of the
// other one at 0.1 and 11.5. At 1 one of them waits, so that a job of 10 s begins; at 2 it is seen to run, and the job
// of 1 s begins; at 3 none waits, and no other job of 10 s begins until 12, when the second job of 1 s waits. That one
// begins at 13: they respond in 2.9 and 2.5 s.
TEST_F(study_with_an_fmu, takes_a_cluster_that_muster_itself_has_exported) {
  for (const std::string name : {"one", "other"})
    std::ofstream(at(name + ".toml")) << "name = \"" << name << "\"\narrivals = { process = \"list\", file = \"" << name
                                      << R"(.csv" }
policy = "fcfs"
classes = [{ name = "job" }]
platform = { servers = [{ name = "node" }] }
)";
  std::ofstream(at("one.csv")) << "id,arrival,size\n0,0.5,10\n1,5.5,10\n";
  std::ofstream(at("other.csv")) << "id,arrival,size\n0,0.1,1\n1,11.5,1\n";
  std::ofstream(at("other.toml"), std::ios::app) << R"([[fmu]]
file = "one.fmu"
every = 1
inputs = { "in_service.node" = "waiting.job" }
outputs = { "running.job" = "in_service.node" }
)";
  const command_result result = shell("cd " + at("") + " && muster export-fmu one.toml && muster run other.toml " +
                                      "--out beside --trace jobs --replications 1 --quiet");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(
      content_of(at("beside/jobs.csv")),
      "id,class,arrival,started,completed,size,response,waiting,interruptions,migrations,preemptions,outcome,utility\n"
      "0,job,0.1,2,3,1,2.9,1.9,0,0,0,completed,\n"
      "1,job,11.5,13,14,1,2.5,1.5,0,0,0,completed,\n");
}

TEST_F(study_with_an_fmu, is_checked_with_what_is_connected) {
  const command_result checked = shell("muster check " + at("room.toml"));
  EXPECT_EQ(checked.status, 0);
  EXPECT_NE(
      checked.output.find("FMU 'room' (FMI 3.0), every 1 s; it takes heat = power; the cluster takes speed.node = "
                          "speed: loads are those without these changes, and no limit that is derived and no exact "
                          "value counts them"),
      std::string::npos)
      << checked.output;
}

TEST_F(study_with_an_fmu, ends_with_a_fault_that_names_it_where_it_fails_or_cannot_be_loaded) {
  const command_result failed = shell(run("failed", "--set fmu.room.start.fail_at=50.0"));
  EXPECT_EQ(failed.status, 3);
  EXPECT_NE(
      failed.output.find("FMU 'room': fmi3DoStep ended with the status Error: 'the fan has failed at 50 s' (at 51 "
                         "s)"),
      std::string::npos)
      << failed.output;
  write_zip(at("models/room3.fmu"), described_fmu(3));
  const command_result broken = shell(run("broken"));
  EXPECT_EQ(broken.status, 3);
  EXPECT_NE(broken.output.find("FMU 'room' (" + at("models/room3.fmu") + ") cannot be loaded: "), std::string::npos)
      << broken.output;
  EXPECT_TRUE(comes_to_nothing());
}

TEST_F(study_with_an_fmu, prints_among_the_notes_and_not_among_the_results_unless_it_runs_without_a_worker) {
  const std::string words = "TMPDIR=" + at("temporary") + " muster run " + at("room.toml") +
                            " --set fmu.room.start.fail_at=50.0 --set fmu.room.start.fail_status=-2 ";
  const std::string printed = "the fan hums at 50 s\n";
  const std::string shown = shell(words + "--format json --out " + at("out") + " 2>" + at("told")).output;
  EXPECT_TRUE(nlohmann::json::accept(shown)) << shown;
  EXPECT_NE(content_of(at("told")).find(printed), std::string::npos) << content_of(at("told"));
  const std::string alone = shell(words + "--point 0 --replication 0 --no-fork 2>" + at("told")).output;
  EXPECT_NE(alone.find(printed), std::string::npos) << alone;
}

TEST_F(study_with_an_fmu, that_crashes_is_named_with_the_others_that_ran_in_the_worker) {
  const std::string crash = " --set fmu.room.start.fail_at=50.0 --set fmu.room.start.fail_status=-1 -j 1";
  const std::string signal =
      "point 0, fmu.room.start.setpoint = 34, replication 0: the worker was ended by signal 6 "
      "(Aborted); ";
  const command_result alone = shell(run("alone", crash));
  EXPECT_EQ(alone.status, 3);
  EXPECT_NE(alone.output.find(signal + "FMU 'room' ran in it\nto run that one alone"), std::string::npos)
      << alone.output;
  std::ofstream(at("room.toml"), std::ios::app) << R"([[fmu]]
name = "cellar"
file = "models/room2.fmu"
every = 1
inputs = { heat = "power" }
)";
  const command_result both = shell(run("both", crash));
  EXPECT_NE(both.output.find(signal + "FMUs 'room', 'cellar' ran in it\n"), std::string::npos) << both.output;
}

TEST_F(study_with_an_fmu, leaves_no_temporary_files_behind_however_it_ends) {
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    setenv("TMPDIR", at("temporary").c_str(), 1);
    {
      started_program program(
          {"run", at("room.toml"), "--out", at("killed"), "--force", "--set", "run.jobs=1000000000"}, at("shown"),
          at("told"));
      EXPECT_TRUE(program.wait_until([&] { return !nothing_is_left(); }));
      program.end(signal);
    }
    unsetenv("TMPDIR");
    ASSERT_TRUE(comes_to_nothing()) << signal;
  }
}

}  // namespace
}  // namespace muster
