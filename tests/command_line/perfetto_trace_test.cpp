#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/command_line/perfetto_reader.h"
#include "tests/command_line/trace_scenes.h"
#include "tests/determinism/studies.h"

namespace muster {
namespace {

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
platform.servers = [{ name = "node", cores = 2 }]
platform.costs = { set_up = 0.25 }
classes = [{ name = "job", need = 2, share = 1.0, size = { distribution = "deterministic", value = 1.5 } }]
arrivals = { process = "deterministic", rate = 1.0 }
policy = "fcfs"
run = { jobs = 2, replications = 1, warm_up = 0.0 }
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
      EXPECT_GE(points, 2);
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
    // Jobs that wait at the end make the difference, and in a pool those that wait again.
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
  // Interruptions and migrations of jobs that are still there at the end come on top.
  const double interruptions = result(scenarios[1], "all", "interruptions_per_job") * jobs_of_scene;
  EXPECT_GE(moved.count_instants("interruption"), interruptions);
  EXPECT_LE(moved.count_instants("interruption"), interruptions + 100);
  const double migrations = result(scenarios[1], "all", "migrations_per_job") * jobs_of_scene;
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
platform.servers = [{ name = "node", count = 4 }]
platform.link.topology = "racks"
platform.link.racks = 2
platform.link.latency = 0.01
platform.link.bandwidth = 4000.0
platform.link.uplink_latency = 0.01
platform.link.uplink_bandwidth = 400.0
classes = [{ name = "job", need = 1, share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
arrivals.rate = 2.0
policy = "fcfs"
run = { jobs = 500, replications = 1, warm_up = 0.0 }
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
  EXPECT_GT(gangs_found.size(), 100u);
  for (const auto& [name, slices] : gangs_found) {
    EXPECT_EQ(slices.size(), 14u) << name;
    for (const slice& s : slices) EXPECT_TRUE(s.from == slices[0].from && s.to == slices[0].to) << name;
  }
}

}  // namespace
}  // namespace muster
