#include <map>
#include <regex>

#include "tests/documents/sandbox.h"
#include "tests/made_fmu.h"
#include "tests/report/drawn_plots.h"

// The commands of the documents, each at a small size. A test has the name that the block names.

namespace muster {
namespace {

/// Commands with a plugin, which is beside the reader, and with those that the build has.
class plugin_commands : public sandbox {
 protected:
  void SetUp() override {
    sandbox::SetUp();
    fs::create_symlink(MUSTER_PLUGINS "/libmy_policy.so", folder_ / "libmy_policy.so");
    fs::create_directories(folder_ / "build/tests");
    fs::create_symlink(MUSTER_PLUGINS, folder_ / "build/tests/plugins");
  }
};

using commands = sandbox;

// README.md

// As it stands, without further options. Versions of gnuplot may place things elsewhere by some units.
TEST_F(commands, picture_of_a_result) {
  small_run.clear();
  expect_success(block());
  const drawn_figure made = read_figure(read("results/four_classes/figures/weighted_response_time.svg")),
                     kept = read_figure(content_of(tree / "scenarios/quickswap_four_class.svg"));
  const char* what_to_do =
      "scenarios/quickswap_four_class.svg is not the figure of the command that README.md names; if the change is "
      "wanted, run that command and copy the figure";
  EXPECT_EQ(made.texts, kept.texts) << what_to_do;
  ASSERT_EQ(made.plots.size(), kept.plots.size()) << what_to_do;
  for (std::size_t n = 0; n < made.plots.size(); ++n) {
    ASSERT_EQ(made.plots[n].markers.size(), kept.plots[n].markers.size()) << what_to_do;
    for (std::size_t m = 0; m < made.plots[n].markers.size(); ++m)
      EXPECT_NEAR(made.plots[n].markers[m].second.second, kept.plots[n].markers[m].second.second, 10.0) << what_to_do;
  }
}

TEST_F(commands, demo_and_test) {
  put_launcher();
  small_run = "--set run.jobs=500 --replications 1";
  const std::string output = expect_success(block());
  expect_within(output, "Results are in results/demo");
  expect_within(output, "100% tests passed");
  EXPECT_TRUE(fs::exists(folder_ / "results/demo/report.html"));
}

// Each line begins as in the document: the numbers are those of 5 million jobs.
TEST_F(commands, table_of_the_demo) {
  put_launcher();
  small_run = "--set run.jobs=200000 --replications 1";  // some classes are rare
  const std::string output = expect_success("./muster demo");
  const std::regex gaps(" +");
  for (const std::string& line : lines_of(block())) {
    const bool heading = line.find("response_time") != std::string::npos;
    const std::string begin = heading ? line : line.substr(0, line.find(" ", line.find_first_not_of(" 0123456789")));
    expect_within(std::regex_replace(output, gaps, " "), std::regex_replace(begin, gaps, " "));
  }
}

TEST_F(commands, run_a_study) {
  small_run = "--set run.jobs=500 --replications 2 --quiet --force";
  expect_success("trap 'rm -rf /tmp/muster_msf_'$$ EXIT\n" +
                 std::regex_replace(block(), std::regex("/tmp/msf"), "/tmp/muster_msf_$$"));
  EXPECT_TRUE(fs::exists(folder_ / "results/quickswap_one_or_all/report.html"));
}

TEST_F(commands, which_policy_is_best) {
  small_run = "--set run.jobs=2000 --replications 2";
  const std::string output = expect_success(block());
  for (const char* line : {"\nresponse_time_p99 of small, ms\n", "\nunstable: fcfs at arrivals.load = 0.9\n"})
    expect_within(output, line);
}

// The numbers are those of the whole run, which takes minutes.
TEST_F(commands, answer_of_which_policy_is_best) {
  const std::vector<std::string> lines = lines_of(block());
  small_run = "--set run.jobs=2000 --replications 2";
  const std::string output = expect_success("./muster run scenarios/which_policy.toml");
  expect_within(output, "\n" + lines.at(0) + "\narrivals.load  with ");
  expect_within(lines.at(1), "arrivals.load  with ");
}

TEST_F(commands, formats_for_programs) {
  small_run = "--set run.jobs=500 --replications 2";
  const std::string output = expect_success(block());
  expect_within(output, "\n## points\n\n| point | policy | ");
  expect_within(output, "\nname,unit,meaning,example\nresponse_time,time,mean time ");
  expect_within(read("answer.json"), "\"verdict\": [\n");
}

TEST_F(commands, decide_between_policies) {
  const std::string output = expect_success(block());
  expect_within(output, "\ncrossover: ");
}

TEST_F(plugin_commands, use_a_policy_of_ones_own) { expect_within(expect_success(block()), "\nfirst_fit\n"); }

TEST_F(commands, see_what_the_cores_do) {
  expect_success(block());
  for (const char* file : {"jobs.csv", "trace.pftrace", "trace.vcd"})
    EXPECT_TRUE(fs::exists(folder_ / "results/traces" / file)) << file;
}

TEST_F(commands, picture_of_the_architecture_is_what_its_script_draws) {
  const std::string drawn = expect_success("/usr/bin/python3 -B " + (tree / "platform/architecture.py").string());
  EXPECT_EQ(drawn, content_of(tree / "platform/architecture.svg"))
      << "expected: platform/architecture.py > platform/architecture.svg";
}

TEST_F(commands, picture_of_the_architecture_names_folders_and_policies_that_exist) {
  const std::string policies = expect_success("muster list policies"),
                    picture = content_of(tree / "platform/architecture.svg");
  for (const char* storey : {"platform", "modules", "policies"}) {
    expect_within(picture, ">" + std::string(storey) + "/<");
    EXPECT_TRUE(fs::is_directory(tree / storey));
  }
  const std::regex name("[a-z]+_[a-z_]+|\\b(fcfs|msf|msfq|ispeed|fifo|edf)\\b");
  std::size_t named = 0;
  for (std::sregex_iterator m(picture.begin(), picture.end(), name), end; m != end; ++m, ++named)
    expect_within(policies, "\n" + m->str() + "\n");
  EXPECT_GT(named, 10u);
}

// CONTRIBUTING.md

TEST_F(commands, presets_of_contributors) {
  put_launcher();
  expect_within(expect_success(block()), "100% tests passed");
  for (const char* preset : {"release", "sanitize", "lint", "coverage"})
    expect_success(std::string("cmake --preset ") + preset + " >/dev/null");
}

// platform/docs/

TEST_F(commands, help_of_names) {
  const std::string output = expect_success(block());
  expect_within(output, "\nUsage: muster [OPTIONS] SUBCOMMAND\n");
  expect_within(output, "\nUsage: muster crossover [OPTIONS] scenario\n");
  expect_within(output, "\nmsfq\n");
  expect_within(output, "{ distribution = \"weibull\", ");
  expect_within(output, "--set platform.costs.save=");
}

TEST_F(commands, completion_and_manual_page) {
  const std::string output = expect_success(block() + "complete -p muster\n");
  expect_within(output, "MUSTER(1)");
  expect_within(output, "complete -o bashdefault -o default -F _muster muster\n");
}

TEST_F(commands, columns_of_the_results) {
  const std::string output = expect_success(block());
  expect_within(output,
                "\nscenario,point,policy,class,metric,unit,estimate,ci_low,ci_high,replications,jobs,"
                "note\n");
  expect_within(output,
                "\nscenario,policy_a,policy_b,class,metric,unit,difference,ci_low,ci_high,"
                "replications,note\n");
  expect_within(output, "\n5|1|");  // the last of six policies, the second of two replications
}

/// Programs that read the results of a study: the best policy by the weighted response time, a line for each load.
class programs : public sandbox {
 protected:
  void SetUp() override {
    sandbox::SetUp();
    small_run = "--set run.jobs=4000 --replications 2 --quiet";
    expect_success("./muster run scenarios/which_policy.toml");
  }

  static bool is_unsound(const std::string& note) {
    const auto has = [&](const char* word) { return note.find(word) != note.npos; };
    return has("biased") || has("unstable") || has("overloaded");
  }

  // The policy behind each latency and load, in their order; a second way, by columns.
  std::string expected() const {
    std::map<std::pair<double, double>, std::pair<double, std::string>> best;
    for (const std::string& line : lines_of(read("results/which_policy/results.csv"))) {
      std::vector<std::string> f;
      std::istringstream fields(line + ",end");
      for (std::string field; std::getline(fields, field, ',');) f.push_back(field);
      if (f[5] != "all" || f[6] != "weighted_response_time" || is_unsound(f[13])) continue;
      const std::pair found{std::stod(f[8]), f[4]};
      const auto at = best.emplace(std::pair{std::stod(f[3]), std::stod(f[2])}, found).first;
      at->second = std::min(at->second, found);
    }
    EXPECT_GE(best.size(), 4u);
    std::string all;
    for (const auto& [place, found] : best) all += found.second + "\n";
    return all;
  }

  // The third word of each line but the head.
  static std::string policies_in(const std::string& table) {
    std::string all;
    for (const std::string& line : lines_of(table)) {
      std::string latency, load, policy;
      std::istringstream(line) >> latency >> load >> policy;
      if (policy != "policy") all += policy + "\n";
    }
    return all;
  }
};

TEST_F(programs, best_policy_in_pandas) {
  if (!works("/usr/bin/python3 -c 'import pandas'")) GTEST_SKIP() << "pandas is not installed";
  write("best.py", block());
  EXPECT_EQ(policies_in(expect_success("/usr/bin/python3 best.py")), expected());
}

TEST_F(programs, best_policy_in_r) {
  if (!works("command -v Rscript")) GTEST_SKIP() << "R is not installed";
  write("best.R", block());
  EXPECT_EQ(policies_in(expect_success("Rscript --vanilla best.R")), expected());
}

TEST_F(commands, precision_on_the_command_line) {
  small_run = "--set run.jobs=500 --set run.most_replications=10 --set arrivals.rate=4";
  expect_within(expect_success(block()), "Results are in ");
}

TEST_F(commands, several_machines) {
  if (!has_mpi()) GTEST_SKIP() << "MPI is not installed";
  write("study.toml", block_of("scenario_of_rigid_jobs"));
  small_run += " --set arrivals.rate=4 --set policy.name=msf";
  expect_success(std::regex_replace(block(), std::regex("/shared/"), "shared/"));
  EXPECT_TRUE(fs::exists(folder_ / "shared/study/results.csv"));
}

TEST_F(commands, several_machines_under_slurm) {
  if (!has_mpi()) GTEST_SKIP() << "MPI is not installed";
  write("study.toml", block_of("scenario_of_rigid_jobs"));
  small_run += " --set arrivals.rate=4 --set policy.name=msf";
  expect_success(std::regex_replace(block(), std::regex("/shared/"), "shared/"));
  EXPECT_TRUE(fs::exists(folder_ / "shared/study/results.csv"));
}

TEST_F(commands, report_of_stored_results) { expect_success(block()); }

TEST_F(commands, gallery_of_stored_results) {
  small_run += " --set policy.name=msf";
  for (const char* name : {"rate_4", "threshold"})
    expect_success(
        std::string("./muster run scenarios/quickswap_four_class.toml --set arrivals.rate=4 --out results/") + name);
  const std::string output = expect_success(block());
  expect_within(output, "results/gallery.html is written, with 2 studies\n");
  expect_within(read("pages/two.html"), "href=\"../results/rate_4/report.html\"");
}

TEST_F(commands, export_an_fmu) {
  expect_within(expect_success(block()), "\nquickswap_one_or_all.fmu is written\n");
  EXPECT_TRUE(fs::exists(folder_ / "quickswap_one_or_all.fmu"));
}

TEST_F(commands, traces_of_a_run) {
  expect_success(block());
  const std::string jobs = read("results/traces/jobs.csv");
  std::string documented;
  const std::string text = content_of(tree / "platform/docs/traces.md");
  const std::size_t table = text.find("Columns of `jobs.csv`");
  const std::string rows = text.substr(table, text.find("\n\n", text.find("|---|", table)) - table);
  const std::regex cell("\n\\| (`[^|]*) \\|"), name("`([a-z]+)`");
  for (std::sregex_iterator row(rows.begin(), rows.end(), cell), end; row != end; ++row) {
    const std::string names = (*row)[1];
    for (std::sregex_iterator m(names.begin(), names.end(), name), last; m != last; ++m)
      documented += (documented.empty() ? "" : ",") + (*m)[1].str();
  }
  EXPECT_EQ(jobs.substr(0, jobs.find('\n')), documented);
}

TEST_F(commands, times_of_jobs_explained) {
  expect_success(block());
  for (const char* word : {"time_running", "wait_no_core", "wait_behind_others"})
    expect_within(read("results/why/results.csv"), std::string(",") + word + ",");
}

TEST_F(commands, comparison_of_two_runs) {
  // Exit status 1 is an answer, too.
  const command_result result = shell(block());
  EXPECT_LE(result.status, 1) << result.output;
  expect_within(result.output, "weighted_response_time");
}

TEST_F(commands, tuning_of_a_threshold) {
  expect_success(block());
  EXPECT_TRUE(fs::exists(folder_ / "results/threshold/tune.csv"));
}

TEST_F(commands, sizing_of_a_cluster) {
  expect_within(expect_success(block()), "\nbest: ");
  EXPECT_TRUE(fs::exists(folder_ / "results/sizing/tune.csv"));
  EXPECT_TRUE(fs::exists(folder_ / "results/sizing/key_effects.csv"));
}

TEST_F(commands, crossover_of_two_policies) { expect_within(expect_success(block()), "\ncrossover: "); }

// The words are those of the program, whatever the numbers: of two policies whose crossing few jobs show.
TEST_F(commands, last_lines_of_crossover) {
  const std::regex number("[0-9]+([.][0-9]+)?"), parameters("[(]hand_over=[a-z_]+[)]");
  const std::string output =
      expect_success(MUSTER_BINARY
                     " crossover scenarios/quickswap_four_class.toml --set run.jobs=5000 --quiet "
                     "--over arrivals.rate=2.0:4.0 --metric weighted_response_time --precision 25% --budget 600 "
                     "--between msf '{ name = \"static_quickswap\", hand_over = \"while_draining\" }'");
  expect_within(std::regex_replace(std::regex_replace(output, parameters, ""), number, "#"),
                std::regex_replace(block(), number, "#"));
}

// platform/docs/bottlenecks.md

TEST_F(commands, bottlenecks_of_a_cluster) {
  expect_within(expect_success(block()), "\nOf its response time a job spends ");
  EXPECT_TRUE(fs::exists(folder_ / "results/what_binds/bottlenecks.csv"));
}

// The words are those of the program, whatever the numbers.
TEST_F(commands, first_lines_of_bottlenecks) {
  const std::regex number("[0-9]+([.][0-9]+)?");
  const std::string output = expect_success(
      MUSTER_BINARY " bottlenecks scenarios/what_to_buy.toml --quiet --set run.jobs=4000 --replications 10");
  const std::vector<std::string> lines = lines_of(block());
  for (const std::string& line : {lines[0], lines[1]}) {
    const std::string words = line.substr(0, line.find(" ("));  // an interval may have its ends
    expect_within(std::regex_replace(output, number, "#"), std::regex_replace(words, number, "#"));
  }
}

// platform/docs/forecast.md

class forecasts : public commands {
 protected:
  void SetUp() override {
    commands::SetUp();
    write("queue.txt", block_of("queue_of_a_forecast"));
  }
};

TEST_F(forecasts, forecast_of_a_queue) {
  expect_within(expect_success(block()), block_of("first_lines_of_a_forecast"));
  EXPECT_TRUE(fs::exists(folder_ / "results/today/forecast.csv"));
  EXPECT_TRUE(fs::exists(folder_ / "results/today/queue.csv"));
}

TEST_F(forecasts, queue_of_a_forecast) {
  expect_within(
      expect_success("muster check scenarios/log_replay.toml --set policy=fcfs --set initial.file=queue.txt"),
      "3 jobs run at time 0, and 5 wait, in the order of their submission; the size of 8 is their time limit");
}

TEST_F(forecasts, first_lines_of_a_forecast) {
  const std::string output = expect_success(block_of("forecast_of_a_queue"));
  for (const std::string& line : lines_of(block())) expect_within(output, line + "\n");
}

TEST_F(forecasts, changes_of_a_forecast) {
  const std::string output = expect_success(block());
  expect_within(output, "With platform.servers.node.cores=160; policy=fcfs: all have started ");
  expect_within(output, "\n(2) events=[{ at = \"2 h\", servers = \"node\"");
}

TEST_F(commands, sizing_at_several_loads) { expect_within(expect_success(block()), "\nthe best at each point\n"); }

// platform/docs/scenario.md

TEST_F(commands, check_of_a_scenario) {
  write("my_cluster.toml", block_of("scenario_of_rigid_jobs"));
  expect_within(expect_success(block()), "adaptive_quickswap");
}

// policies/README.md

TEST_F(plugin_commands, plugin_in_use) { expect_within(expect_success(block()), "\nlongest_queue\n"); }

TEST_F(plugin_commands, run_with_a_fault) {
  const command_result result = shell(block());
  EXPECT_EQ(result.status, 3) << result.output;
  expect_within(result.output, "fault: point 0, replication 0: ");
}

TEST_F(plugin_commands, fault) {
  small_run.clear();
  expect_within(shell(block_of("run_with_a_fault")).output, block());
}

TEST_F(plugin_commands, fault_in_the_debugger) {
  const command_result result = shell(block());
  EXPECT_EQ(result.status, 3) << result.output;
  expect_within(result.output, "the policy started job 0 a second time");
}

TEST_F(commands, jobs_in_the_order_of_arrival) { expect_success(block()); }

// platform/docs/foreign_fmu.md

TEST_F(commands, a_room_beside_a_cluster) {
  make_cooling_fmu(folder_ / "cooling.fmu", 3);
  const std::string output = expect_success(block());
  expect_within(output, "it takes heat = power; the cluster takes speed.node = speed");
  expect_within(read("results/room/results.csv"), "room,2,34,");
}

}  // namespace
}  // namespace muster
