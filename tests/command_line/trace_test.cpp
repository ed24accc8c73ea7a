#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/command_line/perfetto_reader.h"
#include "tests/command_line/trace_scenes.h"

namespace muster {
namespace {

using nlohmann::json;

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
    std::map<std::string, double> completed, left, response, waiting, longest, to_start, size, utility, interruptions,
        migrations, preemptions;
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
        const double started_after = std::stod(row.at("started")) - std::stod(row.at("arrival"));
        EXPECT_LE(started_after, std::stod(row.at("waiting")) + 1e-8);
        to_start[name] += started_after;
        longest[name] = std::max(longest[name], std::stod(row.at("waiting")));
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
      expect_same(longest[name], result(s, name, "waiting_time_max"), "waiting_time_max of " + name);
      expect_same(to_start[name] / n, result(s, name, "time_to_start"), "time_to_start of " + name);
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

// A log of the Parallel Workloads Archive: 18 fields, sorted by submission, submit + wait + run time is the departure.
TEST_F(trace_test, a_log_has_the_jobs_of_jobs_csv_in_the_order_of_arrival) {
  for (const named_scenario& s : scenarios) {
    SCOPED_TRACE(s.name);
    run(s, "--trace jobs --trace swf");
    std::map<std::uint64_t, std::map<std::string, std::string>> by_id;
    for (const auto& row : read_table(content(s, "jobs.csv"))) by_id[std::stoull(row.at("id"))] = row;
    std::istringstream log(content(s, "jobs.swf"));
    auto expected = by_id.begin();
    double last = 0.0;
    for (std::string line; std::getline(log, line);) {
      if (line.front() == ';') continue;
      std::istringstream words(line);
      const std::vector<double> fields{std::istream_iterator<double>(words), {}};
      ASSERT_EQ(fields.size(), 18u) << line;
      ASSERT_NE(expected, by_id.end());
      const auto& [id, row] = *expected++;
      EXPECT_EQ(fields[0], static_cast<double>(id) + 1.0);
      EXPECT_LE(last, fields[1]);
      last = fields[1];
      EXPECT_NEAR(fields[1], std::stod(row.at("arrival")), 1e-9);
      EXPECT_NEAR(fields[1] + fields[2] + fields[3], std::stod(row.at("completed")), 1e-6);
      if (!row.at("started").empty()) {
        EXPECT_NEAR(fields[2], std::stod(row.at("waiting")), 1e-9);
      }
      EXPECT_EQ(fields[10], row.at("outcome") == "completed" ? 1.0 : 5.0);
    }
    EXPECT_EQ(expected, by_id.end()) << "every job is in it";
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
platform.servers = [{ name = "machine" }]
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
policy = "ispeed"
run.replications = 1
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
  EXPECT_NE(shell("muster run " + scenario() + " --trace x").output.find("expected one of: jobs, perfetto, swf, vcd"),
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
  // Each trace is written in large blocks, and at its own pace.
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

// The core becomes half as fast at 4: the first job, of which 6 are left then, ends at 16, and the second takes 2.
TEST_F(trace_test, has_the_times_of_jobs_on_a_server_that_becomes_slower) {
  std::ofstream(folder_ / "list.csv") << "id,arrival,size\n0,0,10\n1,20,1\n";
  std::ofstream(folder_ / "slower.toml") << R"(name = "slower"
policy = "fcfs"
classes = [{ name = "job" }]
arrivals = { process = "list", file = "list.csv" }
events = [{ at = 4, servers = "node", speed = 0.5 }]
platform.servers = [{ name = "node" }]
)";
  ASSERT_EQ(shell("muster run " + at("slower.toml") + " --quiet --trace jobs --trace vcd --out " + at("slower")).status,
            0);
  const std::string rows = content_of(folder_ / "slower" / "jobs.csv");
  EXPECT_NE(rows.find("\n0,job,0,0,16,10,16,0,"), std::string::npos) << rows;
  EXPECT_NE(rows.find("\n1,job,20,20,22,1,2,0,"), std::string::npos) << rows;
  // Cores that are idle ("), that run ($), jobs in service (&).
  const std::string waves = content_of(folder_ / "slower" / "trace.vcd");
  const std::string changes = waves.substr(waves.find("$end\nb1"));
  EXPECT_EQ(changes,
            "$end\nb1 &\nb0 \"\nb1 $\n#16000000000\nb0 &\nb0 $\nb1 \"\n#20000000000\nb1 &\nb0 \"\nb1 $\n"
            "#22000000000\nb0 &\nb0 $\nb1 \"\n");
}

// A job that needs all cores starves, and every later one overtakes it: its line never comes.
TEST_F(trace_test, memory_does_not_grow_with_a_log_in_which_all_overtake_one) {
#ifdef MUSTER_SANITIZED
  GTEST_SKIP() << "the address sanitizer keeps freed memory back";
#endif
  std::ofstream(folder_ / "starving.toml") << R"(name = "starving"
policy = "first_fit"
run = { replications = 1 }
platform.servers = [{ name = "node", cores = 16 }]
classes = [
  { name = "narrow", need = 1, share = 0.9999, size = { distribution = "exponential", mean = 1.0 } },
  { name = "wide", need = 16, share = 0.0001, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.rate = 14.0
)";
  const auto peak = [&](const std::string& jobs) {
    EXPECT_EQ(shell("muster run " + at("starving.toml") + " --quiet --trace swf --set run.jobs=" + jobs + " --out " +
                    at("log_" + jobs))
                  .status,
              0);
    return json::parse(content_of(folder_ / ("log_" + jobs) / "manifest.json")).at("peak_memory_bytes").get<double>();
  };
  const double small = peak("40000");
  EXPECT_LT(peak("400000"), small + 4e6);
  const std::string log = content_of(folder_ / "log_400000" / "jobs.swf");
  EXPECT_GT(std::count(log.begin(), log.end(), '\n'), 390'000) << "lines do not wait for a job that never leaves";
}

}  // namespace
}  // namespace muster
