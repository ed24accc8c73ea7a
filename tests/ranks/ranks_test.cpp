#include "tests/ranks/ranks_test.h"

#include <nlohmann/json.hpp>

namespace muster {
namespace {

std::string host() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

TEST_F(ranks_test, find_the_same_bytes_as_one_worker) {
  const std::string words = "run " + scenario() + " --quiet --precision 5% --set run.warm_up=mser5 --trace jobs --out ";
  ASSERT_EQ(shell("muster " + words + at("alone") + " -j 1").status, 0);
  const auto ran = shell(muster_on_ranks(words + at("ranks")));
  ASSERT_EQ(ran.status, 0) << ran.output;
  for (const char* file : {"results.csv", "differences.csv", "scenario.toml", "jobs_0.csv", "jobs_3.csv"}) {
    const std::string expected = content_of(folder_ / "alone" / file);
    EXPECT_FALSE(expected.empty()) << file;
    EXPECT_EQ(content_of(folder_ / "ranks" / file), expected) << file;
  }
  EXPECT_EQ(nlohmann::json::parse(content_of(folder_ / "ranks" / "manifest.json")).at("workers"), 3);
}

TEST_F(ranks_test, have_as_many_workers_each_as_told_and_print_one_table) {
  const auto ran = shell(muster_on_ranks("run " + scenario() + " -j 2 --out " + at("out")));
  ASSERT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(times("Results are in " + at("out"), ran.output), 1u) << ran.output;
  EXPECT_EQ(times("mean +- half-width of the 95 % confidence interval", ran.output), 1u) << ran.output;
  EXPECT_EQ(nlohmann::json::parse(content_of(folder_ / "out" / "manifest.json")).at("workers"), 6);
}

TEST_F(ranks_test, share_the_simulations_out) {
  start(muster_on_ranks("run " + scenario() + " --quiet --set run.jobs=1000000 --out " + at("out")));
  for (std::size_t number = 0; number < 3; ++number)
    EXPECT_TRUE(comes_true([&] { return simulation_on(number) != 0; })) << "rank " << number;
}

TEST_F(ranks_test, tell_of_a_bad_scenario_once) {
  const auto alone = shell("muster run " + scenario() + " --set run.jobz=1 --out " + at("out"));
  const auto ran = shell(muster_on_ranks("run " + scenario() + " --set run.jobz=1 --out " + at("out")));
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(times(alone.output, ran.output), 1u) << ran.output;
  EXPECT_EQ(times("jobz", ran.output), times("jobz", alone.output)) << ran.output;
}

TEST_F(ranks_test, tell_of_bad_arguments_once) {
  const auto ran = shell(muster_on_ranks("run " + scenario() + " -j many"));
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(times("many", ran.output), 1u) << ran.output;
}

TEST_F(ranks_test, leave_to_one_of_them_what_needs_no_simulation) {
  const auto ran = shell(muster_on_ranks("list policies"));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.output, shell("muster list policies").output);
}

TEST_F(ranks_test, tell_which_of_them_has_not_got_the_scenario) {
  std::ofstream(folder_ / "elsewhere.sh") << "[ $OMPI_COMM_WORLD_RANK = 2 ] && cd /\nexec " MUSTER_BINARY
                                             " run small.toml --quiet --out " +
                                                 at("out") + "\n";
  const auto ran = shell("cd " + folder_.string() + " && " + mpirun("sh elsewhere.sh"));
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(times("rank 2 on host " + host() + ": small.toml:1:1: file: cannot be opened: No such file or directory\n",
                  ran.output),
            1u)
      << ran.output;
}

TEST_F(ranks_test, tell_which_of_them_has_another_scenario) {
  std::filesystem::create_directories(folder_ / "old");
  std::ofstream(folder_ / "old" / "small.toml") << content_of(scenario()) << "# and a comment\n"
                                                << "[record]\njobs_in_system_every = 10\nuntil = 100\n";
  std::ofstream(folder_ / "elsewhere.sh") << "[ $OMPI_COMM_WORLD_RANK = 1 ] && cd old\nexec " MUSTER_BINARY
                                             " run small.toml --quiet --out " +
                                                 at("out") + "\n";
  const auto ran = shell("cd " + folder_.string() + " && " + mpirun("sh elsewhere.sh"));
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(times("rank 1 on host " + host() + ": has read another study than rank 0 on host " + host() +
                      ": the scenario, or a file that it names, is not the same there\n",
                  ran.output),
            1u)
      << ran.output;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(ranks_test, run_again_elsewhere_what_was_killed_and_name_the_rank) {
  const std::string words = "run " + scenario() + " --quiet --set run.jobs=50000 --out ";
  start(muster_on_ranks(words + at("ranks")));
  pid_t victim = 0;
  ASSERT_TRUE(comes_true([&] { return (victim = simulation_on(2)) != 0; }));
  kill(victim, SIGKILL);
  const auto ran = end();
  EXPECT_EQ(ran.status, 0);
  const std::string start_of_warning =
      "warning: rank 2 on host " + host() + ": the worker was ended by signal 9 (Killed); point ";
  EXPECT_EQ(times(start_of_warning, ran.output), 1u) << ran.output;
  EXPECT_EQ(times(" is run again\n", ran.output), 1u) << ran.output;
  ASSERT_EQ(shell("muster " + words + at("alone")).status, 0);
  EXPECT_EQ(results("ranks"), results("alone"));
}

TEST_F(ranks_test, take_it_for_a_fault_when_a_simulation_dies_three_times_in_a_row) {
  start(muster_on_ranks("run " + scenario() +
                        " --quiet --replications 1 --set run.jobs=100000000 --set policy.name=msf"
                        " --set arrivals.rate=0.5 --out " +
                        at("out")));
  for (int deaths = 1; deaths <= 3; ++deaths) {
    pid_t victim = 0;
    ASSERT_TRUE(comes_true([&] {
      for (std::size_t number = 0; number < 3 && victim == 0; ++number) victim = simulation_on(number);
      return victim != 0;
    }));
    kill(victim, SIGKILL);
    ASSERT_TRUE(comes_true([&] { return kill(victim, 0) != 0; }));
  }
  const auto ran = end();
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(times(" is run again\n", ran.output), 2u) << ran.output;
  EXPECT_EQ(times("fault: point 0, replication 0: rank ", ran.output), 1u) << ran.output;
  EXPECT_EQ(times(" on host " + host() + ": the worker was ended by signal 9 (Killed), 3 times in a row\n", ran.output),
            1u)
      << ran.output;
}

TEST_F(ranks_test, go_on_where_they_were_after_a_kill) {
  const std::string words = "run " + scenario() + " --quiet --replications 20 --set run.jobs=60000 --out ";
  ASSERT_EQ(shell("muster " + words + at("alone")).status, 0);
  start(muster_on_ranks(words + at("ranks")));
  ASSERT_TRUE(a_replication_has_been_stored());
  const std::vector<pid_t> ranks = children_of(*mpirun_);
  end(SIGKILL);
  EXPECT_EQ(results("ranks"), "");
  // The ranks notice that mpirun is gone, and end as well.
  for (const pid_t rank : ranks)
    EXPECT_TRUE(comes_true([&] { return content_of("/proc/" + std::to_string(rank) + "/cmdline").empty(); }));
  const auto again = shell(muster_on_ranks(words + at("ranks")));
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_NE(again.output.find(" replications of an earlier run are in "), std::string::npos) << again.output;
  EXPECT_EQ(results("ranks"), results("alone"));
}

TEST_F(ranks_test, keep_what_is_finished_when_interrupted) {
  const std::string words = "run " + scenario() + " --quiet --replications 100000 --set run.jobs=20000 --out ";
  start(muster_on_ranks(words + at("out")));
  ASSERT_TRUE(a_replication_has_been_stored());
  const auto ran = end(SIGINT);
  EXPECT_NE(ran.status, 0);
  EXPECT_EQ(nlohmann::json::parse(content_of(folder_ / "out" / "manifest.json")).at("status"), "interrupted");
  EXPECT_EQ(
      times("interrupted before a point was finished; the same command goes on from " + at("out") + "\n", ran.output),
      1u)
      << ran.output;
}

// The options of a search over one key, and over two under a bound, each at two points.
const char* const searches[] = {
    "--set policy={} --set policy.name=msfq --over policy.threshold=0:3 --minimize response_time",
    "--set policy={} --set policy.name=msfq --over policy.threshold=0:3 --over platform.servers.node.capacity=1.0:2.0 "
    "--minimize response_time --where 'utilization >= 0.2' --budget 60"};

TEST_F(ranks_test, tune_to_the_same_bytes_as_one_worker) {
  for (const char* search : searches) {
    const std::string words = "tune " + scenario() + " " + search + " --set run.jobs=1000 --out ";
    const std::string alone_words = words + at("alone") + " -j 1 2>/dev/null", on_ranks = words + at("ranks");
    const auto alone = shell("muster " + alone_words), ran = shell(muster_on_ranks(on_ranks + " 2>/dev/null"));
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.output, alone.output);
    EXPECT_GT(content_of(folder_ / "alone/tune.csv").size(), 1000u);
    EXPECT_EQ(content_of(folder_ / "ranks/tune.csv"), content_of(folder_ / "alone/tune.csv"));
  }
}

TEST_F(ranks_test, seek_a_crossover_with_the_same_bytes_as_one_worker) {
  const std::string words = "crossover " + scenario() +
                            " --set policy={} --over classes.heavy.size.mean=0.5:1.5 --between msf '{ name = \"msfq\", "
                            "threshold = 1 }' --metric weighted_response_time --budget 400 --set run.jobs=500 --out ";
  const auto alone = shell("muster " + words + at("alone") + " -j 1 2>/dev/null"),
             ran = shell(muster_on_ranks(words + at("ranks") + " 2>/dev/null"));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.output, alone.output);
  for (const std::string file : {"/crossover.csv", "/crossover_points.csv"}) {
    EXPECT_GT(content_of(folder_ / ("alone" + file)).size(), 100u);
    EXPECT_EQ(content_of(folder_ / ("ranks" + file)), content_of(folder_ / ("alone" + file)));
  }
}

TEST_F(ranks_test, run_a_trial_again_elsewhere_that_was_killed_and_name_the_rank) {
  const std::string words = "tune " + scenario() + " " + searches[0] + " --quiet --set run.jobs=50000 --out ";
  start(muster_on_ranks(words + at("ranks")));
  pid_t victim = 0;
  ASSERT_TRUE(comes_true([&] { return (victim = simulation_on(2)) != 0; }));
  kill(victim, SIGKILL);
  const auto ran = end();
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(times("warning: rank 2 on host " + host() + ": the worker was ended by signal 9 (Killed); candidate ",
                  ran.output),
            1u)
      << ran.output;
  ASSERT_EQ(shell("muster " + words + at("alone")).status, 0);
  EXPECT_EQ(content_of(folder_ / "ranks/tune.csv"), content_of(folder_ / "alone/tune.csv"));
}

TEST_F(ranks_test, go_on_with_a_search_after_a_kill) {
  const std::string words = "tune " + scenario() + " " + searches[0] +
                            " --quiet --replications 8 --set run.jobs=30000 "
                            "--out ";
  start(muster_on_ranks(words + at("ranks")));
  ASSERT_TRUE(comes_true([&] { return times("point 0", content_of(folder_ / "ranks/tune_trials.sqlite")) > 3; }));
  const std::vector<pid_t> ranks = children_of(*mpirun_);
  end(SIGKILL);
  for (const pid_t rank : ranks)
    EXPECT_TRUE(comes_true([&] { return content_of("/proc/" + std::to_string(rank) + "/cmdline").empty(); }));
  EXPECT_EQ(content_of(folder_ / "ranks/tune.csv"), "");
  ASSERT_EQ(shell(muster_on_ranks(words + at("ranks"))).status, 0);
  ASSERT_EQ(shell("muster " + words + at("alone")).status, 0);
  EXPECT_EQ(content_of(folder_ / "ranks/tune.csv"), content_of(folder_ / "alone/tune.csv"));
}

TEST_F(ranks_test, tell_of_a_search_that_cannot_be_once) {
  const auto ran = shell(muster_on_ranks("tune " + scenario() + " --over run.jobs=1:9 --minimize response_time"));
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(times("belongs to the run; expected a parameter of the model", ran.output), 1u) << ran.output;
}

TEST_F(ranks_test, go_on_without_a_rank_that_was_killed_where_mpirun_lets_them) {
  const std::string words = "run " + scenario() + " --quiet --set run.jobs=50000 --out ";
  start(mpirun("--enable-recovery " MUSTER_BINARY " " + words + at("ranks")));
  ASSERT_TRUE(comes_true([&] { return simulation_on(2) != 0; }));
  kill(rank(2), SIGKILL);
  const auto ran = end();
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(times("warning: rank 2 on host " + host() +
                      " has been silent for 10 s; what it was simulating is run again on others\n",
                  ran.output),
            1u)
      << ran.output;
  ASSERT_EQ(shell("muster " + words + at("alone")).status, 0);
  EXPECT_EQ(results("ranks"), results("alone"));
}

TEST_F(ranks_test, go_on_without_a_rank_that_is_silent) {
  const std::string words = "run " + scenario() + " --quiet --set run.jobs=50000 --out ";
  start(muster_on_ranks(words + at("ranks")));
  ASSERT_TRUE(comes_true([&] { return simulation_on(2) != 0; }));
  const pid_t silent = rank(2);
  kill(silent, SIGSTOP);
  const auto ran = end();
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(times("warning: rank 2 on host " + host() +
                      " has been silent for 10 s; what it was simulating is run again on others\n",
                  ran.output),
            1u)
      << ran.output;
  ASSERT_EQ(shell("muster " + words + at("alone")).status, 0);
  EXPECT_EQ(results("ranks"), results("alone"));
}

}  // namespace
}  // namespace muster
