#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muster/modules/server/server.h"
#include "muster/modules/source/job_source.h"
#include "platform/cluster/cluster.h"
#include "platform/experiment/simulation_task.h"
#include "platform/simulation/replication.h"
#include "tests/modules/child.h"
#include "tests/simulation/finite_arrivals.h"
#include "tests/simulation/foreign_modules.h"
#include "tests/simulation/scenes.h"

// A cluster as a module of a foreign simulation.

namespace muster {
namespace {

TEST_F(finite_arrivals, end_beside_a_foreign_clock_as_they_do_alone) {
  const scenario model = four_jobs();
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
