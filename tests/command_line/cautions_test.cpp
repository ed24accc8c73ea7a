#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "platform/store/database.h"
#include "tests/command_line/command.h"
#include "tests/command_line/trace_reader.h"
#include "tests/report/drawn_plots.h"

namespace muster {
namespace {

/// Two of three classes starve at the second rate, which is beyond the limit of stability, in each of three
/// replications.
class cautions_test : public command_line_test {
 protected:
  void SetUp() override {
    command_line_test::SetUp();
    std::ofstream(folder_ / "over.toml") << R"(name = "over"
platform.servers = [{ name = "node", cores = 4 }]
classes = [
  { name = "large", need = 4, share = 0.1, size = { distribution = "exponential", mean = 1.0 } },
  { name = "wide", need = 3, share = 0.1, size = { distribution = "exponential", mean = 1.0 } },
  { name = "small", need = 1, share = 0.8, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.rate = 0.5
policy = "first_fit"
run = { jobs = 2000, replications = 3 }
[sweep]
policy = ["first_fit", "msf"]
"arrivals.rate" = [0.5, 3.0]
)";
  }

  command_result run(const std::string& words) const {
    return shell("muster run " + at("over.toml") + " --out " + at("out") + " " + words);
  }
  std::vector<std::map<std::string, std::string>> rows(const std::string& file = "results.csv") const {
    return read_table(content_of(folder_ / "out" / file));
  }
};

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST_F(cautions_test, are_one_line_for_a_point_and_one_for_each_class_in_the_manifest) {
  const auto ran = run("--quiet");
  EXPECT_EQ(ran.status, 0);
  for (const char* point : {"note: point 1, policy = first_fit, arrivals.rate = 3: more than a tenth of the jobs",
                            "note: point 3, policy = msf, arrivals.rate = 3: more than a tenth of the jobs"})
    EXPECT_EQ(times(ran.output, point), 1u) << ran.output;
  EXPECT_EQ(times(ran.output, "note: "), 2u) << ran.output;
  EXPECT_EQ(times(ran.output, "(classes 'large', 'wide', in up to 3 of 3 replications)"), 2u) << ran.output;
  const auto manifest = nlohmann::json::parse(content_of(folder_ / "out/manifest.json"));
  std::size_t of_classes = 0;
  for (const std::string note : manifest.at("notes"))
    of_classes += times(note, ": class 'large': more than a tenth") + times(note, ": class 'wide': more than a tenth");
  EXPECT_EQ(of_classes, 4u);
}

TEST_F(cautions_test, stand_where_the_numbers_stand) {
  const std::string output = run("").output;
  EXPECT_EQ(times(output, "\nb  biased: "), 1u) << output;
  EXPECT_EQ(times(output, "\nu  unstable: "), 1u) << output;
  EXPECT_GE(times(output, " bu "), 4u) << output;
  for (const auto& row : rows()) {
    const bool over = row.at("arrivals.rate") == "3";
    const bool starves = row.at("class") != "small" && row.at("metric") == "response_time";
    if (starves || row.at("metric") == "throughput") {
      EXPECT_EQ(row.at("note"), !over ? "" : starves ? "biased; unstable" : "unstable") << row.at("class");
    }
  }
  const auto differences = rows("differences.csv");
  EXPECT_TRUE(std::any_of(differences.begin(), differences.end(), [](const auto& row) {
    return row.at("arrivals.rate") == "3" && row.at("class") == "large" && row.at("note") == "biased; unstable";
  }));
  EXPECT_TRUE(std::all_of(differences.begin(), differences.end(), [](const auto& row) {
    const std::string metric = row.at("metric"), note = row.at("note");
    const bool takes_longer = metric.find("_p95") != std::string::npos || metric.find("_p99") != std::string::npos ||
                              metric == "response_time_deviation";
    return row.at("arrivals.rate") == "3" || note.empty() || (takes_longer && note == "short") ||
           (metric == "slowdown" && note == "heavy");
  }));
  EXPECT_GT(read_figure(content_of(folder_ / "out/figures/response_time.svg")).count(ring_marker), 0u);
}

TEST_F(cautions_test, are_the_same_after_resuming_and_in_the_store) {
  ASSERT_EQ(run("--quiet").status, 0);
  const std::string whole = content_of(folder_ / "out/results.csv");
  std::filesystem::remove_all(folder_ / "out");
  ASSERT_EQ(run("--quiet --replications 1").status, 0);
  const auto resumed = run("--quiet");
  EXPECT_EQ(resumed.status, 0) << resumed.output;
  EXPECT_NE(resumed.output.find("4 replications of an earlier run"), std::string::npos) << resumed.output;
  EXPECT_EQ(content_of(folder_ / "out/results.csv"), whole);
  database db = open_database(at("out/results.sqlite"));
  query marked(db, "SELECT count(*) FROM estimates WHERE note <> ''");
  ASSERT_TRUE(marked.next());
  const auto all = rows();
  EXPECT_EQ(marked[0].getInt64(),
            std::count_if(all.begin(), all.end(), [](const auto& row) { return !row.at("note").empty(); }));
}

TEST_F(cautions_test, have_a_legend_where_the_scenario_names_its_metrics) {
  const auto ran = run("--set 'report.metrics=[\"response_time_p99\"]'");
  EXPECT_EQ(times(ran.output, "\nu  "), 1u) << ran.output;
}

TEST_F(cautions_test, are_shown_by_compare) {
  ASSERT_EQ(run("--quiet").status, 0);
  ASSERT_EQ(shell("muster run " + at("over.toml") + " --quiet --seed 2 --out " + at("other")).status, 0);
  const auto compared = shell("muster compare --all " + at("out") + " " + at("other"));
  EXPECT_NE(compared.output.find("\nb  biased: "), std::string::npos) << compared.output;
  EXPECT_GE(times(compared.output, " b "), 4u) << compared.output;
}

// As an earlier version left them.
TEST_F(cautions_test, may_be_absent_from_results) {
  ASSERT_EQ(run("--quiet").status, 0);
  {
    database db = open_database(at("out/results.sqlite"));
    db.exec("UPDATE estimates SET note = ''");
    db.exec("ALTER TABLE measurements DROP COLUMN marks");
  }
  EXPECT_EQ(shell("muster report " + at("out")).status, 0);
  EXPECT_EQ(read_figure(content_of(folder_ / "out/figures/response_time.svg")).count(ring_marker), 0u);
  const auto compared = shell("muster compare " + at("out") + " " + at("out"));
  EXPECT_EQ(compared.status, 0) << compared.output;
}

}  // namespace
}  // namespace muster
