#include <gtest/gtest.h>

#include "tests/command_line/command.h"

// The completion of command lines and the manual page, by the programs that read them.

namespace muster {
namespace {

class completion_test : public command_line_test {
 protected:
  // What a bash offers for the last word of a command line, one a line.
  std::string offered(const std::string& words) const {
    std::ofstream(folder_ / "words") << "(muster " << words << ")";
    return shell("muster help --completion bash >" + at("completion") + "; bash --norc -c 'source " + at("completion") +
                 "; declare -a COMP_WORDS=$(cat " + at("words") +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _muster; printf \"%s\\n\" \"${COMPREPLY[@]}\"'")
        .output;
  }
};

TEST_F(completion_test, offers_commands_and_their_options) {
  EXPECT_EQ(offered("\"\""),
            "run\ncheck\ntheory\nreport\ngallery\ncompare\ntune\ncrossover\nbottlenecks\nforecast\nimport\ncalibrate\n"
            "export-fmu\nlist\nhelp\n");
  EXPECT_EQ(offered("c"), "check\ncompare\ncrossover\ncalibrate\n");
  EXPECT_EQ(offered("--v"), "--version\n");
  EXPECT_EQ(offered("compare --"), "--help\n--all\n--format\n");
  EXPECT_EQ(offered("run x.toml --re"), "--replications\n--replication\n");
  EXPECT_EQ(offered("tune x.toml --m"), "--minimize\n--maximize\n");
}

TEST_F(completion_test, offers_what_the_catalogues_know) {
  EXPECT_EQ(
      offered("list \"\""),
      "policies\nplacements\ngovernors\ndispatching\ndistributions\nutilities\nmetrics\ntraces\nkeys\nscenarios\n");
  EXPECT_EQ(offered("run --trace \"\""), "jobs\nperfetto\nswf\nvcd\n");
  EXPECT_EQ(offered("check --format \"\""), "table\ncsv\njson\nmarkdown\n");
  EXPECT_EQ(offered("tune --minimize through"), "throughput\n");
  EXPECT_EQ(offered("crossover --metric fair"), "fairness_jain\n");
  EXPECT_EQ(offered("crossover --between ms"), "msf\nmsfq\n");
  EXPECT_EQ(offered("crossover --between msf static"), "static_quickswap\n");
  EXPECT_EQ(offered("help weib"), "weibull\n");
  EXPECT_EQ(offered("run --set arrivals.lo"), "arrivals.load=\n");
  EXPECT_EQ(offered("run --set classes.\\*.nee"), "classes.*.need=\n");
  EXPECT_EQ(offered("tune --over run.see"), "run.seed=\n");
  EXPECT_EQ(offered("help platform.costs.sa"), "platform.costs.save\n");
  EXPECT_EQ(offered("help cross"), "crossover\n");
  EXPECT_EQ(offered("help --completion \"\""), "bash\n");
}

TEST_F(completion_test, leaves_files_to_the_shell) {
  for (const char* words : {"run \"\"", "run --out \"\"", "help --plugin \"\"", "list --plugin \"\""})
    EXPECT_EQ(offered(words), "\n") << words;
  EXPECT_EQ(shell("bash --norc -c 'source <(" MUSTER_BINARY " help --completion bash); complete -p muster'").output,
            "complete -o bashdefault -o default -F _muster muster\n");
}

TEST_F(completion_test, manual_page_is_read_without_a_warning_and_has_all_names) {
  const auto warnings = shell("muster help --man | groff -man -ww -Tutf8 -Kutf8 -z");
  EXPECT_EQ(warnings.status, 0);
  EXPECT_EQ(warnings.output, "");
  const std::string page = shell("muster help --man | groff -man -Tascii -P-cbou -rLL=200n").output;
  for (const char* words :
       {"muster - a hardware-level model", "\n   crossover\n", "muster run SCENARIO.toml [OPTIONS]", "--trace KIND",
        "--minimize METRIC", "--precision P=2%", "\nPOLICIES\n", "\n       msfq", "threshold (integer, 0 .. k - 1",
        "{ distribution = \"weibull\", shape (> 0), mean (> 0) }", "response_time", "trace_POINT.vcd",
        "\nEXIT STATUS\n", "    --between msf static_quickswap --metric weighted_response_time --precision 4%\n"})
    EXPECT_NE(page.find(words), std::string::npos) << words << '\n' << page;
  EXPECT_EQ(page.find("-j UINT="), std::string::npos) << "it would depend on the machine";
}

}  // namespace
}  // namespace muster
