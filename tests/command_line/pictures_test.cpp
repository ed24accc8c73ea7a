#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/scenario/scenario_file.h"
#include "platform/store/result_store.h"
#include "tests/command_line/perfetto_reader.h"
#include "tests/command_line/trace_scenes.h"
#include "tests/simulation/picture_checks.h"

// What a run stores for the pictures of its page.

namespace muster {
namespace {

class pictures_test : public trace_test {
 protected:
  std::string dump(const std::string& run, const std::string& table) const {
    database db = open_database((folder_ / run / "results.sqlite").string());
    query columns(db, fmt::format("SELECT count(*) FROM pragma_table_info('{}')", table));
    columns.next();
    query rows(db, fmt::format("SELECT * FROM {} ORDER BY 1, 2, 3, 4", table));
    std::string all;
    for (; rows.next(); all += '\n')
      for (int n = 0; n < columns[0].getInt(); ++n) all += rows[n].getString() + ' ';
    return all;
  }
};

/// Thread, job, begin and end in nanoseconds, as far as it lies in the window.
using of_core = std::tuple<std::string, std::string, std::int64_t, std::int64_t>;

// The trace is of the whole run: of it what lies in the window must be there, and nothing else.
TEST_F(pictures_test, the_window_of_the_cores_has_the_slices_of_the_trace) {
  for (const named_scenario& s : scenarios) {
    run(s, "--trace perfetto");
    const study read = read_study(s.text, s.name, {});
    const auto& model = read.points.front().model;
    result_store store = result_store::of_run((folder_ / s.name / "results.sqlite").string(), read);
    const core_window window = store.pictures(read).front().cores;
    ASSERT_GT(window.slices.size(), 100u) << s.name;
    const auto nanoseconds = [](double time) { return static_cast<std::int64_t>(std::llround(time * 1e9)); };
    const std::int64_t begin = nanoseconds(window.begin), end = nanoseconds(window.end);

    std::vector<of_core> stored, traced;
    for (const core_slice& slice : window.slices) {
      std::uint64_t server = slice.server;
      std::size_t entry = 0;
      for (; server >= model.servers[entry].count; ++entry) server -= model.servers[entry].count;
      const bool one = model.servers[entry].count == 1;
      for (const std::uint32_t core : numbers_in(slice.cores))
        stored.emplace_back(
            fmt::format("{}/{}core {}", model.servers[entry].name, one ? "" : fmt::format("server {} ", server), core),
            fmt::format("{} {}", slice.class_name, slice.job), std::max(begin, nanoseconds(slice.begun)),
            std::min(end, nanoseconds(slice.ended.value_or(window.end))));
    }
    const perfetto_events found(content(s, "trace.pftrace"));
    for (const perfetto_events::slice& slice : found.slices)
      if (found.on_core(slice) && slice.depth == 0 && slice.from < end && slice.to > begin && slice.from < slice.to)
        traced.emplace_back(found.name_of(slice.on), slice.name, std::max(begin, slice.from), std::min(end, slice.to));
    std::sort(stored.begin(), stored.end());
    std::sort(traced.begin(), traced.end());
    EXPECT_EQ(stored, traced) << s.name;
  }
}

// jobs.csv has every job that has left, as those do that waited longest: what it calls waiting.
TEST_F(pictures_test, the_longest_waits_are_those_of_the_jobs_of_the_trace) {
  const named_scenario& s = scenarios[0];
  run(s, "--trace jobs");
  const study read = read_study(s.text, s.name, {});
  result_store store = result_store::of_run((folder_ / s.name / "results.sqlite").string(), read);
  std::vector<double> traced;
  for (const auto& row : read_table(content(s, "jobs.csv"))) traced.push_back(std::stod(row.at("waiting")));
  std::sort(traced.rbegin(), traced.rend());
  std::size_t at = 0;
  const auto pictures = store.pictures(read);
  for (const long_wait& wait : pictures.front().waits)
    if (wait.has_left) {
      EXPECT_NEAR(wait.wait, traced.at(at), 1e-9);
      ++at;
    }
  EXPECT_GT(at, 0u);
}

TEST_F(pictures_test, do_not_depend_on_workers_traces_and_interruptions) {
  std::ofstream(folder_ / "pool.toml") << pool;
  const auto run_into = [&](const std::string& out, const std::string& options) {
    const auto result = shell(fmt::format("muster run {} --quiet {} --out {}", at("pool.toml"), options, at(out)));
    ASSERT_EQ(result.status, 0) << result.output;
  };
  run_into("one", "-j 1 --replications 3");
  run_into("three", "-j 3 --replications 3 --trace perfetto");
  run_into("resumed", "-j 1 --replications 1");
  run_into("resumed", "-j 2 --replications 3");
  for (const char* table : {"responses", "bins", "jobs_in_bins", "windows", "window_bins", "slices", "waits",
                            "running_in_waits", "response_quantiles"}) {
    const std::string expected = dump("one", table);
    EXPECT_GT(expected.size(), 20u) << table;
    EXPECT_EQ(dump("three", table), expected) << table;
    EXPECT_EQ(dump("resumed", table), expected) << table;
  }
}

TEST_F(pictures_test, that_are_damaged_in_the_store_are_named) {
  run(scenarios[0], "");
  const auto file = folder_ / "gangs" / "results.sqlite", whole = folder_ / "whole.sqlite";
  std::filesystem::copy_file(file, whole);
  const auto expect_named = [&](const std::string& sql, const std::string& words) {
    open_database(file.string()).exec(sql);
    const auto result = shell(fmt::format("muster report {}", at("gangs")));
    EXPECT_EQ(result.status, 2) << sql;
    EXPECT_NE(result.output.find(words), std::string::npos) << sql << ": " << result.output;
    std::filesystem::copy_file(whole, file, std::filesystem::copy_options::overwrite_existing);
  };
  expect_named("UPDATE slices SET server = 99 WHERE row = 3", "table slices: expected servers of the table windows");
  expect_named("UPDATE slices SET class = 'x' WHERE row = 3", "table slices: expected classes of scenario.toml");
  for (const char* devices : {"0", "x"})  // servers of this scenario have none
    expect_named(std::string("UPDATE slices SET devices = '") + devices + "' WHERE row = 3",
                 "table slices: expected as devices numbers of devices of the server");
  expect_named("UPDATE jobs_in_bins SET bin = 9999 WHERE bin = 3",
               "table jobs_in_bins: expected rows of the table bins");
  expect_named("UPDATE windows SET servers = 99", "table windows: expected servers of scenario.toml");
  for (const char* packed : {"?", "99999999", "AAAAAAAA"})  // damaged; of a server that is not there; of no core
    expect_named(std::string("UPDATE windows SET packed = '") + packed + "'",
                 "table windows: expected as packed slices of classes of scenario.toml on its servers");
  expect_named("UPDATE bins SET begin = 'x' WHERE row = 2", "table bins: expected numbers as begin");
  expect_named("UPDATE bins SET servers = '1 x' WHERE row = 2", "table bins: expected as servers a number up to 1000");
  expect_named("UPDATE window_bins SET servers = servers || ' 1' WHERE row = 1",
               "table window_bins: expected as servers a number up to 1000 for each row of servers");
  expect_named("UPDATE waits SET class = 'x' WHERE row = 1", "table waits: expected classes of scenario.toml");
  expect_named("UPDATE waits SET wait = 'x' WHERE row = 1", "table waits: expected numbers as wait");
  expect_named("UPDATE running_in_waits SET wait = 99 WHERE wait = 1",
               "table running_in_waits: expected rows of the table waits");
  expect_named("UPDATE response_quantiles SET share = share / 2", "table response_quantiles: expected other shares");
}

}  // namespace
}  // namespace muster
