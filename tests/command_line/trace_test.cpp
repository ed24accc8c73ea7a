#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/command.h"
#include "tests/command_line/perfetto_reader.h"
#include "tests/command_line/trace_reader.h"
#include "tests/determinism/studies.h"

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

using slice = perfetto_events::slice;

double seconds_of(const slice& s) { return static_cast<double>(s.to - s.from) * 1e-9; }

/// "cluster/job 1.5 to 2 (outcome completed)", with times in seconds and an instant as "at 1.5".
std::string text_of(const perfetto_events& found, const slice& s) {
  std::string text = found.name_of(s.on) + " " + std::string(2 * static_cast<std::size_t>(s.depth), ' ') + s.name;
  const double from = static_cast<double>(s.from) * 1e-9;
  text += s.instant ? fmt::format(" at {}", from) : fmt::format(" {} to {}", from, static_cast<double>(s.to) * 1e-9);
  for (const auto& [name, value] : s.arguments) text += fmt::format(", {} {}", name, value);
  return text;
}

// Two cores, which each job needs and sets up for 0.25; one arrives each second and runs for 1.5.
TEST_F(trace_test, a_small_run_is_shown_as_computed_by_hand) {
  const named_scenario s{"hand", R"(name = "hand"
[platform]
servers = [{ name = "node", cores = 2 }]
costs = { set_up = 0.25 }
[[classes]]
name = "job"
need = 2
share = 1.0
size = { distribution = "deterministic", value = 1.5 }
[arrivals]
process = "deterministic"
rate = 1.0
[policy]
name = "fcfs"
[run]
jobs = 2
replications = 1
warm_up = 0.0
)",
                         2};
  run(s, "--trace perfetto");
  const perfetto_events found(content(s, "trace.pftrace"));
  std::vector<std::string> slices;
  for (const slice& each : found.slices) slices.push_back(text_of(found, each));
  const std::vector<std::string> by_hand{
      "cluster/job job 1 to 2.75, job 0",  // 0
      "node/core 0 job 0 1 to 2.75",
      "node/core 1 job 0 1 to 2.75",
      "node/core 0   overhead 1 to 1.25",
      "node/core 1   overhead 1 to 1.25",
      "cluster/job job 2 to 4.5, job 1",  // 5
      "node/core 0 job 1 2.75 to 4.5",
      "node/core 1 job 1 2.75 to 4.5",
      "node/core 0   overhead 2.75 to 3",
      "node/core 1   overhead 2.75 to 3",
      "cluster/job   completed at 2.75",  // 10
      "cluster/job job 3 to 4.5, interruptions 0, job 2, migrations 0, outcome in the system at the end",
      "cluster/job job 4 to 4.5, interruptions 0, job 3, migrations 0, outcome in the system at the end",
      "node/core 0 job 2 4.5 to 4.5",
      "node/core 1 job 2 4.5 to 4.5",
      "node/core 0   overhead 4.5 to 4.5",  // 15
      "node/core 1   overhead 4.5 to 4.5",
      "cluster/job   completed at 4.5",
  };
  EXPECT_EQ(slices, by_hand);
  using positions = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(found.arrows, (positions{{0, 1}, {1, 2}, {5, 6}, {6, 7}, {2, 10}, {11, 13}, {13, 14}, {7, 17}}));
  EXPECT_EQ(found.open_flows, 2u);
  using changes = std::vector<std::pair<std::int64_t, std::int64_t>>;
  std::map<std::string, changes> counters;
  for (const auto& [name, all] : found.counters)
    for (const auto& [time, value] : all) counters[name].emplace_back(time, value);
  EXPECT_EQ(counters["busy"], (changes{{0, 0}, {1'000'000'000, 2}}));
  EXPECT_EQ(
      counters["waiting"],
      (changes{
          {0, 0}, {2'000'000'000, 1}, {2'750'000'000, 0}, {3'000'000'000, 1}, {4'000'000'000, 2}, {4'500'000'000, 1}}));
  std::set<std::string> tracks;
  for (const auto& [uuid, t] : found.tracks) tracks.insert(found.name_of(uuid));
  EXPECT_EQ(tracks, (std::set<std::string>{"cluster", "cluster/busy", "cluster/job", "cluster/phases",
                                           "cluster/waiting", "node", "node/core 0", "node/core 1"}));
}

TEST_F(trace_test, slices_in_the_viewer_do_not_overlap_and_add_up_to_the_results) {
  for (const named_scenario& s : scenarios) {
    SCOPED_TRACE(s.name);
    run(s, "--trace perfetto --trace jobs");
    const perfetto_events found(content(s, "trace.pftrace"));
    const double end = std::stod(read_table(content(s, "jobs.csv")).back().at("completed"));
    double busy = 0.0, overhead = 0.0;
    for (const slice& each : found.slices) {
      ASSERT_TRUE(each.ended) << each.name;
      if (!found.on_core(each)) continue;
      const bool is_part = each.name == "overhead" || each.name == "saving";
      ASSERT_EQ(each.depth, is_part ? 1 : 0) << text_of(found, each);
      (is_part ? overhead : busy) += seconds_of(each);
    }
    expect_same((busy - overhead) / (end * s.cores), result(s, "all", "utilization"), "utilization");
    expect_same(overhead / (end * s.cores), result(s, "all", "overhead_share"), "overhead_share");
    EXPECT_GT(overhead, 0.0) << "the test is too easy";
    const auto threads = std::count_if(found.tracks.begin(), found.tracks.end(),
                                       [](const auto& numbered) { return numbered.second.is_thread; });
    EXPECT_EQ(threads, s.cores) << "a thread for each core";
  }
}

TEST_F(trace_test, jobs_in_the_viewer_begin_and_end_once_and_make_up_jobs_in_system) {
  for (const named_scenario& s : scenarios) {
    SCOPED_TRACE(s.name);
    run(s, "--trace perfetto --trace jobs");
    const perfetto_events found(content(s, "trace.pftrace"));
    const auto rows = read_table(content(s, "jobs.csv"));
    const double end = std::stod(rows.back().at("completed"));
    double present = 0.0;
    std::set<std::string> jobs;
    std::size_t here = 0;
    for (const slice& job : found.slices) {
      if (!found.of_job(job)) continue;
      EXPECT_EQ(job.depth, 0) << "jobs on one track overlap";
      EXPECT_TRUE(jobs.insert(job.arguments.at("job")).second) << "twice: " << text_of(found, job);
      present += seconds_of(job);
      const auto outcome = job.arguments.find("outcome");
      here += outcome != job.arguments.end() && outcome->second == "in the system at the end" ? 1 : 0;
    }
    expect_same(present / end, result(s, "all", "jobs_in_system"), "jobs_in_system");
    EXPECT_EQ(jobs.size(), rows.size() + here);
    EXPECT_EQ(found.count_instants("completed") + found.count_instants("expired"), static_cast<int>(rows.size()));
  }
}

/// The most jobs of a class that are present at once.
std::map<std::string, int> most_present(const perfetto_events& found) {
  std::map<std::string, std::map<std::int64_t, int>> changes;
  for (const slice& s : found.slices) {
    if (!found.of_job(s)) continue;
    ++changes[s.name][s.from];
    --changes[s.name][s.to];
  }
  std::map<std::string, int> most;
  for (const auto& [name, by_time] : changes) {
    int present = 0;
    for (const auto& [time, change] : by_time) most[name] = std::max(most[name], present += change);
  }
  return most;
}

TEST_F(trace_test, jobs_in_the_viewer_share_about_as_many_tracks_as_are_present_at_once) {
  for (const named_scenario& s : scenarios) {
    run(s, "--trace perfetto");
    const perfetto_events found(content(s, "trace.pftrace"));
    std::map<std::string, std::set<std::uint64_t>> used;
    for (const slice& each : found.slices)
      if (found.of_job(each)) used[each.name].insert(each.on);
    int most = 0;
    for (const auto& [name, present] : most_present(found)) most += present;
    for (const auto& [name, on] : used)
      EXPECT_LE(on.size(), 2u * static_cast<std::size_t>(most)) << s.name << ' ' << name;
  }
}

/// Holds everything in a trace against the rules that hold for all of them.
void expect_well_formed(const perfetto_events& found) {
  std::vector<std::vector<std::size_t>> to(found.slices.size());
  std::vector<int> from(found.slices.size());
  for (const auto& [begin, end] : found.arrows) {
    to[begin].push_back(end);
    ++from[end];
    EXPECT_LE(found.slices[begin].from, found.slices[end].from);
  }
  std::int64_t in_slices = 0;
  std::size_t left = 0;
  for (std::size_t at = 0; at < found.slices.size(); ++at) {
    const slice& s = found.slices[at];
    ASSERT_TRUE(s.ended) << text_of(found, s);
    ASSERT_LE(s.from, s.to) << text_of(found, s);
    const bool whole = found.on_core(s) && s.depth == 0;
    const bool departure = s.instant && (s.name == "completed" || s.name == "expired");
    if (whole) in_slices += s.to - s.from;
    ASSERT_LE(s.depth, s.instant ? 2 : 1) << text_of(found, s);
    ASSERT_EQ(from[at], whole || departure ? 1 : 0) << "arrows to " << text_of(found, s);
    ASSERT_LE(to[at].size(), 1u) << "arrows from " << text_of(found, s);
    if (!found.of_job(s)) continue;
    // From its arrival over its slices to its departure.
    std::size_t here = at;
    const std::string name = s.name + " " + s.arguments.at("job");
    while (!to[here].empty() && found.on_core(found.slices[to[here].front()])) {
      here = to[here].front();
      ASSERT_EQ(found.slices[here].name, name);
      ASSERT_LE(found.slices[here].to, s.to) << name;
    }
    if (to[here].empty()) {
      EXPECT_EQ(s.arguments.count("outcome"), 1u) << text_of(found, s);
      continue;
    }
    const slice& departs = found.slices[to[here].front()];
    ASSERT_TRUE(departs.instant && departs.on == s.on && departs.from == s.to) << text_of(found, departs);
    ++left;
  }
  EXPECT_EQ(left, static_cast<std::size_t>(found.count_instants("completed") + found.count_instants("expired")));
  std::int64_t end = 0, in_counter = 0;
  for (const slice& s : found.slices)
    if (!found.on_edge(s)) end = std::max(end, s.to);
  const auto& busy = found.counters.at("busy");
  for (std::size_t i = 0; i < busy.size(); ++i)
    in_counter += busy[i].value * ((i + 1 < busy.size() ? busy[i + 1].time : end) - busy[i].time);
  EXPECT_EQ(in_slices, in_counter) << "slices and the counter of busy cores differ";
}

TEST_F(trace_test, slices_nest_and_arrows_lead_from_arrival_to_departure_whatever_a_scenario_has) {
  const auto mixed = scenarios_in(MUSTER_SOURCE "/tests/determinism/recorded");
  ASSERT_GE(mixed.size(), 4u);
  for (const std::filesystem::path& file : mixed)
    for (const int seed : {1, 2}) {
      const std::string name = file.stem().string();
      SCOPED_TRACE(fmt::format("{}, seed {}", name, seed));
      const auto result = shell(fmt::format(
          "muster run {} --quiet --force --set run.jobs=500 --replications 1 --seed {} --trace perfetto --out {}",
          file.string(), seed, at(name)));
      ASSERT_EQ(result.status, 0) << result.output;
      int points = 0;
      for (const auto& trace : std::filesystem::directory_iterator(folder_ / name)) {
        if (trace.path().extension() != ".pftrace") continue;
        SCOPED_TRACE(trace.path().filename());
        expect_well_formed(perfetto_events(content_of(trace.path())));
        ++points;
      }
      EXPECT_GE(points, 3);
    }
}

TEST_F(trace_test, a_trace_for_the_viewer_is_the_same_byte_for_byte_whenever_and_wherever_it_is_written) {
  std::string first;
  for (const char* how : {"-j 1", "-j 1", "-j 4"}) {
    ASSERT_EQ(
        shell("muster run " + scenario() + " --quiet --force --trace perfetto " + how + " --out " + at("out")).status,
        0);
    std::string all;
    for (int point = 0; point < 4; ++point) all += content_of(folder_ / "out" / fmt::format("trace_{}.pftrace", point));
    if (first.empty()) first = all;
    EXPECT_TRUE(all == first) << how;
    EXPECT_GT(all.size(), 100'000u);
  }
}

TEST_F(trace_test, counters_in_the_viewer_average_to_jobs_waiting_and_busy_cores) {
  for (const named_scenario& s : scenarios) {
    SCOPED_TRACE(s.name);
    run(s, "--trace perfetto --trace vcd");
    const perfetto_events found(content(s, "trace.pftrace"));
    const value_changes waves(content(s, "trace.vcd"));
    const double end = static_cast<double>(waves.end) * 1e-9;
    std::map<std::string, double> sums;
    for (const auto& [name, changes] : found.counters)
      for (std::size_t i = 0; i < changes.size(); ++i) {
        const std::int64_t until = i + 1 < changes.size() ? changes[i + 1].time : static_cast<std::int64_t>(waves.end);
        ASSERT_LE(changes[i].time, until);
        sums[name] += static_cast<double>(until - changes[i].time) * 1e-9 * static_cast<double>(changes[i].value);
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
  const perfetto_events moved(content(scenarios[1], "trace.pftrace"));
  // Those of jobs that are still there at the end come on top.
  const double interruptions = result(scenarios[1], "all", "interruptions_per_job") * 3000;
  EXPECT_GE(moved.count_instants("interruption"), interruptions);
  EXPECT_LE(moved.count_instants("interruption"), interruptions + 100);
  const double migrations = result(scenarios[1], "all", "migrations_per_job") * 3000;
  EXPECT_GE(moved.count_instants("migration"), migrations);
  EXPECT_LE(moved.count_instants("migration"), migrations + 100);
  EXPECT_EQ(moved.names_of_threads("a"), (std::set<std::string>{"core 0", "core 1"}));

  run(scenarios[2], "--trace perfetto");
  const perfetto_events slotted(content(scenarios[2], "trace.pftrace"));
  EXPECT_GE(slotted.count_instants("preemption"), result(scenarios[2], "all", "preemptions_per_job") * 100);

  run(scenarios[0], "--trace perfetto --trace jobs");
  const perfetto_events gang(content(scenarios[0], "trace.pftrace"));
  EXPECT_EQ(gang.names_of_threads("node").size(), 12u);
  EXPECT_EQ(gang.names_of_threads("node").count("server 1 core 1"), 1u);
  const double end = std::stod(read_table(content(scenarios[0], "jobs.csv")).back().at("completed"));
  std::map<std::string, double> phases;
  std::int64_t until = 0;
  for (const slice& phase : gang.slices) {
    EXPECT_TRUE(!phase.instant || phase.name == "completed") << phase.name;
    if (gang.name_of(phase.on) != "cluster/phases") continue;
    EXPECT_GE(phase.from, until);
    until = phase.to;
    phases[phase.name] += seconds_of(phase);
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
  const perfetto_events found(content(s, "trace.pftrace"));
  EXPECT_EQ(found.names_of_threads("network").size(), 2u * 6) << "a thread for each way of each edge";
  EXPECT_EQ(found.names_of_threads("node").size(), 4u);
  std::map<std::string, int> messages;
  std::map<std::string, std::int64_t> until;
  for (const slice& message : found.slices) {
    if (!found.on_edge(message)) continue;
    const std::string name = found.name_of(message.on);
    const bool uplink = name.find("scheduler") != std::string::npos;
    EXPECT_GE(message.from, until[name]) << name;
    until[name] = message.to;
    const int bytes = std::stoi(message.name);
    EXPECT_EQ(message.to - message.from, bytes * (uplink ? 2'500'000 : 250'000)) << name;
    ++messages[std::string(uplink ? "uplink " : "link ") + message.name];
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
  std::map<std::string, std::vector<slice>> gangs_found;
  const perfetto_events found(content(scenarios[0], "trace.pftrace"));
  for (const slice& s : found.slices)
    if (s.name.rfind("heavy ", 0) == 0) gangs_found[s.name].push_back(s);
  EXPECT_GT(gangs_found.size(), 300u);
  for (const auto& [name, slices] : gangs_found) {
    EXPECT_EQ(slices.size(), 14u) << name;
    for (const slice& s : slices) EXPECT_TRUE(s.from == slices[0].from && s.to == slices[0].to) << name;
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
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / fmt::format("trace_{}.pftrace", point)));
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
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / "trace.pftrace"));
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
    if (has_begun("/trace.pftrace") && has_begun("/trace.vcd") && has_begun("/jobs.csv")) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const perfetto_events found(content_of(folder_ / "out" / "trace.pftrace"));
  EXPECT_GT(found.count_instants("completed"), 1000);
  EXPECT_GT(value_changes(content_of(folder_ / "out" / "trace.vcd")).end, 1'000'000'000u);
  EXPECT_GT(read_table(content_of(folder_ / "out" / "jobs.csv")).size(), 1000u);
}

// The text up to the end of its last whole packet.
std::string whole_packets(const std::string& text) {
  protozero::pbf_reader packets(text);
  std::size_t left = text.size();
  try {
    for (; packets.next(); left = packets.data().size()) packets.skip();
  } catch (const protozero::end_of_buffer_exception&) {
  }
  return text.substr(0, text.size() - left);
}

TEST_F(trace_test, a_run_that_is_killed_leaves_a_trace_whose_packets_read) {
  const std::string out = at("out"), file = scenario();
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);  // with its workers
    execl(MUSTER_BINARY, "muster", "run", file.c_str(), "--quiet", "-j", "1", "--set", "run.jobs=50000000", "--set",
          "policy.name=msf", "--set", "arrivals.rate=1", "--trace", "perfetto", "--out", out.c_str(), nullptr);
    _exit(1);
  }
  std::error_code error;
  for (int tries = 0; tries < 5000; ++tries) {
    const auto size = std::filesystem::file_size(out + "/trace.pftrace", error);
    if (!error && size > 1'000'000) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
  const std::string text = content_of(folder_ / "out" / "trace.pftrace");
  const std::string whole = whole_packets(text);
  EXPECT_LT(text.size() - whole.size(), 1000u);
  EXPECT_GT(perfetto_events(whole).count_instants("completed"), 1000);
}

TEST_F(trace_test, a_full_disk_is_a_fault_that_names_the_trace) {
  const auto failed = shell("trap '' XFSZ; ulimit -f 400; muster run " + scenario() +
                            " --quiet --set run.jobs=100000 --replications 1 --trace perfetto --out " + at("out"));
  EXPECT_EQ(failed.status, 3) << failed.output;
  EXPECT_NE(failed.output.find(".pftrace: cannot be written: File too large"), std::string::npos) << failed.output;
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
