#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "muster/modules/server/server.h"
#include "muster/modules/source/job_source.h"
#include "platform/cluster/cluster.h"
#include "platform/experiment/simulation_task.h"
#include "platform/simulation/replication.h"
#include "tests/determinism/studies.h"
#include "tests/modules/child.h"
#include "tests/scenario/graph_folder.h"
#include "tests/simulation/scenes.h"

// A cluster as a module of a foreign simulation.

namespace muster {
namespace {

std::string whole_text(replication_result result) {
  result.seconds = 0.0;
  return to_text(result);
}

// Rigid, pooled and slotted jobs, a network, faults, resources, logs.
std::vector<scenario> several_kinds() {
  std::vector<scenario> models;
  const std::string folder = MUSTER_SOURCE "/scenarios/";
  for (const char* name : {"quickswap_four_class", "balanced_fairness_three_servers", "ispeed_real_costs",
                           "reality_gap", "gpu_cluster", "log_replay"}) {
    const std::string file = folder + name + ".toml";
    models.push_back(read_study(file, small_size(file)).points.front().model);
  }
  models.push_back(read_study(one_class("count = 3, cores = 2, faults = { to_failure = 50.0, to_repair = 5.0 }",
                                        "link = { latency = 0.15 }", 3.0, exponential, "jobs = 1000\nreplications = 1"),
                              "faults", {})
                       .points.front()
                       .model);
  return models;
}

/// A module of another clock, which works in each of its periods.
class foreign_clock : public sc_core::sc_module {
 public:
  foreign_clock(const sc_core::sc_module_name& name, const sc_core::sc_time& period)
      : sc_module(name), period_(period) {
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = foreign_clock;
    SC_METHOD(tick);
  }
  std::uint64_t ticks_seen = 0;

 private:
  void tick() {
    ++ticks_seen;
    next_trigger(period_);
  }
  sc_core::sc_time period_;
};

std::string content_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(cluster_module, has_the_results_and_traces_of_a_replication_beside_a_second_cluster_and_a_foreign_clock) {
  for (const scenario& model : several_kinds()) {
    const auto folder = std::filesystem::temp_directory_path() / ("muster_module_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::filesystem::path alone = folder / "alone.pftrace", beside = folder / "beside.pftrace";
    const std::string expected = in_child([&] {
      return whole_text(run_replication(model, 1, {false, {{find_trace_kind("perfetto"), alone}}}));
    });
    const std::string found = in_child([&]() -> std::string {
      try {
        cluster first{"first", model, 0};
        cluster second{"second", model, 1, {true, {{"perfetto", beside.string()}}, {}, {}}};
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
    EXPECT_EQ(found, expected) << model.name;
    EXPECT_TRUE(content_of_file(beside) == content_of_file(alone)) << model.name;
    EXPECT_GT(std::filesystem::file_size(alone), 0u);
    std::filesystem::remove_all(folder);
  }
}

class finite_arrivals : public graph_folder {};

// Static Quickswap leaves the empty cluster idle before the medium and the small job, until it is told that no event
// is left.
TEST_F(finite_arrivals, end_beside_a_foreign_clock_as_they_do_alone) {
  write("jobs.csv", "id,arrival,size,class\n1,0,5,large\n2,1,5,large\n3,2,5,medium\n4,3,5,small\n");
  const scenario model =
      read_here(
          "name = \"x\"\n[platform]\nservers = [{ name = \"node\", cores = 4 }]\n"
          "[[classes]]\nname = \"large\"\nneed = 4\n[[classes]]\nname = \"medium\"\nneed = 2\n"
          "[[classes]]\nname = \"small\"\nneed = 1\n[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n"
          "[policy]\nname = \"static_quickswap\"\nhand_over = \"published\"\n[run]\nreplications = 1\n")
          .points.front()
          .model;
  const std::string expected = in_child([&] { return whole_text(run_replication(model, 0)); });
  const std::string found = in_child([&] {
    cluster one{"one", model};
    foreign_clock clock{"clock", {0.7, sc_core::SC_SEC}};
    sc_core::sc_start(100, sc_core::SC_SEC);
    return whole_text(one.results());
  });
  EXPECT_EQ(found, expected);
  EXPECT_NE(found.find("20.0"), std::string::npos) << found;  // when the last job leaves
}

scenario single_queue(const std::string& run) {
  return read_study(one_class("count = 2, cores = 2", "", 3.0, exponential, run), "queue", {}).points.front().model;
}

TEST(cluster_module, goes_on_when_its_window_has_ended_and_measures_nothing_more) {
  const scenario model = single_queue("jobs = 500\nwarm_up = 0.0\nreplications = 1");
  const std::string found = in_child([&]() -> std::string {
    cluster one{"one", model};
    EXPECT_THROW(one.results(), std::logic_error);
    while (!one.finished()) sc_core::sc_start(10, sc_core::SC_SEC);
    const std::string at_end = whole_text(one.results());
    const std::uint64_t done = one.jobs_completed();
    sc_core::sc_start(1000, sc_core::SC_SEC);
    // 3 jobs in each second.
    EXPECT_NEAR(static_cast<double>(one.jobs_completed() - done), 3000.0, 300.0);
    EXPECT_EQ(whole_text(one.results()), at_end);
    EXPECT_NE(sc_core::sc_get_status(), sc_core::SC_STOPPED);
    // Every job is somewhere, and every core's times add up.
    const jobs_of_class now = one.jobs().front();
    EXPECT_EQ(one.jobs_arrived(), one.jobs_completed() + now.waiting + now.in_service);
    EXPECT_NEAR(one.cores().all(), 4.0 * one.now(), 1e-6);
    return "done";
  });
  EXPECT_EQ(found, "done");
}

TEST(cluster_module, has_the_same_results_where_a_foreign_link_takes_no_time) {
  const scenario model = single_queue("jobs = 500\nreplications = 1");
  const std::string expected = in_child([&] { return whole_text(run_replication(model, 0)); });
  const std::string found = in_child([&] {
    cluster one{"one", model, 0, {false, {}, {}, {"node"}}};
    one.dispatch_of("node").bind(one.servers_of("node"));
    sc_core::sc_start(1000, sc_core::SC_SEC);
    return whole_text(one.results());
  });
  EXPECT_EQ(found, expected);
}

/// Jobs of one core and one second, one every other second.
class regular_jobs final : public workload {
 public:
  bool next(job_request& job) override {
    job = {};
    job.arrival = at_ += 2'000'000'000;
    job.type = class_id{0};
    job.size = 1'000'000'000;
    return true;
  }

 private:
  ticks at_ = 0;
};

class response_counter final : public job_observer {
 public:
  std::uint64_t completed = 0;

 private:
  void job_arrives(ticks, const job_extension&) override {}
  void job_completes(ticks, const job_extension&) override { ++completed; }
};

TEST(cluster_module, takes_foreign_servers_and_submitters) {
  const scenario model = single_queue("jobs = 500\nreplications = 1");
  const double alone = std::stod(
      in_child([&] { return fmt::format("{}", run_replication(model, 0).find("all", "response_time")->value); }));
  const std::string found = in_child([&]() -> std::string {
    cluster one{"one", model, 0, {false, {}, {"node"}, {}}};
    timekeeper time{"time"};
    server bank{"bank", time, {2, 2}};
    one.dispatch_of("node").bind(bank.dispatch);
    regular_jobs jobs;
    response_counter observer;
    job_source other{"other", time, jobs, observer};
    other.submissions.bind(one.submissions());
    while (!one.finished()) sc_core::sc_start(10, sc_core::SC_SEC);
    EXPECT_EQ(one.results().find("all", "utilization"), nullptr);
    // The jobs of the other source are a seventh of all.
    EXPECT_NEAR(static_cast<double>(observer.completed), 500.0 / 6.0, 20.0);
    EXPECT_EQ(one.jobs_completed(), one.jobs_arrived() - one.jobs().front().waiting - one.jobs().front().in_service);
    EXPECT_GE(one.jobs_completed(), 500 + observer.completed);
    return fmt::format("{}", one.results().find("all", "response_time")->value);
  });
  EXPECT_GT(std::stod(found), alone);
}

TEST(cluster_module, that_meets_another_time_resolution_says_what_to_do) {
  const scenario model = single_queue("jobs = 500\nreplications = 1");
  const std::string found = in_child([&]() -> std::string {
    const sc_core::sc_time before{1, sc_core::SC_NS};
    try {
      cluster one{"one", model};
      return "no error";
    } catch (const std::invalid_argument& refusal) {
      return refusal.what();
    }
  });
  EXPECT_NE(found.find("sc_set_time_resolution(1000000, SC_FS)"), std::string::npos) << found;
}

TEST(cluster_module, refuses_servers_and_traces_that_do_not_exist) {
  const scenario model = single_queue("jobs = 500\nreplications = 1");
  EXPECT_THROW((cluster{"one", model, 0, {false, {}, {"nodes"}, {}}}), std::invalid_argument);
  EXPECT_THROW((cluster{"two", model, 0, {false, {}, {}, {"nodes"}}}), std::invalid_argument);
  EXPECT_THROW((cluster{"three", model, 0, {false, {{"job", "jobs.csv"}}, {}, {}}}), std::invalid_argument);
}

TEST(read_scenario, of_a_sweep_names_the_keys_to_be_set) {
  const std::string file = MUSTER_SOURCE "/scenarios/quickswap_four_class.toml";
  std::string found;
  try {
    read_scenario(file);
  } catch (const std::invalid_argument& refusal) {
    found = refusal.what();
  }
  EXPECT_NE(found.find("expected a value of each swept key: "), std::string::npos) << found;
  EXPECT_THROW(read_scenario(file, {{"arrivals.lod", "0.8"}}), scenario_error);
}

}  // namespace
}  // namespace muster
