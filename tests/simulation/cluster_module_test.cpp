#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muster/modules/server/server.h"
#include "muster/modules/source/job_source.h"
#include "platform/cluster/cluster.h"
#include "platform/simulation/replication.h"
#include "tests/modules/child.h"
#include "tests/refusal.h"
#include "tests/scenario/graph_folder.h"
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

TEST(cluster_module, lists_all_parameters_once_and_sets_those_that_are_inputs) {
  const scenario model = single_queue("jobs = 500\nreplications = 1");
  const std::string found = in_child([&]() -> std::string {
    cluster one{"one", model};
    const parameter_list all = one.parameters();
    std::set<std::string> names;
    for (const listed_parameter& p : all.all()) EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_TRUE(all.find("one.scheduler.jobs_completed"));
    EXPECT_TRUE(all.find("one.server_node.cores"));
    const listed_parameter& rate = *all.find("one.arrival_rate");
    rate.set(0.5);
    EXPECT_THROW(rate.set(0.0), std::invalid_argument);
    sc_core::sc_start(10, sc_core::SC_SEC);
    EXPECT_EQ(one.control().arrival_rate(), 0.5);
    EXPECT_EQ(rate.value(), "0.5");
    EXPECT_EQ(all.find("one.completed")->value(), std::to_string(one.jobs_completed()));
    return "done";
  });
  EXPECT_EQ(found, "done");
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

// Own jobs hold 1 of 4 cores on average, those of the submitter half of one. A busy core draws 100 W.
TEST(cluster_module, measures_its_own_jobs_alone_and_its_cores_with_the_jobs_of_further_submitters) {
  const scenario model =
      read_study(one_class("count = 2, cores = 2, power = { active = 100 }", "", 1.0,
                           R"(distribution = "deterministic", value = 1.0)", "jobs = 2000\nreplications = 1"),
                 "queue", {})
          .points.front()
          .model;
  const auto check = [&](bool with_submitter, double busy_cores) {
    return in_child([&]() -> std::string {
      cluster one{"one", model};
      timekeeper time{"time"};
      regular_jobs jobs;
      response_counter observer;
      std::unique_ptr<job_source> other;
      if (with_submitter) {
        other = std::make_unique<job_source>("other", time, jobs, observer);
        other->submissions.bind(one.submissions());
      }
      while (!one.finished()) sc_core::sc_start(10, sc_core::SC_SEC);
      const auto value = [&](const char* metric) { return one.results().find("all", metric)->value; };
      EXPECT_NEAR(value("throughput"), 1.0, 0.05);
      EXPECT_NEAR(value("jobs_in_system"), 1.0, 0.1);
      EXPECT_EQ(one.results().find("all", "response_time")->jobs, 1800u);
      EXPECT_NEAR(4.0 * value("utilization"), busy_cores, 0.05);
      EXPECT_NEAR(value("average_power"), 400.0 * value("utilization"), 1e-6);
      return "done";
    });
  };
  EXPECT_EQ(check(false, 1.0), "done");
  EXPECT_EQ(check(true, 1.5), "done");
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

TEST(cluster_module, of_another_time_resolution_than_the_first_is_refused_and_leaves_that_one_as_it_was) {
  const scenario model = single_queue("jobs = 500\nreplications = 1");
  const scenario finer =
      read_study(one_class("count = 2, cores = 2", "", 3.0, exponential, "jobs = 500"), "finer", {"time_unit=ms"})
          .points.front()
          .model;
  const std::string expected = in_child([&] { return whole_text(run_replication(model, 0)); });
  const std::string found = in_child([&] {
    cluster first{"first", model};
    EXPECT_EQ(
        refusal<std::invalid_argument>([&] {
          cluster{"second", finer};
        }),
        "the time resolution is 1000000 fs, but a scenario whose time_unit is ms has 1000 fs; expected the first "
        "cluster before any sc_time, or sc_set_time_resolution(1000, SC_FS), and scenarios of the same resolution "
        "in one simulation");
    sc_core::sc_start(1000, sc_core::SC_SEC);
    return whole_text(first.results());
  });
  EXPECT_EQ(found, expected);
}

/// Clusters whose jobs are those of a log.
class logged_cluster : public graph_folder {
 protected:
  /// 300 jobs of up to eight cores on two kinds of servers, of which the one that fails is listed first or last. No job
  /// arrives at the instant at which another one ends: their order is open where a foreign server is.
  scenario model(const std::string& policy, bool failing_first) const {
    std::mt19937_64 random{7};
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    std::string log;
    unsigned arrival = 0;
    for (unsigned id = 1; id <= 300; ++id) {
      arrival += below(40);
      log += fmt::format("{} {} -1 {}.{:06} {} -1 -1 -1 -1 -1 1 {} 1 -1 -1 -1 -1 -1\n", id, arrival, 1 + below(100),
                         below(1'000'000), 1 + below(8), 1 + below(5));
    }
    write("log.swf", log);
    const std::string
        failing = R"({ name = "failing", count = 2, cores = 4, faults = { to_failure = 400, to_repair = 60 } })",
        steady = R"({ name = "steady", count = 2, cores = 4 })";
    return read_here(fmt::format("name = \"x\"\n[platform]\nservers = [{}, {}]\n[arrivals]\nprocess = \"log\"\n"
                                 "file = \"log.swf\"\nclass_by = \"user\"\n[policy]\nname = \"{}\"\n",
                                 failing_first ? failing : steady, failing_first ? steady : failing, policy))
        .points.front()
        .model;
  }
};

/// Two servers of four cores, bound to the initiator that leads to them.
struct foreign_bank {
  explicit foreign_bank(tlm::tlm_initiator_socket<>& from) { from.bind(bank.dispatch); }
  timekeeper time{"time"};
  server bank{"bank", time, {2, 4}};
};

std::set<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

/// Whether a row of results.csv is of cores, of which those of a foreign server are not known.
bool is_of_cores(const std::string& line) {
  const auto names = {",utilization,", ",overhead_share,", ",down_share,"};
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return line.find(name) != std::string::npos; });
}

TEST_F(logged_cluster, has_the_same_results_of_jobs_where_a_foreign_server_stands_beside_servers_that_fail) {
  for (const char* policy : {"fcfs", "first_fit", "easy_backfill", "last_come_first_served"})
    for (const bool failing_first : {true, false}) {
      const scenario point = model(policy, failing_first);
      const auto csv = [&](bool with_foreign_server) {
        return in_child([&] {
          cluster_options options;
          options.check_protocol = true;
          if (with_foreign_server) options.foreign_servers = {"steady"};
          cluster one{"one", point, 0, options};
          std::unique_ptr<foreign_bank> bank;
          if (with_foreign_server) bank = std::make_unique<foreign_bank>(one.dispatch_of("steady"));
          while (!one.finished()) sc_core::sc_start(1000, sc_core::SC_SEC);
          return one.results_csv();
        });
      };
      const std::set<std::string> whole = lines_of(csv(false)), found = lines_of(csv(true));
      EXPECT_TRUE(std::includes(whole.begin(), whole.end(), found.begin(), found.end())) << policy;
      std::vector<std::string> left_out;
      std::set_difference(whole.begin(), whole.end(), found.begin(), found.end(), std::back_inserter(left_out));
      ASSERT_FALSE(left_out.empty());
      for (const std::string& line : left_out) EXPECT_TRUE(is_of_cores(line)) << policy << ": " << line;
    }
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
