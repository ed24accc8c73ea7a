#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/command.h"
#include "tests/command_line/trace_reader.h"

namespace muster {
namespace {

using nlohmann::json;

/// Rigid jobs; gangs over several servers, with set-up, and phases.
constexpr const char* gangs = R"(name = "gangs"
[platform]
servers = [{ name = "node", count = 3, cores = 4 }, { name = "fast", cores = 2, capacity = 2.0 }]
costs = { dispatch_latency = 0.01, set_up = 0.05 }
[[classes]]
name = "light"
need = 1
share = 0.8
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "heavy"
need = 14
share = 0.2
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 2.5
[policy]
name = "msfq"
threshold = 5
[run]
jobs = 3000
replications = 1
warm_up = 0.0
)";

/// Pooled jobs that are interrupted, move, and pay for it.
constexpr const char* pool = R"(name = "pool"
[platform]
servers = [{ name = "a", cores = 2 }, { name = "b", capacity = 2.0 }, { name = "rack", count = 4 }]
costs = { set_up = 0.01, save = 0.01, restore = 0.02, migration = 0.03 }
[[classes]]
name = "web"
share = 0.7
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "batch"
share = 0.3
servers = ["a", "rack"]
size = { distribution = "exponential", mean = 2.0 }
[arrivals]
load = 0.6
[policy]
name = "balanced_fair"
interruptions_per_job = 2.0
[run]
jobs = 3000
replications = 1
warm_up = 0.0
)";

/// Slotted jobs, some of which expire.
constexpr const char* slots = R"(name = "slots"
[platform]
servers = [{ name = "machine", count = 6 }]
costs = { epsilon = 0.05 }
[[classes]]
name = "vip"
jobs = 30
units = 20
value = 10.0
utility = { function = "logarithmic", steepness = 20.0 }
deadline = { distribution = "two_valued", tight = 2, loose = 30 }
[[classes]]
name = "free"
jobs = 70
units = 10
utility = { function = "exponential", steepness = 3.0 }
deadline = { distribution = "uniform", from = 1, to = 20 }
[arrivals]
process = "uniform"
slots = 100
[policy]
name = "ispeed"
[run]
replications = 1
warm_up = 0.0
)";

struct named_scenario {
  const char* name;
  const char* text;
  unsigned cores;
};
const named_scenario scenarios[] = {{"gangs", gangs, 14}, {"pool", pool, 7}, {"slots", slots, 6}};

class trace_test : public command_line_test {
 protected:
  /// Runs a scenario with traces into a folder of its name.
  void run(const named_scenario& s, const std::string& options) const {
    std::ofstream(folder_ / (std::string(s.name) + ".toml")) << s.text;
    const auto result =
        shell(fmt::format("muster run {} --quiet {} --out {}", at(std::string(s.name) + ".toml"), options, at(s.name)));
    ASSERT_EQ(result.status, 0) << result.output;
  }
  std::string content(const named_scenario& s, const std::string& file) const {
    return content_of(folder_ / s.name / file);
  }
  double result(const named_scenario& s, const std::string& class_name, const std::string& metric) const {
    for (const auto& row : read_table(content(s, "results.csv")))
      if (row.at("class") == class_name && row.at("metric") == metric) return std::stod(row.at("estimate"));
    throw std::runtime_error("no " + metric + " of " + class_name);
  }
};

void expect_same(double found, double known, const std::string& what) {
  EXPECT_NEAR(found, known, 1e-9 * std::max(1.0, std::abs(known))) << what;
}

TEST_F(trace_test, results_are_byte_identical_with_every_trace_and_without) {
  for (const named_scenario& s : scenarios) {
    run(s, "");
    const std::string without = content(s, "results.csv");
    run(s, "--trace jobs --trace perfetto --trace vcd");
    EXPECT_EQ(content(s, "results.csv"), without) << s.name;
    EXPECT_GT(without.size(), 500u);
  }
}

TEST_F(trace_test, means_over_the_rows_of_jobs_are_the_results) {
  for (const named_scenario& s : scenarios) {
    SCOPED_TRACE(s.name);
    run(s, "--trace jobs");
    const auto rows = read_table(content(s, "jobs.csv"));
    std::map<std::string, double> completed, left, response, waiting, size, utility, interruptions, migrations,
        preemptions;
    for (const auto& row : rows) {
      EXPECT_NEAR(std::stod(row.at("completed")) - std::stod(row.at("arrival")), std::stod(row.at("response")), 1e-8);
      for (const std::string& name : {row.at("class"), std::string("all")}) {
        ++left[name];
        interruptions[name] += std::stod(row.at("interruptions"));
        migrations[name] += std::stod(row.at("migrations"));
        preemptions[name] += std::stod(row.at("preemptions"));
        if (!row.at("utility").empty()) utility[name] += std::stod(row.at("utility"));
        if (row.at("outcome") != "completed") {
          EXPECT_EQ(row.at("outcome"), "expired");
          continue;
        }
        EXPECT_NEAR(std::stod(row.at("started")) - std::stod(row.at("arrival")), std::stod(row.at("waiting")), 1e-8);
        ++completed[name];
        response[name] += std::stod(row.at("response"));
        waiting[name] += std::stod(row.at("waiting"));
        size[name] += std::stod(row.at("size"));
      }
    }
    const double end = std::stod(rows.back().at("completed"));
    for (const auto& [name, n] : completed) {
      expect_same(response[name] / n, result(s, name, "response_time"), "response_time of " + name);
      expect_same(waiting[name] / n, result(s, name, "waiting_time"), "waiting_time of " + name);
      expect_same(interruptions[name] / left[name], result(s, name, "interruptions_per_job"), "interruptions");
      expect_same(migrations[name] / left[name], result(s, name, "migrations_per_job"), "migrations");
      expect_same(n / end, result(s, name, "throughput"), "throughput of " + name);
      expect_same(size[name] / end, result(s, name, "service_rate") * result(s, name, "jobs_in_system"), "work");
      if (s.text != slots) continue;
      expect_same(utility[name], result(s, name, "utility"), "utility of " + name);
      expect_same(n / left[name], result(s, name, "completed_share"), "completed_share of " + name);
      expect_same(preemptions[name] / left[name], result(s, name, "preemptions_per_job"), "preemptions of " + name);
    }
    EXPECT_EQ(completed.size(), 3u);
    if (s.text == slots) {
      EXPECT_LT(completed["all"], left["all"]) << "nobody has expired: the test is too easy";
    }
    if (s.text == pool) {
      EXPECT_GT(migrations["all"], 100.0) << "nobody has moved: the test is too easy";
    }
  }
}

/// Slices of one thread, in order.
struct span {
  std::int64_t from, to;
  std::string name;
};

// Of decimal microseconds. Scenarios here resolve nanoseconds.
std::int64_t nanoseconds(const json& time) { return std::llround(time.get<double>() * 1000.0); }

struct events {
  std::map<std::pair<int, int>, std::vector<span>> threads;  ///< by process and thread
  std::map<std::string, int> instants;
  std::map<std::uint64_t, std::vector<json>> jobs;  ///< begin and end
  std::map<std::string, std::vector<json>> counters;
  std::map<int, std::string> processes;
  std::map<std::pair<int, int>, std::string> names;

  explicit events(const std::string& text) {
    for (const json& e : json::parse(text)) {
      const std::string kind = e.at("ph");
      const std::pair<int, int> thread{e.at("pid"), e.value("tid", 0)};
      if (kind == "X") {
        const std::int64_t from = nanoseconds(e.at("ts"));
        threads[thread].push_back({from, from + nanoseconds(e.at("dur")), e.at("name")});
      } else if (kind == "i") {
        ++instants[e.at("name")];
      } else if (kind == "b" || kind == "e") {
        jobs[e.at("id")].push_back(e);
      } else if (kind == "C") {
        counters[e.at("name")].push_back(e);
      } else if (e.at("name") == "process_name") {
        processes[thread.first] = e.at("args").at("name");
      } else if (e.at("name") == "thread_name") {
        names[thread] = e.at("args").at("name");
      }
    }
    for (auto& [thread, spans] : threads)
      std::stable_sort(spans.begin(), spans.end(), [](const span& a, const span& b) { return a.from < b.from; });
  }
};

bool is_part(const span& s) { return s.name == "overhead" || s.name == "saving"; }

TEST_F(trace_test, slices_in_the_viewer_do_not_overlap_and_add_up_to_the_results) {
  for (const named_scenario& s : scenarios) {
    SCOPED_TRACE(s.name);
    run(s, "--trace perfetto --trace jobs");
    const events found(content(s, "trace.json"));
    const double end = std::stod(read_table(content(s, "jobs.csv")).back().at("completed"));
    double busy = 0.0, overhead = 0.0;
    for (const auto& [thread, spans] : found.threads) {
      if (thread.first == 1) continue;  // phases
      std::int64_t until = 0, whole_end = 0;
      for (const span& slice : spans) {
        const double seconds = static_cast<double>(slice.to - slice.from) * 1e-9;
        ASSERT_LT(slice.from, slice.to);
        if (is_part(slice)) {
          EXPECT_LE(slice.to, whole_end) << "a part reaches beyond its slice";
          overhead += seconds;
          continue;
        }
        EXPECT_GE(slice.from, until) << slice.name << " begins before the one ahead has ended";
        until = whole_end = slice.to;
        busy += seconds;
      }
    }
    expect_same((busy - overhead) / (end * s.cores), result(s, "all", "utilization"), "utilization");
    expect_same(overhead / (end * s.cores), result(s, "all", "overhead_share"), "overhead_share");
    EXPECT_GT(overhead, 0.0) << "the test is too easy";
    EXPECT_EQ(found.names.size(), s.cores + 1) << "a thread for each core, one for phases";
  }
}

TEST_F(trace_test, jobs_in_the_viewer_begin_and_end_once_and_make_up_jobs_in_system) {
  for (const named_scenario& s : scenarios) {
    SCOPED_TRACE(s.name);
    run(s, "--trace perfetto --trace jobs");
    const events found(content(s, "trace.json"));
    const auto rows = read_table(content(s, "jobs.csv"));
    const double end = std::stod(rows.back().at("completed"));
    double present = 0.0;
    std::map<std::string, std::size_t> outcomes;
    for (const auto& [id, pair] : found.jobs) {
      ASSERT_EQ(pair.size(), 2u) << id;
      EXPECT_EQ(pair[0].at("ph"), "b");
      EXPECT_EQ(pair[1].at("ph"), "e");
      EXPECT_EQ(pair[0].at("name"), pair[1].at("name"));
      present += static_cast<double>(nanoseconds(pair[1].at("ts")) - nanoseconds(pair[0].at("ts"))) * 1e-9;
      ++outcomes[pair[1].contains("args") ? pair[1].at("args").at("outcome") : "completed"];
    }
    expect_same(present / end, result(s, "all", "jobs_in_system"), "jobs_in_system");
    EXPECT_EQ(outcomes["completed"] + outcomes["expired"], rows.size());
  }
}

TEST_F(trace_test, counters_in_the_viewer_average_to_jobs_waiting_and_busy_cores) {
  for (const named_scenario& s : scenarios) {
    SCOPED_TRACE(s.name);
    run(s, "--trace perfetto --trace vcd");
    const events found(content(s, "trace.json"));
    const value_changes waves(content(s, "trace.vcd"));
    const double end = static_cast<double>(waves.end) * 1e-9;
    std::map<std::string, double> sums;
    for (const auto& [name, changes] : found.counters)
      for (std::size_t i = 0; i < changes.size(); ++i) {
        const double from = changes[i].at("ts").get<double>() * 1e-6;
        const double to = i + 1 < changes.size() ? changes[i + 1].at("ts").get<double>() * 1e-6 : end;
        ASSERT_LE(from, to);
        sums[name] += (to - from) * changes[i].at("args").at("n").get<double>();
      }
    double waiting = 0.0;
    for (const auto& [name, changes] : waves.signals)
      if (name.substr(name.rfind('.') + 1) == "waiting") waiting += waves.average(name);
    EXPECT_NEAR(sums.at("waiting") / end, waiting, 1e-6);
    // Those who wait at the end make the difference, and in a pool those who wait again.
    if (s.text == gangs) {
      EXPECT_NEAR(waiting, result(s, "all", "waiting_time") * result(s, "all", "throughput"), 0.02 * waiting);
    }
    const double busy = result(s, "all", "utilization") + result(s, "all", "overhead_share");
    EXPECT_NEAR(sums.at("busy") / end / s.cores, busy, 1e-6);
  }
}

TEST_F(trace_test, interruptions_migrations_preemptions_and_phases_are_marked) {
  run(scenarios[1], "--trace perfetto");
  const events moved(content(scenarios[1], "trace.json"));
  // Those of jobs that are still there at the end come on top.
  const double interruptions = result(scenarios[1], "all", "interruptions_per_job") * 3000;
  EXPECT_GE(moved.instants.at("interruption"), interruptions);
  EXPECT_LE(moved.instants.at("interruption"), interruptions + 100);
  const double migrations = result(scenarios[1], "all", "migrations_per_job") * 3000;
  EXPECT_GE(moved.instants.at("migration"), migrations);
  EXPECT_LE(moved.instants.at("migration"), migrations + 100);
  EXPECT_EQ(moved.processes.at(2), "a");
  EXPECT_EQ(moved.names.at({2, 3}), "core 1");

  run(scenarios[2], "--trace perfetto");
  const events slotted(content(scenarios[2], "trace.json"));
  EXPECT_GE(slotted.instants.at("preemption"), result(scenarios[2], "all", "preemptions_per_job") * 100);

  run(scenarios[0], "--trace perfetto --trace jobs");
  const events gang(content(scenarios[0], "trace.json"));
  EXPECT_EQ(gang.instants.size(), 0u);
  EXPECT_EQ(gang.names.at({2, 7}), "server 1 core 1");
  const double end = std::stod(read_table(content(scenarios[0], "jobs.csv")).back().at("completed"));
  std::map<std::string, double> phases;
  std::int64_t until = 0;
  for (const span& phase : gang.threads.at({1, 1})) {
    EXPECT_GE(phase.from, until);
    until = phase.to;
    phases[phase.name] += static_cast<double>(phase.to - phase.from) * 1e-9;
  }
  for (const auto& [name, time] : phases)
    expect_same(time / end, result(scenarios[0], "phase_" + name.substr(6), "phase_share"), name);
  EXPECT_EQ(phases.size(), 4u);
}

/// Two racks of two servers, and links that are busy.
constexpr const char* wires = R"(name = "wires"
[platform]
servers = [{ name = "node", count = 4 }]
link = { topology = "racks", racks = 2, latency = 0.01, bandwidth = 4000.0, uplink_latency = 0.01, uplink_bandwidth = 400.0 }
[[classes]]
name = "job"
need = 1
share = 1.0
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 2.0
[policy]
name = "fcfs"
[run]
jobs = 500
replications = 1
warm_up = 0.0
)";

TEST_F(trace_test, messages_occupy_their_edges_one_after_the_other) {
  const named_scenario s{"wires", wires, 4};
  run(s, "--trace perfetto --trace vcd");  // which has no edges
  const events found(content(s, "trace.json"));
  EXPECT_EQ(found.processes.at(3), "network");
  EXPECT_EQ(found.names.size(), 1u + 4 + 2 * 6) << "a thread for each way of each edge";
  std::map<std::string, int> messages;
  for (const auto& [thread, spans] : found.threads) {
    if (thread.first != 3) continue;
    const std::string& name = found.names.at(thread);
    const bool uplink = name.find("scheduler") != std::string::npos;
    std::int64_t until = 0;
    for (const span& message : spans) {
      EXPECT_GE(message.from, until) << name;
      until = message.to;
      const int bytes = std::stoi(message.name);
      EXPECT_EQ(message.to - message.from, bytes * (uplink ? 2'500'000 : 250'000)) << name;
      ++messages[std::string(uplink ? "uplink " : "link ") + message.name];
    }
  }
  // Each job is a dispatch and its answer; some are still on their way at the end.
  EXPECT_EQ(messages.size(), 4u);
  EXPECT_GE(messages["uplink 8 bytes"], 500);
  EXPECT_GE(messages["link 8 bytes"], messages["uplink 8 bytes"]);
  EXPECT_GE(messages["link 40 bytes"], messages["link 8 bytes"]);
  EXPECT_GE(messages["uplink 40 bytes"], messages["link 40 bytes"]);
  EXPECT_LE(messages["uplink 40 bytes"], 500 + 4);
}

TEST_F(trace_test, a_gang_has_its_cores_together) {
  run(scenarios[0], "--trace perfetto");
  std::map<std::string, std::vector<span>> gangs_found;
  const events found(content(scenarios[0], "trace.json"));
  for (const auto& [thread, spans] : found.threads)
    for (const span& s : spans)
      if (s.name.rfind("heavy ", 0) == 0) gangs_found[s.name].push_back(s);
  EXPECT_GT(gangs_found.size(), 300u);
  for (const auto& [name, slices] : gangs_found) {
    EXPECT_EQ(slices.size(), 14u) << name;
    for (const span& s : slices) EXPECT_TRUE(s.from == slices[0].from && s.to == slices[0].to) << name;
  }
}

TEST_F(trace_test, waves_average_to_the_results) {
  for (const named_scenario& s : scenarios) {
    SCOPED_TRACE(s.name);
    run(s, "--trace vcd --trace jobs");
    const value_changes waves(content(s, "trace.vcd"));
    const double end = std::stod(read_table(content(s, "jobs.csv")).back().at("completed"));
    EXPECT_EQ(waves.timescale, "1 ns");
    expect_same(static_cast<double>(waves.end) * 1e-9, end, "end");
    double running = 0.0, overhead = 0.0, idle = 0.0;
    std::map<std::string, double> jobs;
    for (const auto& [name, changes] : waves.signals) {
      const std::string last = name.substr(name.rfind('.') + 1);
      if (last == "running") running += waves.average(name);
      if (last == "overhead") overhead += waves.average(name);
      if (last == "idle") idle += waves.average(name);
      if (name.rfind("cluster.jobs.", 0) == 0)
        jobs[name.substr(13, name.rfind('.') - 13)] += waves.average(name);  // waiting and in service
    }
    expect_same(running / s.cores, result(s, "all", "utilization"), "utilization");
    expect_same(overhead / s.cores, result(s, "all", "overhead_share"), "overhead_share");
    expect_same(idle + overhead + running, s.cores, "cores");
    EXPECT_EQ(jobs.size(), 2u);
    for (const auto& [name, average] : jobs) expect_same(average, result(s, name, "jobs_in_system"), name);
  }
}

TEST_F(trace_test, waves_tell_servers_apart_or_banks_where_they_are_many) {
  run(scenarios[0], "--trace vcd");
  const value_changes few(content(scenarios[0], "trace.vcd"));
  EXPECT_EQ(few.signals.count("cluster.servers.node_2.running"), 1u);
  EXPECT_EQ(few.signals.count("cluster.servers.fast.running"), 1u);
  EXPECT_GT(few.signals.at("cluster.phase").size(), 10u);
  ASSERT_EQ(
      shell(fmt::format(
                "muster run {} --set 'platform.servers=[{{name=\"n\",count=300}}]' --set classes.heavy.need=300 --set "
                "policy.threshold=5 --set arrivals.rate=0.5 --quiet --trace vcd "
                "--out {}",
                at("gangs.toml"), at("many")))
          .status,
      0);
  const value_changes many(content_of(folder_ / "many" / "trace.vcd"));
  EXPECT_EQ(many.signals.count("cluster.servers.n.running"), 1u);
  EXPECT_EQ(many.signals.at("cluster.servers.n.idle").front().value, 300u);
}

TEST_F(trace_test, each_point_has_files_of_its_own_from_its_first_replication_only) {
  ASSERT_EQ(shell("muster run " + scenario() + " --quiet --trace jobs --trace perfetto --out " + at("out")).status, 0);
  for (int point = 0; point < 4; ++point) {
    EXPECT_EQ(read_table(content_of(folder_ / "out" / fmt::format("jobs_{}.csv", point))).size(), 2000u);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / fmt::format("trace_{}.json", point)));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "trace_0.vcd"));
}

TEST_F(trace_test, traces_live_as_long_as_the_results_that_they_are_of) {
  ASSERT_EQ(shell("muster run " + scenario() + " --quiet --trace jobs --out " + at("out")).status, 0);
  ASSERT_EQ(shell("muster run " + scenario() + " --quiet --out " + at("out")).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "jobs_0.csv"));
  ASSERT_EQ(shell("muster run " + scenario() + " --quiet --force --out " + at("out")).status, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out" / "jobs_0.csv"));
}

TEST_F(trace_test, a_trace_does_not_overwrite_what_is_not_its_own) {
  std::filesystem::create_directories(folder_ / "out");
  std::ofstream(folder_ / "out" / "jobs_1.csv") << "mine";
  EXPECT_EQ(shell("muster run " + scenario() + " --quiet --trace jobs --out " + at("out")).status, 2);
  EXPECT_EQ(content_of(folder_ / "out" / "jobs_1.csv"), "mine");
}

TEST_F(trace_test, a_list_of_jobs_called_jobs_csv_keeps_its_name_and_the_trace_is_recorded_jobs_csv) {
  const std::string list = "id,arrival,deadline,units,marginals\n1,1,3,2,2 1\n2,1,,2,1 0.5\n";
  std::ofstream(folder_ / "jobs.csv") << list;
  std::ofstream(folder_ / "listed.toml") << R"(name = "listed"
[platform]
servers = [{ name = "machine" }]
[[classes]]
name = "job"
[arrivals]
process = "list"
file = "jobs.csv"
[policy]
name = "ispeed"
[run]
replications = 1
)";
  const std::string command = "muster run " + at("listed.toml") + " --quiet --out " + at("out");
  for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(shell(command).status, 0);
  for (int twice = 0; twice < 2; ++twice) {
    const auto traced = shell(command + " --trace jobs --trace perfetto");
    EXPECT_EQ(traced.status, 0) << traced.output;
    EXPECT_EQ(content_of(folder_ / "out" / "jobs.csv"), list);
    EXPECT_EQ(read_table(content_of(folder_ / "out" / "recorded_jobs.csv")).size(), 2u);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "trace.json"));
  }
  EXPECT_EQ(shell("muster run " + at("out/scenario.toml") + " --quiet --trace jobs --out " + at("again")).status, 0);
  EXPECT_EQ(content_of(folder_ / "again" / "recorded_jobs.csv"), content_of(folder_ / "out" / "recorded_jobs.csv"));
}

TEST_F(trace_test, an_unknown_kind_exits_with_2_and_the_nearest_name) {
  const auto result = shell("muster run " + scenario() + " --trace perfeto --out " + at("out"));
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("unknown trace kind 'perfeto'; did you mean 'perfetto'?"), std::string::npos)
      << result.output;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  EXPECT_NE(shell("muster run " + scenario() + " --trace x").output.find("expected one of: jobs, perfetto, vcd"),
            std::string::npos);
}

TEST_F(trace_test, an_interrupted_run_leaves_traces_that_read) {
  const std::string out = at("out"), file = scenario();
  const pid_t child = fork();
  if (child == 0) {
    execl(MUSTER_BINARY, "muster", "run", file.c_str(), "--quiet", "-j", "1", "--set", "run.jobs=50000000", "--set",
          "policy.name=msf", "--set", "arrivals.rate=1", "--trace", "perfetto", "--trace", "vcd", "--trace", "jobs",
          "--out", out.c_str(), nullptr);
    _exit(1);
  }
  std::error_code error;
  // Each is written in large blocks, and at its own pace.
  const auto has_begun = [&](const char* name) {
    const auto size = std::filesystem::file_size(out + name, error);
    return !error && size > 1'000'000;
  };
  for (int tries = 0; tries < 5000; ++tries) {
    if (has_begun("/trace.json") && has_begun("/trace.vcd") && has_begun("/jobs.csv")) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const events found(content_of(folder_ / "out" / "trace.json"));
  EXPECT_GT(found.jobs.size(), 1000u);
  EXPECT_GT(value_changes(content_of(folder_ / "out" / "trace.vcd")).end, 1'000'000'000u);
  EXPECT_GT(read_table(content_of(folder_ / "out" / "jobs.csv")).size(), 1000u);
}

TEST_F(trace_test, a_full_disk_is_a_fault_that_names_the_trace) {
  const auto failed = shell("trap '' XFSZ; ulimit -f 400; muster run " + scenario() +
                            " --quiet --set run.jobs=100000 --replications 1 --trace perfetto --out " + at("out"));
  EXPECT_EQ(failed.status, 3) << failed.output;
  EXPECT_NE(failed.output.find(".json: cannot be written: File too large"), std::string::npos) << failed.output;
}

TEST_F(trace_test, memory_does_not_grow_with_a_trace) {
#ifdef MUSTER_SANITIZED
  GTEST_SKIP() << "the address sanitizer keeps freed memory back";
#endif
  const auto peak = [&](const std::string& jobs) {
    EXPECT_EQ(
        shell("muster run " + scenario() +
              " --quiet --set policy.name=msf --set arrivals.rate=1 --replications 1 --trace perfetto --trace vcd "
              "--trace jobs --set run.jobs=" +
              jobs + " --out " + at(jobs))
            .status,
        0);
    return json::parse(content_of(folder_ / jobs / "manifest.json")).at("peak_memory_bytes").get<double>();
  };
  const double small = peak("10000");
  EXPECT_LT(peak("300000"), small + 2e6);
}

}  // namespace
}  // namespace muster
