#include <gtest/gtest.h>

#include "tests/command_line/command.h"

namespace muster {
namespace {

TEST_F(command_line_test, help_teaches_and_succeeds) {
  for (const char* words : {"--help", "run --help", "check --help", "list --help", "crossover --help", "help --help"}) {
    const auto result = shell(std::string("muster ") + words);
    EXPECT_EQ(result.status, 0) << words;
    EXPECT_GT(result.output.size(), 200u) << words;
  }
}

TEST_F(command_line_test, bad_usage_exits_with_2) {
  for (const char* words :
       {"", "jump", "run", "run a.toml b.toml", "list colours", "run x.toml -j 0", "run x.toml -j many"}) {
    const auto result = shell(std::string("muster ") + words);
    EXPECT_EQ(result.status, 2) << words << '\n' << result.output;
  }
}

TEST_F(command_line_test, an_unknown_option_is_told_with_the_nearest_one) {
  const auto result = shell("muster export-fmu " + scenario() + " --output=x.fmu");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output.rfind("unknown option '--output' of export-fmu; did you mean '--out'?\n", 0), 0u)
      << result.output;
}

TEST_F(command_line_test, bad_scenario_exits_with_2_names_the_place_and_makes_no_directory) {
  std::ofstream(folder_ / "bad.toml") << content_of(scenario()) + "\n[polcy]\nname = \"msf\"\n";
  const auto result = shell("muster run " + at("bad.toml") + " --out " + at("out"));
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find(at("bad.toml") + ":23:"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("did you mean 'policy'?"), std::string::npos) << result.output;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(command_line_test, missing_file_exits_with_2) {
  const auto result = shell("muster check " + at("none.toml"));
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find(at("none.toml")), std::string::npos) << result.output;
}

TEST_F(command_line_test, check_prints_loads_bounds_and_verdicts) {
  const auto result = shell("muster check " + scenario());
  EXPECT_EQ(result.status, 0);
  for (const char* words :
       {"light", "busy cores", "work bound", "policy's limit", "rate / limit (%)", "stable", "Theorems 3 and 4"})
    EXPECT_NE(result.output.find(words), std::string::npos) << words << '\n' << result.output;
}

TEST_F(command_line_test, lists_name_every_policy_and_metric) {
  const auto policies = shell("muster list policies");
  EXPECT_EQ(policies.status, 0);
  for (const char* name : {"fcfs", "first_fit", "msf", "msfq", "static_quickswap", "adaptive_quickswap"})
    EXPECT_NE(policies.output.find(std::string("\n") + name + "\n"), std::string::npos) << name;
  EXPECT_NE(shell("muster list metrics").output.find("weighted_response_time"), std::string::npos);
  EXPECT_NE(shell("muster list distributions").output.find("bounded_pareto"), std::string::npos);
  EXPECT_NE(shell("muster list utilities").output.find("{ function = \"set_up\", share (a number >= 0 and < 1)"),
            std::string::npos);
  const auto scenarios = shell("cd " MUSTER_SOURCE "; muster list scenarios");
  EXPECT_NE(scenarios.output.find("scenarios/quickswap_borg_b.toml"), std::string::npos) << scenarios.output;
}

TEST_F(command_line_test, list_of_traces_names_every_kind_and_its_files) {
  EXPECT_NE(shell("muster list traces").output.find("vcd\n    waves of "), std::string::npos);
  EXPECT_NE(shell("muster list traces").output.find("    jobs.csv, or jobs_POINT.csv where"), std::string::npos);
}

TEST_F(command_line_test, help_is_the_overview_or_that_of_a_command) {
  EXPECT_EQ(shell("muster help").output, shell("muster --help").output);
  for (const char* command : {"run", "check", "theory", "report", "compare", "tune", "crossover", "bottlenecks",
                              "forecast", "import", "export-fmu", "list", "help"})
    EXPECT_EQ(shell(std::string("muster help ") + command).output,
              shell(std::string("muster ") + command + " --help").output);
}

TEST_F(command_line_test, help_of_a_name_has_what_list_has_and_an_example) {
  const std::string policies = shell("muster list policies").output;
  const std::string msfq = policies.substr(policies.find("\nmsfq\n") + 1);
  EXPECT_EQ(shell("muster help msfq").output,
            "Of policies:\n\nk is the number of all cores of the platform, whichever classes may use them.\n\n" +
                msfq.substr(0, msfq.find("\n\n") + 1) +
                "\nExample:\n  muster run scenarios/quickswap_one_or_all.toml --set policy.name=msfq\n\n");
  const std::pair<const char*, const char*> examples[] = {
      {"weibull",
       "  muster run SCENARIO.toml --set 'classes.*.size={ distribution = \"weibull\", shape = SHAPE, scale = SCALE "
       "}'\n"},
      {"set_up", "  muster run SCENARIO.toml --set 'classes.*.utility={ function = \"set_up\", share = SHARE, "},
      {"utilization",
       "  muster crossover SCENARIO.toml --over KEY=LOW:HIGH --between POLICY POLICY --metric utilization\n"},
      {"throughput", "  muster tune SCENARIO.toml --over KEY=LOW:HIGH --maximize throughput\n"},
      {"perfetto", "  muster run SCENARIO.toml --trace perfetto\n"},
  };
  for (const auto& [name, example] : examples) {
    const auto help = shell(std::string("muster help ") + name);
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.output.find(std::string("\nExample:\n") + example), std::string::npos) << help.output;
  }
}

TEST_F(command_line_test, help_of_a_name_in_two_lists_has_both) {
  const std::string text = shell("muster help exponential").output;
  EXPECT_NE(text.find("Of distributions:\n\nexponential\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Of utilities:\n"), std::string::npos) << text;
}

TEST_F(command_line_test, help_of_a_key_has_its_values_and_default_by_its_path_or_the_end_of_it) {
  const std::string save =
      "platform.costs.save\n    cost of storing a job that loses its cores\n\n    value    a number >= 0, in units of "
      "time\n    default  0.0\n    example  --set platform.costs.save=2.0\n";
  EXPECT_EQ(shell("muster help platform.costs.save").output, "Of keys:\n\n" + save + "\n");
  EXPECT_EQ(shell("muster help save").output, save);
  EXPECT_EQ(shell("muster help platform.costs.sav").output,
            "unknown name 'platform.costs.sav'; did you mean 'platform.costs.save'?\n");
}

TEST_F(command_line_test, help_knows_the_policies_of_plugins) {
  const std::string plugin = " --plugin " MUSTER_PLUGINS "/adversaries.so";
  EXPECT_NE(shell("muster help starts_twice" + plugin).output.find("Of policies:"), std::string::npos);
  EXPECT_EQ(shell("muster help starts_twice").status, 2);
}

TEST_F(command_line_test, help_of_an_unknown_name_exits_with_2_and_the_nearest_one) {
  const auto mistyped = shell("muster help crosover"), senseless = shell("muster help qqqqqqqqqqqq");
  EXPECT_EQ(mistyped.output, "unknown name 'crosover'; did you mean 'crossover'?\n");
  EXPECT_EQ(senseless.output, "unknown name 'qqqqqqqqqqqq'; see `muster help` and `muster list`\n");
  EXPECT_EQ(mistyped.status, 2);
  EXPECT_EQ(senseless.status, 2);
}

TEST_F(command_line_test, example_of_each_policy_is_a_scenario_that_runs) {
  std::istringstream lines(shell("muster list policies").output);
  std::size_t policies = 0;
  for (std::string name; std::getline(lines, name);) {
    if (name.empty() || name.find(' ') != std::string::npos) continue;
    const std::string help = shell("muster help " + name).output, before = "\n  muster run ";
    const std::size_t from = help.find(before) + before.size();
    const std::string example = help.substr(from, help.find('\n', from) - from);
    const bool is_finite = example.find("ispeed") != std::string::npos;
    const auto ran = shell("cd " MUSTER_SOURCE "; muster run " + example + " --no-fork --point 0 --replication 0" +
                           (is_finite ? "" : " --set run.jobs=1000"));
    EXPECT_EQ(ran.status, 0) << name << '\n' << ran.output;
    ++policies;
  }
  EXPECT_GT(policies, 15u);
}

TEST_F(command_line_test, list_of_policies_tells_what_k_is_and_what_has_no_effect_beside_what) {
  const std::string policies = shell("muster list policies").output;
  for (const char* words :
       {"k is the number of all cores of the platform, whichever classes may use them.\n",
        "    threshold (integer, 0 .. k - 1, default k - 1, not with hand_over = published)\n",
        "of the n cores that the current class may use n - threshold are idle",
        "    drain (one of if_other_waits, always, default if_other_waits, not with hand_over = published)\n",
        "with always, jobs that arrive while their class drains wait for its next turn, though cores are idle",
        "    interruptions_per_job (a number >= 0, instead of theta)\n"})
    EXPECT_NE(policies.find(words), std::string::npos) << words << '\n' << policies;
}

TEST_F(command_line_test, policies_that_break_the_rules_end_in_a_fault_with_exit_3) {
  const std::pair<const char*, const char*> adversaries[] = {
      {"starts_nothing", "the policy has started nothing during 100000 arrivals while no job was in service"},
      {"over_allocates", "of class 'light', of need 1, with 0 cores free"},
      {"starts_twice", "the policy started job 0 a second time"},
      {"asks_for_what_it_has_not",
       "policy 'asks_for_what_it_has_not' asks for its setting 'nope', which it does not have; expected one of: least"},
  };
  for (const auto& [name, message] : adversaries) {
    const auto result =
        shell("muster run " + scenario() + " --plugin " MUSTER_PLUGINS "/adversaries.so --set policy.name=" + name +
              " --set run.jobs=200000 -j 1 --out " + at(name));
    EXPECT_EQ(result.status, 3) << name << '\n' << result.output;
    EXPECT_NE(result.output.find("fault: point 1, arrivals.rate = 1, replication "), std::string::npos)
        << result.output;
    EXPECT_NE(result.output.find(message), std::string::npos) << result.output;
  }
}

}  // namespace
}  // namespace muster
