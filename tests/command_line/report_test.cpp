#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "muster/version.h"
#include "platform/store/database.h"
#include "tests/command_line/command.h"
#include "tests/report/drawn_plots.h"

namespace muster {
namespace {

namespace fs = std::filesystem;

class report_test : public command_line_test {
 protected:
  void run(const std::string& more = "") const {
    const auto result = shell("muster run " + scenario() + " --quiet --out " + at("out") + " " + more);
    ASSERT_EQ(result.status, 0) << result.output;
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / "out" / name, std::ios::binary) << text;
  }
  std::string get(const std::string& name) const { return content_of(folder_ / "out" / name); }
  drawn_figure figure(const std::string& name) const { return read_figure(get("figures/" + name)); }
  std::set<std::string> figures() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / "out" / "figures"))
      names.insert(entry.path().filename().string());
    return names;
  }
  /// Changes what is stored.
  void change(const std::string& sql) const { open_database(at("out/results.sqlite")).exec(sql); }
  void expect_refusal(const std::string& message) const {
    const auto result = shell("muster report " + at("out"));
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.output, at("out") + message + "\n");
  }
};

TEST_F(report_test, run_leaves_a_page_and_a_figure_of_each_metric_and_class) {
  run();
  EXPECT_EQ(get("report.html").substr(0, 15), "<!DOCTYPE html>");
  const std::set<std::string> names = figures();
  for (const char* name : {"response_time.svg", "response_time.light.svg", "response_time.heavy.svg", "utilization.svg",
                           "fairness_jain.svg", "phase_duration.phase_1.svg"})
    EXPECT_EQ(names.count(name), 1u) << name;
  EXPECT_EQ(names.count("interruptions_per_job.svg"), 0u) << "it is zero at every point";
}

TEST_F(report_test, run_says_where_the_page_is) {
  const auto result = shell("muster run " + scenario() + " --out " + at("out"));
  EXPECT_NE(result.output.find("\nResults are in " + at("out") + "; look at " + at("out") + "/report.html\n"),
            std::string::npos)
      << result.output;
}

TEST_F(report_test, report_writes_the_same_bytes_from_what_is_stored) {
  run();
  const std::string page = get("report.html"), figure = get("figures/response_time.svg");
  const std::set<std::string> names = figures();
  fs::remove(folder_ / "out" / "report.html");
  fs::remove_all(folder_ / "out" / "figures");
  const auto result = shell("muster report " + at("out"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, at("out") + "/report.html is written, and the figures beside it\n");
  EXPECT_EQ(get("report.html"), page);
  EXPECT_EQ(get("figures/response_time.svg"), figure);
  EXPECT_EQ(figures(), names);
}

TEST_F(report_test, rerun_replaces_figures_and_keeps_what_else_is_in_their_folder) {
  run();
  put("figures/of_yesterday.svg", "<svg/>");
  put("figures/mine.txt", "mine");
  run();
  EXPECT_EQ(figures().count("of_yesterday.svg"), 0u);
  EXPECT_EQ(get("figures/mine.txt"), "mine");
}

TEST_F(report_test, figures_of_someone_else_are_not_taken_over) {
  fs::create_directories(folder_ / "out" / "figures");
  put("figures/mine.svg", "<svg/>");
  const auto result = shell("muster run " + scenario() + " --quiet --out " + at("out"));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(get("figures/mine.svg"), "<svg/>");
}

TEST_F(report_test, page_loads_nothing_from_anywhere) {
  run();
  const std::string page = get("report.html");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const char* loader : {"src=\"", "src='", "@import", "url(http", "<iframe", "fetch(", "XMLHttpRequest"})
    EXPECT_EQ(page.find(loader), std::string::npos) << loader;
  EXPECT_EQ(page.find("href=\"http"), std::string::npos);
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) ++found;
  return found;
}

// The manifest, which is among the page's data, has the command line.
TEST_F(report_test, text_that_looks_like_html_ends_no_script_of_the_page_and_is_shown_as_it_is) {
  run();
  const std::string plain = get("report.html");
  const std::string about = "</script><!--<script>x</script><b> & c";
  run("--force --set 'about=\"" + about + "\"'");
  const std::string page = get("report.html");
  EXPECT_EQ(count(page, "<script"), count(plain, "<script"));
  EXPECT_EQ(count(page, "</script"), count(plain, "</script"));
  EXPECT_EQ(count(page, "<script>"), 2u);
  EXPECT_EQ(count(page, "<b>"), 0u);
  EXPECT_EQ(count(page, "<!--"), 0u);
  EXPECT_EQ(count(page, R"(<p class="about">&lt;/script&gt;)"), 1u);
  const std::string begin = R"(id="data">)";
  const std::size_t at = page.find(begin) + begin.size();
  const auto data = nlohmann::json::parse(page.substr(at, page.find("</script", at) - at));
  EXPECT_NE(data.at("manifest").dump().find(about), std::string::npos);
}

TEST_F(report_test, figures_are_xml_with_a_line_for_each_series) {
  run();
  for (const std::string& name : figures()) {
    const auto series = figure(name).series();
    EXPECT_LE(series.size(), 2u) << name;
    for (const drawn_plot& line : series)
      EXPECT_TRUE(std::is_sorted(line.markers.begin(), line.markers.end() - 1, [](const auto& a, const auto& b) {
        return a.second.first < b.second.first;
      })) << name;
  }
  const drawn_figure found = figure("response_time.svg");
  ASSERT_EQ(found.series().size(), 2u);
  EXPECT_EQ(found.series()[0].title, "msf");
  EXPECT_EQ(found.series()[1].title, "msfq(threshold=2)");
  for (const drawn_plot& line : found.series()) EXPECT_EQ(line.markers.size(), 3u) << "2 points, a row of the legend";
  EXPECT_EQ(found.theories().size(), 2u);
  EXPECT_EQ(figure("slowdown.svg").theories().size(), 0u);
}

TEST_F(report_test, theory_is_drawn_once_where_series_share_it) {
  std::ofstream(folder_ / "queue.toml") << R"(name = "queue"
platform.servers = [{ name = "node" }]
classes = [{ name = "job", need = 1, share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
arrivals.rate = 0.5
policy = "fcfs"
run = { jobs = 500, replications = 2 }
[sweep]
"run.seed" = [1, 2]
"arrivals.rate" = [0.3, 0.5, 0.95]
)";
  ASSERT_EQ(shell("muster run " + at("queue.toml") + " --quiet --out " + at("out")).status, 0);
  const drawn_figure found = figure("response_time.svg");
  EXPECT_EQ(found.series().size(), 2u);
  EXPECT_EQ(found.theories().size(), 1u);
  EXPECT_EQ(found.limits().size(), 1u) << "the work bound at rate 1";
}

TEST_F(report_test, one_point_and_one_replication_have_a_report_without_figures) {
  run("--replications 1 --set policy.name=fcfs --set arrivals.rate=0.5");
  EXPECT_NE(get("report.html").find("</html>"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "out" / "figures"));
  EXPECT_EQ(shell("PATH=/nowhere muster report " + at("out")).output, at("out") + "/report.html is written\n")
      << "no gnuplot is needed";
}

TEST_F(report_test, results_of_no_point_have_a_page_and_no_figures) {
  run();
  change("DELETE FROM estimates");
  EXPECT_EQ(shell("muster report " + at("out")).status, 0);
  EXPECT_TRUE(figures().empty());
  EXPECT_NE(get("report.html").find("\"metrics\":[]"), std::string::npos);
}

TEST_F(report_test, estimates_that_are_missing_or_infinite_leave_gaps) {
  run();
  for (const char* value : {"NULL", "9e999", "-9e999"}) {
    change(std::string("UPDATE estimates SET estimate = ") + value +
           " WHERE point = 0 AND class = 'all' AND metric = 'response_time'");
    EXPECT_EQ(shell("muster report " + at("out")).status, 0) << value;
    const auto lines = figure("response_time.svg").series();
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].markers.size(), 2u) << value << ": one point, and the sample of the legend";
  }
}

TEST_F(report_test, metrics_of_a_later_version_are_shown_too) {
  run("--replications 1");
  change("INSERT INTO estimates VALUES (1, 'all', 'queue_at_noon', 17.25, NULL, NULL, 1, 100, '')");
  EXPECT_EQ(shell("muster report " + at("out")).status, 0);
  const std::string page = get("report.html");
  EXPECT_NE(page.find(R"({"name":"queue_at_noon","unit":"","about":"","better":"","classes":["all"],)"
                      R"("is_zero":false,"count":1,)"),
            std::string::npos);
  EXPECT_NE(page.find(R"(">[17.25]</script>)"), std::string::npos);
  EXPECT_EQ(figures().count("queue_at_noon.svg"), 1u);
}

TEST_F(report_test, reads_the_store_and_no_csv_file) {
  run();
  const std::string page = get("report.html");
  for (const char* name : {"results.csv", "theory.csv", "differences.csv"}) fs::remove(folder_ / "out" / name);
  EXPECT_EQ(shell("muster report " + at("out")).status, 0);
  EXPECT_EQ(get("report.html"), page);
}

TEST_F(report_test, shows_what_the_run_has_concluded_and_concludes_nothing) {
  run();
  change("UPDATE stability SET answer = 'as the run says' WHERE point = 2");
  change("UPDATE verdict SET policy = 'winner' WHERE place = 'best'");
  change("INSERT INTO sentences VALUES ('note', 'what the run says')");
  EXPECT_EQ(shell("muster report " + at("out")).status, 0);
  const std::string page = get("report.html");
  for (const char* text : {"\"as the run says\"", "\"policy\":\"winner\"", "\"what the run says\""})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

TEST_F(report_test, without_gnuplot_there_are_page_and_tables_and_no_figures) {
  run("--replications 1");
  const std::string page = get("report.html");
  const auto result = shell("PATH=/nowhere muster report " + at("out"));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output,
            "gnuplot cannot be started, install gnuplot-nox: No such file or directory; figures/*.svg are not written, "
            "report.html and the tables are\n");
  EXPECT_EQ(get("report.html"), page);
  EXPECT_TRUE(figures().empty());
}

TEST_F(report_test, takes_the_gnuplot_of_the_first_folder_of_path_and_none_of_the_working_folder) {
  run("--replications 1");
  fs::create_directories(folder_ / "empty");
  for (const char* folder : {"first", "second"}) {
    fs::create_directories(folder_ / folder);
    const fs::path program = folder_ / folder / "gnuplot";
    std::ofstream(program) << "#!/bin/sh\necho from the " << folder << " folder >&2\nexit 7\n";
    fs::permissions(program, fs::perms::owner_all);
  }
  const std::string both = at("first") + ":" + at("second");
  for (const auto& [path, taken] : std::map<std::string, std::string>{
           {both, "first"}, {at("empty") + ":" + both, "first"}, {at("second") + ":" + at("first"), "second"}}) {
    const auto result = shell("cd " + at("first") + " && PATH=" + path + " muster report " + at("out"));
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.output.find("gnuplot ended with exit status 7: from the " + taken + " folder"), 0u)
        << result.output;
  }
}

TEST_F(report_test, folders_without_results_are_refused) {
  expect_refusal(": holds no results.sqlite; expected a directory that muster run has written");
  fs::create_directories(folder_ / "out");
  expect_refusal(": holds no results.sqlite; expected a directory that muster run has written");
  put("results.sqlite", "");
  expect_refusal(": holds no scenario.toml; expected a directory that muster run has written");
}

TEST_F(report_test, damaged_results_are_refused_with_the_place) {
  run("--replications 2");
  const std::string whole = get("results.sqlite");
  const auto expect = [&](const std::string& sql, const std::string& message) {
    change(sql);
    expect_refusal("/results.sqlite: " + message);
    put("results.sqlite", whole);
  };
  for (const char* change : {"estimates SET point = 4", "theory SET point = -1", "differences SET point_b = 'x'",
                             "estimates SET estimate = 'x'", "differences SET ci_high = 'x'",
                             "estimates SET metric = '../response_time'", "theory SET class = ''"}) {
    const std::string table(change, std::string(change).find(' '));
    expect(fmt::format("UPDATE {} WHERE rowid = 2", change),
           "table " + table +
               ", row 2: expected a point of scenario.toml, 0 to 3, names of letters, digits, '_', '-' and '.', and "
               "numbers or nulls");
  }
  expect("INSERT INTO jobs_in_system VALUES (1, 0, 0, 'noon', 'light', 3)",
         "table jobs_in_system: expected numbers as time");
  put("manifest.json", "{");
  expect_refusal("/manifest.json: is not JSON; expected what muster run has written");
  fs::remove(folder_ / "out" / "manifest.json");
  expect_refusal("/manifest.json: cannot be opened: No such file or directory");
  EXPECT_TRUE(fs::exists(folder_ / "out" / "report.html")) << "an older page stays";
}

TEST_F(report_test, stores_that_are_corrupt_of_another_version_or_of_other_points_are_refused_with_what_to_do) {
  run("--replications 2");
  const std::string whole = get("results.sqlite"), way_out = "; muster run --force makes the results anew";
  put("results.sqlite", "no database at all, but long enough to be taken for one");
  expect_refusal("/results.sqlite: is corrupt or not a muster results database: file is not a database" + way_out);
  put("results.sqlite", "");
  expect_refusal("/results.sqlite: holds no results" + way_out);
  put("results.sqlite", whole);
  change("PRAGMA user_version = 3");
  expect_refusal(std::string("/results.sqlite: was written by another version of muster, and this is muster ") +
                 version + way_out);
  for (const char* sql : {"UPDATE points SET value = '0.25' WHERE point = 1", "DELETE FROM points WHERE point = 3",
                          "INSERT INTO points VALUES (4, 'policy', 'msf')"}) {
    put("results.sqlite", whole);
    change(sql);
    expect_refusal("/results.sqlite: has other points than scenario.toml beside it" + way_out);
  }
}

TEST_F(report_test, results_of_another_version_with_the_same_tables_have_a_page) {
  run("--replications 2");
  change("UPDATE study SET value = '99.0.0' WHERE key = 'muster_version'");
  EXPECT_EQ(shell("muster report " + at("out")).status, 0);
}

TEST_F(report_test, damaged_scenario_is_refused) {
  run();
  put("scenario.toml", "name = ");
  const auto result = shell("muster report " + at("out"));
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find(at("out") + "/scenario.toml:1:"), std::string::npos) << result.output;
}

TEST_F(report_test, files_of_a_scenario_may_not_fall_upon_the_report) {
  fs::create_directory(folder_ / "figures");
  std::ofstream(folder_ / "figures" / "ring.txt") << "job a\n";
  std::ofstream(folder_ / "pool.toml") << R"(name = "pool"
platform.servers = [{ name = "a" }]
platform.graph = "figures/ring.txt"
classes = [{ name = "job", need = 1, share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
arrivals.rate = 0.5
policy = "fcfs_pooled"
run.jobs = 100
)";
  const auto result = shell("muster run " + at("pool.toml") + " --quiet --out " + at("out"));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output,
            at("out") + "/figures/ring.txt: the scenario has a file of that name, where results go; rename it\n");
}

}  // namespace
}  // namespace muster
