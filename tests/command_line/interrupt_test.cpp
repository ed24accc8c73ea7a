#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "tests/command_line/command.h"
#include "tests/command_line/started_program.h"

namespace muster {
namespace {

/// A study whose exact answer takes minutes: the best of 30,000 thresholds. Its replications take no time.
constexpr const char* long_theory = R"(name = "long"
platform.servers = [{ name = "node", cores = 30000 }]
classes = [
  { name = "light", need = 1, share = 0.9999, size = { distribution = "exponential", mean = 1.0 } },
  { name = "heavy", need = 30000, share = 0.0001, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.load = 0.5
policy = "msfq"
run = { jobs = 100, replications = 2 }
)";

/// How often a command has been ended, by both signals, while it was computing.
class interrupt_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    std::ofstream(at("long.toml")) << long_theory;
  }

  std::string sweep(const std::string& of) const {
    std::string values = "0.5";
    for (int i = 1; i < 5000; ++i) values += "," + std::to_string(0.5 + i * 1e-6);
    return "sweep.\"" + of + "\"=[" + values + "]";
  }

  // Interrupts a command that has computed for a while.
  void expect_end(const std::vector<std::string>& words) {
    for (const int signal : {SIGINT, SIGTERM}) {
      started_program program(words, at("shown"), at("told"));
      ASSERT_TRUE(program.wait_until([&] { return program.processor_time() > 0.2; }));
      EXPECT_EQ(program.end(signal), 130);
      EXPECT_EQ(content_of(at("shown")), "");
      EXPECT_EQ(content_of(at("told")), "interrupted\n");
    }
  }

  std::string folder_of_program(const std::string& script) const {
    std::filesystem::create_directories(at("bin"));
    std::ofstream(at("bin/gnuplot")) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(at("bin/gnuplot"), std::filesystem::perms::owner_all);
    return at("bin");
  }
};

TEST_F(interrupt_test, ends_theory_while_one_point_is_computed) { expect_end({"theory", at("long.toml")}); }

TEST_F(interrupt_test, ends_check_while_a_long_sweep_is_read_or_judged) {
  expect_end({"check", scenario(), "--set", sweep("arrivals.rate")});
}

TEST_F(interrupt_test, ends_run_before_it_has_a_directory) {
  expect_end({"run", scenario(), "--set", sweep("arrivals.rate"), "--out", at("out")});
  EXPECT_FALSE(std::filesystem::exists(at("out")));
}

TEST_F(interrupt_test, ends_tune_while_it_reads_candidates) {
  std::vector<std::string> words{"tune", scenario(), "--set", sweep("arrivals.rate")};
  for (const char* word : {"--set", "policy.name=msfq", "--over", "policy.threshold=0:3", "--minimize"})
    words.emplace_back(word);
  words.emplace_back("response_time");
  expect_end(words);
}

int replications_in(const std::string& file) {
  sqlite3* db = nullptr;
  int found = 0;
  if (sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK)
    sqlite3_exec(
        db, "SELECT count(*) FROM replications",
        [](void* to, int, char** columns, char**) {
          *static_cast<int*>(to) = std::stoi(columns[0]);
          return 0;
        },
        &found, nullptr);
  sqlite3_close(db);
  return found;
}

TEST_F(interrupt_test, ends_run_while_exact_values_are_computed_and_keeps_its_replications) {
  started_program run({"run", at("long.toml"), "--quiet", "--out", at("out")}, at("shown"), at("told"));
  ASSERT_TRUE(run.wait_until([&] { return replications_in(at("out/results.sqlite")) == 2; }));
  EXPECT_EQ(run.end(SIGTERM), 130);
  EXPECT_NE(content_of(at("told")).find("interrupted"), std::string::npos);
  EXPECT_NE(content_of(at("told")).find(at("out")), std::string::npos) << "where the run goes on";
  EXPECT_EQ(replications_in(at("out/results.sqlite")), 2);
}

TEST_F(interrupt_test, ends_run_at_the_moment_its_last_replication_is_stored_without_calling_it_done) {
  for (int tries = 0; tries < 5; ++tries) {
    std::filesystem::remove_all(at("out"));
    started_program run({"run", at("long.toml"), "--quiet", "--out", at("out")}, at("shown"), at("told"));
    ASSERT_TRUE(run.wait_until([&] { return replications_in(at("out/results.sqlite")) > 0; }, 200));
    EXPECT_EQ(run.end(SIGTERM), 130);
    const std::string manifest = content_of(at("out/manifest.json"));
    EXPECT_EQ(manifest.find("\"done\""), std::string::npos) << manifest;
  }
}

TEST_F(interrupt_test, ends_run_while_figures_are_drawn_and_gnuplot_with_it) {
  // This gnuplot says that it has begun, and that it got what a terminal sends to the process group.
  const std::string path =
      folder_of_program("trap 'echo > " + at("got_signal") + "; exit 1' INT TERM\necho $$ > " + at("begun.part") +
                        "; mv " + at("begun.part") + " " + at("begun") + "\nwhile :; do sleep 0.1; done\n");
  for (const int signal : {SIGINT, SIGTERM}) {
    started_program run({"run", scenario(), "--quiet", "--force", "--out", at("out")}, at("shown"), at("told"), path);
    ASSERT_TRUE(run.wait_until([&] { return std::filesystem::exists(at("begun")); }));
    EXPECT_EQ(run.end(signal), 130);
    EXPECT_EQ(content_of(at("told")),
              "interrupted; the results are in " + at("out") + ", and `muster report " + at("out") + "` draws them\n");
    EXPECT_FALSE(std::filesystem::exists(at("got_signal")));
    EXPECT_TRUE(std::filesystem::exists(at("out/results.csv")));
    EXPECT_NE(content_of(at("out/manifest.json")).find("\"done\""), std::string::npos);
    const std::string gnuplot = "/proc/" + std::to_string(std::stoi(content_of(at("begun")))) + "/stat";
    const auto has_ended = [&] {  // gone, or waiting for who asks for its status
      const std::string state = content_of(gnuplot);
      return state.empty() || state.find(") Z ") != std::string::npos;
    };
    for (int tries = 0; tries < 3000 && !has_ended(); ++tries) usleep(10000);
    EXPECT_TRUE(has_ended());
    std::filesystem::remove(at("begun"));
  }
}

TEST_F(interrupt_test, of_report_while_figures_are_drawn_leaves_a_directory_that_report_can_read) {
  const std::string words = "muster run " + scenario() + " --quiet --out " + at("out");
  ASSERT_EQ(shell(words).status, 0);
  const std::string path = folder_of_program("echo > " + at("begun") + "\nwhile :; do sleep 0.1; done\n");
  started_program report({"report", at("out")}, at("shown"), at("told"), path);
  ASSERT_TRUE(report.wait_until([&] { return std::filesystem::exists(at("begun")); }));
  EXPECT_EQ(report.end(SIGINT), 130);
  EXPECT_EQ(shell("muster report " + at("out")).status, 0);
}

TEST_F(interrupt_test, warnings_of_unstable_points_are_shortened) {
  const std::string set = " --set 'sweep.\"arrivals.rate\"=[20.0,21.0,22.0,23.0]'";
  const auto checked = shell("muster check " + scenario() + set);
  const auto count = [](const std::string& text) {
    std::size_t lines = 0;
    for (std::size_t at = 0; (at = text.find("warning: ", at)) != text.npos; ++at) ++lines;
    return lines;
  };
  EXPECT_EQ(count(checked.output), 6U) << checked.output;
  EXPECT_NE(checked.output.find("warning: 3 more are in the output of --format json\n"), std::string::npos);
  const auto run = shell("muster run " + scenario() + set + " --set run.jobs=100 --quiet --out " + at("out"));
  EXPECT_EQ(count(run.output), 6U) << run.output;
  EXPECT_NE(run.output.find("warning: 3 more are in manifest.json\n"), std::string::npos);
}

}  // namespace
}  // namespace muster
