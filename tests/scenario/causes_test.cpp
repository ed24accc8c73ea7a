#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

const std::string without_shares = replaced(with("share = 0.9\n", ""), "share = 0.1\n", "");

// One mistake, which everything else follows from.
TEST(cause, is_told_alone_where_jobs_of_a_finite_process_are_rigid_or_pooled) {
  for (const std::string process : {"list", "uniform"})
    for (const std::string& text : {sample, pooled_sample}) {
      const std::string said = complaints(text, {"arrivals.process=" + process, "arrivals.slots=9"});
      EXPECT_EQ(said, "--set arrivals.process=" + process + ":1:18: arrivals.process: the jobs of process '" + process +
                          "' are slotted" + (process == "list" ? " where its file has no column size" : "") +
                          ", but these classes have a size; expected one of: poisson, renewal, "
                          "deterministic, batches, profile, modulated; or classes of slotted jobs and a policy of "
                          "theirs");
      EXPECT_EQ(complaints(text, {"arrivals.process=" + process}), said);
      if (text != sample) continue;
      EXPECT_EQ(complaints(without_shares, {"arrivals.process=" + process}), said);
    }
}

// Jobs of a list are of any kind: only the file tells which, and whether its classes have a size or a share.
TEST(cause, is_told_alone_where_a_list_cannot_be_read) {
  const std::vector<std::string> list{"arrivals.process=list", "arrivals.file=none.csv"};
  const std::string said =
      "--set arrivals.file=none.csv:1:15: arrivals.file: 'none.csv' cannot be opened: No such file or directory";
  EXPECT_EQ(complaints(sample, list), said);
  EXPECT_EQ(complaints(pooled_sample, list), said);
  EXPECT_EQ(complaints(without_shares, list), said);
  const std::string size = "size = { distribution = \"exponential\", mean = 1.0 }\n";
  EXPECT_EQ(complaints(replaced(replaced(without_shares, size, ""), size, ""), list), said);
}

TEST(cause, is_told_alone_where_the_process_is_unknown) {
  const std::string said =
      "f.toml:15:11: arrivals.process: unknown process 'nhpp'; expected one of: poisson, renewal, ";
  EXPECT_EQ(complaints(with("rate = 7.0", "process = \"nhpp\"\nrates = [1.0, 2.0]\nperiod = 24.0")),
            said + "deterministic, uniform, list, batches, profile, modulated, log, none");
  EXPECT_EQ(complaints(without_shares, {"arrivals.process=nhpp"}).find('\n'), std::string::npos);
}

/// What is said of a file that is no scenario.
std::string said_of(const std::string& name, const std::string& content) {
  const auto folder = std::filesystem::path{testing::TempDir()} / ("muster_causes_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string file = (folder / name).string();
  std::ofstream(file, std::ios::binary) << content;
  std::string said;
  try {
    read_study(file, {});
  } catch (const scenario_error& e) {
    said = std::string(e.what()).substr(file.size());
  }
  std::filesystem::remove_all(folder);
  return said;
}

TEST(cause, is_told_where_a_log_or_a_table_is_given_as_scenario) {
  const std::string replay =
      " log, not like a scenario; expected a TOML file in which arrivals.file names the log, such as `muster run "
      "scenarios/log_replay.toml --set arrivals.file=LOG`";
  const std::string log = "this looks like a Standard Workload Format" + replay;
  const std::string line = "1 0 10 100 4 -1 -1 4 200 -1 1 1 1 1 1 -1 -1 -1\n";
  EXPECT_EQ(said_of("log.swf", "; Version: 2.2\n" + line).rfind(":1:1: file: " + log, 0), 0u);
  EXPECT_EQ(said_of("log.txt", "\n  " + line + line).rfind(":1:1: file: " + log, 0), 0u);
  std::string long_log;
  for (int i = 0; i < 100'000; ++i) long_log += line;
  EXPECT_EQ(said_of("long", long_log).rfind(":1:1: file: " + log, 0), 0u) << "however long it is";
  EXPECT_EQ(said_of("log.swf.gz", "\x1f\x8b and more").rfind(":1:1: file: " + log, 0), 0u);
  EXPECT_EQ(said_of("log.gz", "\x1f\x8b and more"),
            ":1:1: file: this looks like a file that gzip has compressed, not like a scenario; expected a TOML file");
  const std::string table =
      ":1:1: file: this looks like a table (CSV), not like a scenario; expected a TOML file, in which arrivals.file "
      "names a list of jobs";
  EXPECT_EQ(said_of("jobs.csv", "id,arrival,deadline,units,marginals\n1,1,,1,1\n"), table);
  EXPECT_EQ(said_of("jobs.csv", "\xef\xbb\xbfid,arrival\r\n"), table);
  EXPECT_EQ(said_of("words", "any, word\n"), table);
  const std::string rest = " log, not like a scenario; expected a TOML file such as `muster list scenarios` names";
  EXPECT_EQ(said_of("jobs.txt", "JobID|User|NCPUS|Start|End\n1|me|4|2024-01-01T00:00:00|Unknown\n"),
            ":1:1: file: this looks like a Slurm accounting (sacct)" + replay);
  EXPECT_EQ(said_of("20240101", "01/01/2024 00:00:03;E;17.server;user=me group=us resources_used.ncpus=4\n"),
            ":1:1: file: this looks like a PBS accounting" + rest);
  EXPECT_EQ(said_of("scenario.toml", "about = \"a | b | c\"\n").find("looks like"), std::string::npos);
  EXPECT_EQ(said_of("scenario.toml", "# a, b\nname = \"a, b\"\n").find("looks like"), std::string::npos);
}

}  // namespace
}  // namespace muster
