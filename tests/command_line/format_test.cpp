#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command_line/command.h"

namespace muster {
namespace {

class format_test : public command_line_test {
 protected:
  /// Standard output alone.
  static std::string printed(const std::string& words) { return shell("muster " + words + " 2>/dev/null").output; }

  static nlohmann::json document(const std::string& words) {
    const std::string text = printed(words + " --format json");
    EXPECT_TRUE(nlohmann::json::accept(text)) << words << '\n' << text;
    return nlohmann::json::parse(text, nullptr, false);
  }

  std::string run() const { return "run " + scenario() + " --out " + at("out"); }
};

TEST_F(format_test, csv_of_a_run_has_the_numbers_of_its_results) {
  const std::string csv = printed(run() + " --format csv");
  EXPECT_EQ(csv.rfind("point,arrivals.rate,policy,response_time,response_time_ci_low,response_time_ci_high,"
                      "response_time_note,response_time_theory,",
                      0),
            0u)
      << csv;
  const std::size_t row = csv.find("\n1,0.5,msfq");
  ASSERT_NE(row, std::string::npos) << csv;
  std::istringstream fields(csv.substr(csv.find(',', row + 7) + 1));
  std::string mean, low, high;
  std::getline(std::getline(std::getline(fields, mean, ','), low, ','), high, ',');
  EXPECT_NE(content_of(folder_ / "out/results.csv").find(",all,response_time,s," + mean + "," + low + "," + high + ","),
            std::string::npos)
      << mean << ' ' << low << ' ' << high;
}

TEST_F(format_test, json_is_one_document_with_all_tables) {
  const auto found = document(run() + " --replications 10");
  EXPECT_EQ(found["points"].size(), 4u);
  EXPECT_TRUE(found["points"][3]["response_time"].is_number());
  EXPECT_EQ(found["verdict"].size(), 4u) << found["verdict"];
  EXPECT_TRUE(found["sentences"].is_array());
  EXPECT_EQ(document(run() + " --replications 10"), found) << "of stored results";

  const auto checked = document("check " + scenario());
  EXPECT_EQ(checked["classes"][1]["class"], "heavy");
  EXPECT_EQ(checked["points"][2]["arrivals.rate"], 1);
  EXPECT_EQ(checked["points"][2]["verdict"], "stable");
  const double limit = checked["points"][2]["policy_limit"];
  EXPECT_NEAR(checked["points"][2]["rate_over_limit"], 100.0 / limit, 0.001);
  EXPECT_EQ(document("theory " + scenario())["points"].size() > 0, true);

  printed("run " + scenario() + " --replications 10 --seed 7 --out " + at("other"));
  const auto compared = document("compare " + at("out") + " " + at("other") + " --all");
  EXPECT_EQ(compared["changed_keys"], nlohmann::json::parse(R"([{"key": "run.seed", "A": "1", "B": "7"}])"));
  EXPECT_TRUE(compared["estimates"][0]["difference_ci_high"].is_number());

  const std::string search = scenario() + " --quiet --set run.jobs=500 --set policy.name=msfq ";
  const auto tuned =
      document("tune " + search + "--set policy={} --over policy.threshold=0:3 --minimize response_time");
  EXPECT_EQ(tuned["values"].size(), 8u) << "four values at each of two points";
  EXPECT_EQ(tuned["values"][4]["arrivals.rate"], 1);
  EXPECT_TRUE(tuned["values"][4]["ci_low"].is_number());
  EXPECT_TRUE(tuned["best"][0]["policy.threshold"].is_number());
  const auto sized = document("tune " + search +
                              "--set policy={} --over policy.threshold=0:2 --over "
                              "platform.servers.node.capacity=1.0:1.2:0.1 --minimize response_time --minimize "
                              "utilization");
  EXPECT_GE(sized["front"].size(), 2u);
  EXPECT_EQ(sized["combinations"].size() % 2, 0u) << "a row for each metric";
  EXPECT_EQ(sized["key_effects"].size(), 8u) << "two keys and two metrics at each of two points";
  const auto crossed = document("crossover " + scenario() +
                                " --quiet --set run.jobs=500 --over arrivals.rate=0.5:1.0 --between msf fcfs --metric "
                                "response_time");
  EXPECT_EQ(crossed["crossings"][0]["key"], "arrivals.rate");
  EXPECT_GT(crossed["scan"].size(), 3u);
}

TEST_F(format_test, lists_are_tables_too) {
  const auto metrics = document("list metrics")["metrics"];
  EXPECT_EQ(metrics[0]["name"], "response_time");
  EXPECT_EQ(metrics[0]["unit"], "time");
  EXPECT_EQ(metrics[0]["meaning"], "mean time from arrival to completion; less is better");
  for (const char* what : {"policies", "distributions", "utilities", "traces"})
    EXPECT_GT(document(std::string("list ") + what)[what].size(), 2u) << what;
  EXPECT_EQ(printed("list keys --format csv").rfind("key,type,default,unit,meaning\nname,name,required,,", 0), 0u);
}

TEST_F(format_test, markdown_of_a_comparison_has_its_tables) {
  printed(run());
  const std::string text = printed("compare " + at("out") + " " + at("out") + " --all --format markdown");
  EXPECT_EQ(text.rfind("## estimates\n\n| arrivals.rate | policy | class |", 0), 0u) << text;
}

TEST_F(format_test, notes_and_the_place_of_results_are_not_among_the_data) {
  const auto result = shell("muster " + run() + " --format csv 2>" + at("errors"));
  EXPECT_EQ(result.output.find("Results are in"), std::string::npos) << result.output;
  EXPECT_NE(content_of(folder_ / "errors").find("Results are in " + at("out")), std::string::npos);
  EXPECT_EQ(printed(run() + " --quiet --format json"), "");
}

TEST_F(format_test, the_table_is_the_default) {
  EXPECT_EQ(printed("check " + scenario() + " --format table"), printed("check " + scenario()));
}

TEST_F(format_test, a_table_begins_with_the_name_of_the_scenario_and_what_it_is_about_if_that_is_told) {
  std::ofstream(at("told.toml")) << "about = \"why\"\n" + content_of(scenario());
  for (const auto& [file, line] : {std::pair{scenario(), "small\n"}, std::pair{at("told.toml"), "small: why\n"}})
    for (const std::string& command : {"check " + file, "theory " + file,
                                       "run " + file + " --set run.jobs=100 --replications 1 --out " + file + ".out"})
      EXPECT_EQ(printed(command).find(line), 0u) << command;
}

TEST_F(format_test, an_unknown_one_is_answered_with_the_nearest) {
  const auto result = shell("muster list policies --format jsn");
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("--format: unknown format 'jsn'; did you mean 'json'?"), std::string::npos)
      << result.output;
}

}  // namespace
}  // namespace muster
