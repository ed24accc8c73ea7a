#include "platform/metrics/metric.h"

#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "platform/metrics/class_record.h"
#include "platform/model/platform_spec.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/instruments/phase_statistics.h"
#include "platform/simulation/replication.h"

namespace muster {
namespace {

scenario rigid(const std::string& server = "") {
  return read_study(R"(name = "rigid"
[platform]
servers = [{ name = "node", cores = 2)" +
                        server +
                        R"( }]
[[classes]]
name = "light"
share = 1.0
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 1.0
[policy]
name = "fcfs"
[run]
jobs = 500
)",
                    "test", {})
      .points.front()
      .model;
}

scenario slotted(const std::string& classes_keys, const std::string& arrivals) {
  return read_study(R"(name = "slots"
[platform]
servers = [{ name = "machine", count = 3 }]
[[classes]]
name = "task"
units = 4
deadline = { distribution = "uniform", from = 1, to = 6 }
)" + classes_keys + "\n[arrivals]\n" +
                        arrivals + "\n[policy]\nname = \"fifo\"\n",
                    "test", {"run.seed=3"})
      .points.front()
      .model;
}

std::string mistake_of(const std::string& metric, const scenario& model, const std::string& class_name = "all") {
  const auto found = find_metric(metric)->mistake(model, class_name);
  return found ? found->message : "";
}

// What the table promises of a scenario is what a replication of it has, in every row but those of phases.
void expect_measured_as_promised(const scenario& model) {
  const std::string class_name = model.classes.front().name;
  std::set<std::pair<std::string, std::string>> measured;
  for (const measurement& m : run_replication(model, 0).measurements) {
    ASSERT_NE(find_metric(m.metric), nullptr) << m.metric;
    if (is_phase(m.class_name)) continue;
    EXPECT_TRUE(measured.emplace(m.metric, m.class_name).second) << m.metric << " of " << m.class_name;
  }
  for (const metric_entry& m : metric_catalogue())
    for (const std::string& of : {std::string("all"), class_name})
      EXPECT_EQ(measured.count({std::string(m.name), of}) == 1, !m.mistake(model, of)) << m.name << " of " << of;
}

TEST(metric_table, has_each_name_once_and_takes_means_of_classes_alone_from_jobs) {
  std::set<std::string_view> names;
  for (const metric_entry& m : metric_catalogue()) {
    EXPECT_TRUE(names.insert(m.name).second) << m.name;
    EXPECT_EQ(find_metric(m.name), &m);
    EXPECT_TRUE(!m.of_jobs || m.scope == metric_scope::classes) << m.name;
    EXPECT_TRUE(!m.in_order || m.of_jobs) << m.name;
  }
  EXPECT_EQ(find_metric("respons_time"), nullptr);
}

TEST(metric_table, promises_what_replications_of_rigid_jobs_measure) { expect_measured_as_promised(rigid()); }

TEST(metric_table, promises_what_replications_with_faults_and_power_measure) {
  expect_measured_as_promised(rigid(", power = { active = 10.0 }, faults = { to_failure = 50.0, to_repair = 1.0 }"));
}

TEST(metric_table, promises_what_replications_with_prices_measure) {
  scenario model = rigid();
  EXPECT_EQ(mistake_of("cost", model), "cost is not measured in this scenario; it needs prices");
  model.price = price_spec{{3.0}};
  EXPECT_EQ(mistake_of("cost", model), "");
  expect_measured_as_promised(model);
}

TEST(metric_table, promises_what_replications_with_prices_of_energy_measure) {
  scenario model = rigid(", power = { active = 10.0 }");
  model.price = price_spec{{3.0}};
  EXPECT_EQ(mistake_of("energy_cost", model),
            "energy_cost is not measured in this scenario; it needs power, and "
            "price.energy");
  expect_measured_as_promised(model);
  model.price->energy = std::make_shared<const step_function>(step_function{{{0.0, 0.3}}});
  model.price->carbon = std::make_shared<const step_function>(step_function{{{0.0, 400.0}, {5.0, 300.0}}, 9.0});
  EXPECT_EQ(mistake_of("energy_cost", model) + mistake_of("carbon", model), "");
  expect_measured_as_promised(model);
}

TEST(metric_table, promises_faults_and_power_of_whichever_servers_have_them) {
  const std::string faults = ", faults = { to_failure = 50.0, to_repair = 1.0 }", power = ", power = { active = 10.0 }";
  const std::string other = " }, { name = \"other\", cores = 2";
  for (const std::string& servers : {faults + power + other, other + faults + power})
    for (const char* metric : {"failures_per_job", "average_power", "energy_per_job"})
      EXPECT_EQ(mistake_of(metric, rigid(servers)), "") << servers;
  expect_measured_as_promised(rigid(other + faults + power));
}

TEST(metric_table, promises_what_replications_of_a_finite_number_of_slotted_jobs_measure) {
  expect_measured_as_promised(slotted("jobs = 30\nutility = { function = \"logarithmic\", steepness = 2.0 }",
                                      "process = \"uniform\"\nslots = 10"));
}

TEST(metric_table, promises_no_optimum_of_slotted_jobs_without_an_end) {
  const scenario model = slotted("share = 1.0", "rate = 0.5");
  EXPECT_EQ(mistake_of("optimal_utility", model),
            "optimal_utility is not measured in this scenario; it needs a finite number of slotted jobs of concave "
            "utility");
  scenario short_run = model;
  short_run.run.jobs = 200;
  expect_measured_as_promised(short_run);
}

TEST(metric_table, says_why_a_metric_cannot_be_had) {
  const scenario model = rigid();
  EXPECT_EQ(mistake_of("response_time", model), "");
  EXPECT_EQ(mistake_of("response_time", model, "light"), "");
  EXPECT_EQ(mistake_of("failures_per_job", model),
            "failures_per_job is not measured in this scenario; it needs servers with faults");
  EXPECT_EQ(mistake_of("failures_per_job", rigid(", faults = { to_failure = 50.0, to_repair = 1.0 }"), "light"), "");
  EXPECT_EQ(mistake_of("utility", model), "utility is not measured in this scenario; it needs slotted jobs");
  EXPECT_EQ(mistake_of("energy_per_job", model),
            "energy_per_job is not measured in this scenario; it needs servers, or resources of the "
            "cluster, with power");
  EXPECT_EQ(mistake_of("overhead_share", model, "light"),
            "overhead_share is measured of all classes together; expected 'all', found 'light'");
  EXPECT_EQ(mistake_of("response_time", model, "phase_1"),
            "response_time is not measured of phases; expected a class or 'all', found 'phase_1'");
  EXPECT_EQ(mistake_of("phase_share", model),
            "phase_share is measured of phases; expected one such as 'phase_1', found "
            "'all'");
  EXPECT_EQ(mistake_of("phase_share", model, "phase_2"), "");
  EXPECT_EQ(mistake_of("sensitivity", model),
            "sensitivity is not measured in each replication, but taken from several points together");
  EXPECT_EQ(mistake_of("warm_up_jobs", model),
            "warm_up_jobs is not measured in each replication, but found by a pilot of each point");
  EXPECT_EQ(mistake_of("competitive_bound", model),
            "competitive_bound is not measured in each replication, but known by theory alone");
}

TEST(metric_table, takes_metrics_from_what_the_jobs_went_through) {
  time_unit unit;  // seconds of 10^9 ticks
  class_record jobs;
  jobs.completed = 4;
  jobs.expired = 1;
  jobs.response = 10'000'000'000;  // 10 s
  jobs.response_squares = 34e18;   // as of 1, 1, 4 and 4 s
  jobs.waiting = 6'000'000'000;
  jobs.to_start = 3'000'000'000;
  jobs.slowdown = 12.0;
  jobs.work = 5'000'000'000;
  jobs.presence = 20'000'000'000;
  jobs.interruptions = 15;
  jobs.failures = 10;
  jobs.utility = 8.0;
  const auto value = [&](const char* name) { return find_metric(name)->of_jobs({jobs, 100.0, unit}).value; };
  EXPECT_DOUBLE_EQ(*value("response_time"), 2.5);
  EXPECT_DOUBLE_EQ(*value("response_time_deviation"), 1.5);
  EXPECT_DOUBLE_EQ(*value("waiting_time"), 1.5);
  EXPECT_DOUBLE_EQ(*value("time_to_start"), 0.75);
  EXPECT_DOUBLE_EQ(*value("slowdown"), 3.0);
  EXPECT_DOUBLE_EQ(*value("jobs_in_system"), 0.2);
  EXPECT_DOUBLE_EQ(*value("throughput"), 0.04);
  EXPECT_DOUBLE_EQ(*value("service_rate"), 0.25);
  EXPECT_DOUBLE_EQ(*value("interruptions_per_job"), 3.0);
  EXPECT_DOUBLE_EQ(*value("failures_per_job"), 2.0);
  EXPECT_DOUBLE_EQ(*value("utility_rate"), 0.08);
  EXPECT_DOUBLE_EQ(*value("completed_share"), 0.8);
  EXPECT_DOUBLE_EQ(*value("expired_share"), 0.2);
  EXPECT_EQ(find_metric("response_time")->of_jobs({jobs, 100.0, unit}).jobs, 4u);
  EXPECT_EQ(find_metric("failures_per_job")->of_jobs({jobs, 100.0, unit}).jobs, 5u);
  jobs = {};
  EXPECT_FALSE(value("response_time").has_value());
  EXPECT_FALSE(value("response_time_deviation").has_value());
  EXPECT_FALSE(value("response_time_p50").has_value());
  EXPECT_FALSE(value("waiting_time_p50").has_value());
  EXPECT_FALSE(value("waiting_time_max").has_value());
  EXPECT_FALSE(value("expired_share").has_value());
  EXPECT_FALSE(value("service_rate").has_value());
  EXPECT_EQ(value("throughput"), 0.0);
}

TEST(metric_table, names_units_and_columns_of_tables) {
  EXPECT_EQ(find_metric("response_time")->unit_name("ms"), "ms");
  EXPECT_EQ(find_metric("throughput")->unit_name("ms"), "1/ms");
  EXPECT_EQ(find_metric("energy_per_job")->unit_name("ms"), "J");
  EXPECT_EQ(find_metric("slowdown")->unit_name("ms"), "");
  using names = std::vector<std::string>;
  EXPECT_EQ(
      metrics_with_column(&metric_columns::run, false),
      (names{"response_time", "weighted_response_time", "response_time_p99", "bounded_slowdown", "jobs_in_system",
             "service_rate", "utilization", "energy_per_job", "cost", "exchange_speed", "energy_cost", "carbon"}));
  EXPECT_EQ(metrics_with_column(&metric_columns::verdict, true), (names{"utility", "utility_rate"}));
  EXPECT_EQ(metrics_with_column(&metric_columns::theory, true), (names{"optimal_utility", "competitive_bound"}));
  EXPECT_EQ(metrics_with_column(&metric_columns::run, true).back(), "utilization");
}

TEST(metric_table, says_what_a_precision_means_that_names_no_metric_and_what_theory_approximates) {
  EXPECT_EQ(usual_metric(precision_default::all).name, "response_time");
  EXPECT_EQ(usual_metric(precision_default::slotted).name, "utility_rate");
  EXPECT_EQ(usual_metric(precision_default::slotted_finite).name, "utility");
  for (const char* name : {"response_time", "weighted_response_time", "phase_share"})
    EXPECT_EQ(approximation_of(name), find_metric(std::string(name) + "_analysis"));
  EXPECT_EQ(approximation_of("slowdown"), nullptr);
}

// In no phase at first, for no time; in phase 1 until 4, in 2 for no time, in 1 again until 9, then in 2, which follows
// itself at 11. The window lasts from 3 to 12.
TEST(phase_statistics, are_of_visits_that_take_time_by_their_whole_length) {
  phase_statistics found(2);
  found.phase_begins(0, 1);
  EXPECT_EQ(found.phases()[0].visits, 0u);
  found.window_opens(3);
  found.phase_begins(4, 2);
  found.phase_begins(4, 1);
  found.phase_begins(9, 2);
  found.phase_begins(11, 2);
  found.window_closes(12);
  ASSERT_EQ(found.phases().size(), 3u);
  EXPECT_EQ(found.phases()[0].visits, 0u);
  EXPECT_EQ(found.phases()[0].inside, 0u);
  EXPECT_EQ(found.phases()[1].visits, 2u);
  EXPECT_EQ(found.phases()[1].duration, 4u + 5u);
  EXPECT_EQ(found.phases()[1].inside, 1u + 5u);
  EXPECT_EQ(found.phases()[2].visits, 1u);
  EXPECT_EQ(found.phases()[2].duration, 2u);
  EXPECT_EQ(found.phases()[2].inside, 3u);
}

}  // namespace
}  // namespace muster
