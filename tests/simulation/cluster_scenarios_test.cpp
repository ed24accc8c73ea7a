#include <exception>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "platform/cluster/cluster.h"
#include "platform/simulation/replication.h"
#include "tests/determinism/studies.h"
#include "tests/modules/child.h"
#include "tests/refusal.h"
#include "tests/simulation/foreign_modules.h"
#include "tests/simulation/scenes.h"

// Every shipped scenario as a module of a foreign simulation.

namespace muster {
namespace {

scenario first_point(const std::filesystem::path& file) {
  return read_study(file.string(), small_size(file)).points.front().model;
}

scenario with_faults(const std::string& run) {
  return read_study(one_class("count = 3, cores = 2, faults = { to_failure = 50.0, to_repair = 5.0 }",
                              "link = { latency = 0.15 }", 3.0, exponential, run),
                    "faults", {})
      .points.front()
      .model;
}

/// Traces of one and the same replication, alone and in a foreign simulation, in a folder that lasts for a test.
class two_traces {
 public:
  two_traces() { std::filesystem::create_directories(folder_); }
  ~two_traces() { std::filesystem::remove_all(folder_); }
  two_traces(const two_traces&) = delete;
  two_traces& operator=(const two_traces&) = delete;

 private:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("muster_module_" + std::to_string(::getpid()));

 public:
  const std::filesystem::path alone = folder_ / "alone.pftrace", beside = folder_ / "beside.pftrace";
};

std::string results_alone(const scenario& model, const two_traces& traces) {
  return in_child([&] {
    return whole_text(run_replication(model, 1, {false, {{find_trace_kind("perfetto"), traces.alone}}}));
  });
}

void expect_the_same_trace(const two_traces& traces) {
  EXPECT_TRUE(content_of(traces.beside) == content_of(traces.alone));
  EXPECT_GT(std::filesystem::file_size(traces.alone), 0u);
}

cluster_options checked_with(const two_traces& traces) {
  cluster_options options;
  options.check_protocol = true;
  options.traces = {{"perfetto", traces.beside.string()}};
  return options;
}

void expect_the_same_in_a_foreign_simulation(const scenario& model) {
  const two_traces traces;
  const std::string expected = results_alone(model, traces);
  const std::string found = in_child([&]() -> std::string {
    try {
      cluster first{"first", model, 0};
      cluster second{"second", model, 1, checked_with(traces)};
      const sc_core::sc_time step = sc_core::sc_time::from_value(model.unit.ticks / 7 * 40);
      foreign_clock clock{"clock", step * 0.3};
      for (int steps = 0; !(first.finished() && second.finished()) && steps < 1'000'000; ++steps)
        sc_core::sc_start(step);
      EXPECT_GT(clock.ticks_seen, 0u);
      EXPECT_NE(whole_text(first.results()), whole_text(second.results()));
      return whole_text(second.results());
    } catch (const std::exception& fault) {
      return fault.what();
    }
  });
  EXPECT_EQ(found, expected);
  expect_the_same_trace(traces);
}

class shipped_scenario : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(shipped_scenario, has_the_results_and_traces_of_a_replication_beside_a_second_cluster_and_a_foreign_clock) {
  expect_the_same_in_a_foreign_simulation(first_point(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(of, shipped_scenario, testing::ValuesIn(scenarios_in(MUSTER_SOURCE "/scenarios")),
                         [](const auto& tested) { return tested.param.stem().string(); });

TEST(cluster_with_faults, has_the_results_and_traces_of_a_replication_beside_a_second_cluster_and_a_foreign_clock) {
  expect_the_same_in_a_foreign_simulation(with_faults("jobs = 1000\nreplications = 1"));
}

// No shipped scenario has its warm-up found by a pilot.
TEST(cluster_module, finds_a_warm_up_by_a_pilot_of_its_own_beside_other_modules_and_takes_one_that_was_found) {
  const scenario model = read_study(one_class("count = 2, cores = 2", "", 3.8, exponential,
                                              "jobs = 2000\nreplications = 1\nwarm_up = \"mser5\"\nseed = 4"),
                                    "loaded", {})
                             .points.front()
                             .model;
  const std::string by_pilot = in_child([&] { return std::to_string(run_pilot(model).jobs); });
  const std::string found = in_child([&] {
    cluster one{"one", with_faults("jobs = 1000\nreplications = 1")};
    foreign_clock clock{"clock", {0.3, sc_core::SC_SEC}};
    cluster other{"other", model};
    return std::to_string(other.model().run.warm_up_jobs.value());
  });
  EXPECT_EQ(found, by_pilot);
  EXPECT_NE(found, "0");
  scenario known = model;
  known.run.warm_up_jobs = std::stoull(by_pilot);
  const two_traces traces;
  const std::string expected = results_alone(known, traces);
  const std::string results = in_child([&] {
    cluster one{"one", model, 1};
    while (!one.finished()) sc_core::sc_start(1000, sc_core::SC_SEC);
    EXPECT_NE(one.results_csv().find(",all,warm_up_jobs,," + by_pilot + ","), std::string::npos) << one.results_csv();
    return whole_text(one.results());
  });
  EXPECT_EQ(results, expected);
  known.run.warm_up_jobs = 200;  // found elsewhere
  expect_the_same_in_a_foreign_simulation(known);
}

TEST(cluster_module, whose_pilot_sees_no_steady_state_warns_and_leaves_out_half_of_the_jobs) {
  const scenario model = read_study(one_class("count = 1, cores = 1", "", 1.5, exponential,
                                              "jobs = 20000\nreplications = 1\nwarm_up = \"mser5\""),
                                    "overloaded", {})
                             .points.front()
                             .model;
  const std::string found = in_child([&] {
    cluster one{"one", model};
    return std::to_string(one.model().run.warm_up_jobs.value()) + " left out, warnings: " +
           std::to_string(sc_core::sc_report_handler::get_count("/muster/cluster", sc_core::SC_WARNING));
  });
  EXPECT_EQ(found, "10000 left out, warnings: 1");
}

TEST(cluster_module, whose_pilot_fails_says_so) {
  scenario model = with_faults("jobs = 1000\nreplications = 1\nwarm_up = \"mser5\"");
  model.run.most_jobs_in_system = 1;
  const std::string message = refusal<std::runtime_error>([&] { cluster{"failing", model}; });
  EXPECT_EQ(message.rfind("the pilot that is to find run.warm_up: ", 0), 0u) << message;
}

/// Pauses the simulation in each of its periods.
class foreign_debugger final : public foreign_clock {
 public:
  using foreign_clock::foreign_clock;

 private:
  void work() override { sc_core::sc_pause(); }
};

/// @param period of the pauses, in the scenario's unit of time
void expect_the_same_with_pauses(const scenario& model, double period) {
  const two_traces traces;
  const std::string expected = results_alone(model, traces);
  const std::string found = in_child([&]() -> std::string {
    try {
      cluster one{"one", model, 1, checked_with(traces)};
      foreign_debugger debugger{"debugger",
                                sc_core::sc_time::from_value(static_cast<std::uint64_t>(model.unit.to_ticks(period)))};
      while (!one.finished() && debugger.ticks_seen < 100'000) {
        sc_core::sc_start();
        EXPECT_EQ(sc_core::sc_get_status(), sc_core::SC_PAUSED);
      }
      EXPECT_GT(debugger.ticks_seen, 20u);
      return whole_text(one.results());
    } catch (const std::exception& fault) {
      return fault.what();
    }
  });
  EXPECT_EQ(found, expected);
  expect_the_same_trace(traces);
}

TEST(cluster_module, has_the_same_results_and_traces_where_the_simulation_pauses_and_goes_on) {
  expect_the_same_with_pauses(with_faults("jobs = 1000\nreplications = 1"), 0.7);
}

// The pauses are at instants at which slots begin as well.
TEST(cluster_module, has_the_same_results_and_traces_where_the_simulation_pauses_at_instants_of_its_own) {
  const scenario model = first_point(MUSTER_SOURCE "/scenarios/ispeed_homogeneous.toml");
  expect_the_same_with_pauses(model, model.slot);
}

}  // namespace
}  // namespace muster
