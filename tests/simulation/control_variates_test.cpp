// Control variates of whole simulations: do they have the expectations that are taken for theirs?

#include <cmath>
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "platform/metrics/sample.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/busy_age.h"
#include "platform/simulation/instruments/control_recorder.h"
#include "platform/simulation/weighted_deviations.h"
#include "tests/simulation/replicate.h"

namespace muster {
namespace {

// The first of the replications that a scenario has.
replication_result first_of(const scenario& model) {
  std::string text;
  worker_pool(1).run(
      1, [&](std::size_t) { return to_text(run_replication(model, 0)); },
      [&](const task_outcome& outcome) {
        text = outcome.text;
        return !outcome.failed;
      },
      [] { return true; });
  return replication_from_text(text);
}

scenario with(const std::string& servers, const std::string& classes, const std::string& policy,
              const std::string& run = "") {
  return read_study(fmt::format("name = \"s\"\nplatform.servers = [{}]\nclasses = [{}]\narrivals.rate = 1.2\n"
                                "policy = {{ {} }}\nrun = {{ jobs = 3200, replications = 200, seed = 3{} }}\n",
                                servers, classes, policy, run),
                    "test", {})
      .points.front()
      .model;
}

const std::string rigid_classes =
    R"({ name = "one", need = 1, share = 0.75, size = { distribution = "exponential", mean = 1.0 } },)"
    R"({ name = "four", need = 4, share = 0.25, size = { distribution = "erlang", phases = 2, mean = 1.0 } })";
const std::string four_cores = R"({ name = "n", cores = 4 })";

scenario rigid(const std::string& run = "") { return with(four_cores, rigid_classes, "name = \"msf\"", run); }

// Work of a job: 1 x exponential with 3/4, 4 x Erlang-2 with 1/4. Moments 0.75 * 1 + 0.25 * 4 = 1.75 and
// 0.75 * 2 + 0.25 * 16 * 1.5 = 7.5; load 1.2 * 1.75 / 4 = 0.525.
TEST(coupled_queues, have_the_means_of_pollaczek_and_khinchine) {
  const std::vector<coupled_queue> all = coupled_queues(rigid());
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].name, "workload");
  EXPECT_NEAR(all[0].expected, 1.2 * 7.5 / (2.0 * 16.0 * (1.0 - 0.525)), 1e-12);
  EXPECT_EQ(all[1].name, "workload without 0.25 of the reserve");
  EXPECT_NEAR(all[1].capacity, 4.0 - 0.25 * 1.9, 1e-12);
  EXPECT_EQ(all[2].name, "workload without 0.5 of the reserve");
  EXPECT_NEAR(all[2].capacity, 3.05, 1e-12);
  EXPECT_NEAR(all[2].expected, 1.2 * 7.5 / (2.0 * 3.05 * (3.05 - 2.1)), 1e-12);
  EXPECT_EQ(all[3].name, "workload of four") << "of the greatest need first";
  EXPECT_NEAR(all[3].expected, 0.3 * 16.0 * 1.5 / (2.0 * 16.0 * (1.0 - 0.3)), 1e-12);
  EXPECT_EQ(all[4].name, "workload of one");
  EXPECT_NEAR(all[4].expected, 0.9 * 2.0 / (2.0 * 16.0 * (1.0 - 0.225)), 1e-12);
}

// Relaxation with half of the reserve: 2 x 1.44 x 7.5 / 0.95^2 = 24 arrivals; the warm-up is to be twice as long.
TEST(coupled_queues, of_less_capacity_need_a_warm_up_that_is_long_enough) {
  scenario model = rigid();
  model.run.jobs = 400;
  ASSERT_EQ(model.run.unmeasured(), 40u);
  const std::vector<coupled_queue> all = coupled_queues(model);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1].name, "workload without 0.25 of the reserve");
  EXPECT_EQ(all[2].name, "workload of four");
}

TEST(coupled_queues, of_three_classes_or_more_serve_also_those_of_no_less_and_of_no_greater_need) {
  std::string classes;
  for (const auto& [name, need] : {std::pair{"one", 1}, {"two", 2}, {"four", 4}})
    classes += fmt::format(
        R"({{ name = "{}", need = {}, rate = 0.4, size = {{ distribution = "exponential", mean = 1.0 }} }},)", name,
        need);
  const std::vector<coupled_queue> all =
      coupled_queues(read_study("name = \"s\"\nplatform.servers = [" + four_cores + "]\nclasses = [" + classes +
                                    "]\npolicy = \"msf\"\nrun = { jobs = 4000, replications = 10 }\n",
                                "test", {})
                         .points.front()
                         .model);
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(all[6].name, "workload of two and more");
  EXPECT_EQ(all[6].classes, 0b011u);
  EXPECT_EQ(all[6].capacity, 4.0);
  EXPECT_EQ(all[7].name, "workload of two and less");
  EXPECT_EQ(all[7].classes, 0b110u);
}

TEST(coupled_queues, of_pooled_jobs_have_the_capacity_of_the_servers_that_a_class_can_use) {
  const scenario model =
      with(R"({ name = "a" }, { name = "b", capacity = 2.0 })",
           R"({ name = "x", share = 0.5, servers = ["a"], size = { distribution = "exponential", mean = 0.5 } },)"
           R"({ name = "y", share = 0.5, size = { distribution = "exponential", mean = 0.5 } })",
           "name = \"fcfs_pooled\"");
  const std::vector<coupled_queue> all = coupled_queues(model);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].capacity, 3.0);
  EXPECT_EQ(all[3].name, "workload of x");
  EXPECT_EQ(all[3].capacity, 1.0);
  EXPECT_NEAR(all[3].expected, 0.3 / 0.7 * 0.5, 1e-12) << "M/M/1";
  EXPECT_EQ(all[4].capacity, 3.0);
}

TEST(coupled_queues, of_pooled_jobs_serve_also_the_classes_that_are_pressed_hardest) {
  const auto on_a_or_b = [](const char* name, const char* servers) {
    return fmt::format(
        R"({{ name = "{}", rate = 0.6, servers = [{}], size = {{ distribution = "exponential", mean = 1.0 }} }},)",
        name, servers);
  };
  const scenario model =
      read_study(
          "name = \"s\"\nplatform.servers = [{ name = \"a\" }, { name = \"b\" }, { name = \"c\", capacity = 2.0 "
          "}]\nclasses = [" +
              on_a_or_b("free", R"("a", "b", "c")") + on_a_or_b("first", R"("a", "b")") +
              on_a_or_b("second", R"("a", "b")") +
              "]\npolicy = \"fcfs_pooled\"\nrun = { jobs = 9000, replications = 10 }\n",
          "test", {})
          .points.front()
          .model;
  const std::vector<coupled_queue> all = coupled_queues(model);
  ASSERT_EQ(all.size(), 9u);
  EXPECT_EQ(all[6].name, "workload of the hardest pressed classes");
  EXPECT_EQ(all[6].classes, 0b101u) << "first and second: 1.2 of 2, where all have 1.8 of 4";
  EXPECT_EQ(all[6].capacity, 2.0);
  EXPECT_NEAR(all[6].expected, 0.6 / 0.4 / 2.0, 1e-12) << "M/M/1";
  EXPECT_EQ(all[8].name, "workload of the hardest pressed classes without 0.5 of the reserve");
  EXPECT_NEAR(all[8].capacity, 1.6, 1e-12);
}

TEST(coupled_queues, that_are_saturated_are_left_out) {
  scenario model = rigid();
  for (class_spec& c : model.classes) c.rate *= 3.0;
  model.arrivals.rate *= 3.0;
  for (const coupled_queue& q : coupled_queues(model)) EXPECT_NE(q.name, "workload") << "its load would be 1.6";
}

// 200 replications of each; each of seventeen means is off by more than 4 standard errors in 1 of 16,000 cases.
TEST(control_variates, have_the_expectation_that_they_are_held_against) {
  std::map<std::string, std::vector<double>> found;
  for (const replication_result& r : replicate(rigid())) {
    ASSERT_EQ(r.controls.size(), 14u);
    for (const control_variate& c : r.controls) {
      found[c.name].push_back(c.deviation);
      ASSERT_EQ(c.parts.size(), 8u);
      EXPECT_NEAR(mean_of(c.parts), c.deviation, 1e-9) << "parts of equal length";
    }
  }
  ASSERT_EQ(found.size(), 14u);
  for (const auto& [name, deviations] : found) {
    const double error = std::sqrt(variance_of(deviations) / static_cast<double>(deviations.size()));
    EXPECT_GT(error, 0.0) << name;
    EXPECT_LT(std::abs(mean_of(deviations)), 4.0 * error) << name;
  }
}

// Needs 1 and 4, one arrival a second of either class alike, sizes of 1 s and 2 s: 1 x 1 and 4 x 2 core seconds.
// The second job finds one of need 1 and comes after 3 s, the third both and comes at once.
TEST(weighted_deviations, are_sums_of_products_with_the_jobs_in_the_system) {
  scenario model =
      with(four_cores,
           R"({ name = "one", need = 1, share = 0.5, size = { distribution = "exponential", mean = 1.0 } },)"
           R"({ name = "four", need = 4, share = 0.5, size = { distribution = "exponential", mean = 2.0 } })",
           "name = \"fcfs\"");
  for (class_spec& c : model.classes) c.rate = 0.5;
  model.arrivals.rate = 1.0;
  const double second = 1e9;
  const class_id four{0}, one{1};
  weighted_deviations deviations(model);
  deviations.arrive(one, 9.0 * second, 7.0 * second);
  deviations.arrive(four, 3.0 * second, 6.0 * second);
  deviations.arrive(one, 0.0, 0.5 * second);
  std::map<std::string, double> sums;
  for (const weighted_deviations::sum& s : deviations.take()) sums[s.name] = s.value;
  EXPECT_NEAR(sums.at("interarrival_time times jobs"), 1.0 * 2.0 + 2.0 * -1.0, 1e-12);
  EXPECT_NEAR(sums.at("interarrival_time times widest jobs"), 1.0 * -1.0, 1e-12);
  EXPECT_NEAR(sums.at("work times jobs"), 1.0 * 1.5 + 2.0 * -4.0, 1e-12);
  EXPECT_NEAR(sums.at("work times widest jobs"), 1.0 * -4.0, 1e-12);
  EXPECT_NEAR(sums.at("widest jobs times jobs"), 1.0 * 0.5 + 2.0 * -0.5, 1e-12);
  EXPECT_NEAR(sums.at("widest jobs times widest jobs"), 1.0 * -0.5, 1e-12);
  deviations.complete(four);
  deviations.arrive(one, 1.0 * second, 2.0 * second);
  for (const weighted_deviations::sum& s : deviations.take()) sums[s.name] = s.value;
  EXPECT_NEAR(sums.at("work times jobs"), 2.0 * -2.5, 1e-12) << "jobs that have left do not count";
  EXPECT_EQ(sums.at("work times widest jobs"), 0.0);
}

// The mean age of the busy period of M/M/infinity with sizes of mean 1 is the sum of a^n / (n n!) over n > 0,
// where a is the mean number of jobs: 0.9 here.
TEST(busy_age, of_exponential_jobs_has_the_mean_of_its_series) {
  double mean = 0.0, term = 1.0;
  for (int n = 1; n < 40; ++n) mean += (term *= 0.9 / n) / n;
  const std::optional<busy_age> age = busy_age::of(rigid());
  ASSERT_TRUE(age);
  EXPECT_NEAR(age->expected(), mean, 1e-9);
}

TEST(busy_age, is_that_of_the_jobs_of_all_classes_but_the_widest) {
  std::optional<busy_age> age = busy_age::of(rigid());
  ASSERT_TRUE(age);
  const class_id four{0}, one{1};
  age->arrive(5, four, 100);  // finds no job, and is not among them
  age->arrive(10, one, 20);   // finds none: they are there from 10 to 30
  age->arrive(13, one, 2);
  age->arrive(25, four, 1);
  EXPECT_EQ(age->take(), 3.0 + 15.0);
  age->arrive(40, one, 5);
  age->arrive(44, one, 5);
  EXPECT_EQ(age->take(), 4.0);
}

TEST(busy_age, is_left_out_where_its_mean_is_not_known_or_not_reached_within_the_warm_up) {
  scenario few = rigid();
  few.run.jobs = 300;
  EXPECT_FALSE(busy_age::of(few)) << "ten busy periods take 33 arrivals";
  EXPECT_FALSE(busy_age::of(
      with(four_cores,
           R"({ name = "one", need = 1, share = 0.5, size = { distribution = "deterministic", value = 1.0 } },)"
           R"({ name = "four", need = 4, share = 0.5, size = { distribution = "exponential", mean = 1.0 } })",
           "name = \"msf\"")));
}

TEST(control_variates, are_recorded_where_they_can_be_used_and_nowhere_else) {
  const auto controls = [](scenario model) {
    model.run.jobs = 200;
    model.run.replications = std::min(model.run.replications, 10u);
    return first_of(model).controls.size();
  };
  EXPECT_EQ(controls(rigid()), 11u);
  EXPECT_EQ(controls(rigid(", control_variates = false")), 0u);
  scenario few = rigid();
  few.run.replications = 9;
  EXPECT_EQ(controls(few), 0u);
  few.run.precision = precision_spec{{{"response_time"}}};
  EXPECT_EQ(controls(few), 11u) << "it runs ten at least";
  const std::string heavy =
      R"({ name = "j", share = 1.0, size = { distribution = "lognormal", mean = 1.0, scv = 8.0 } })";
  EXPECT_EQ(controls(with(four_cores, heavy, "name = \"fcfs\"")), 0u);
  scenario unstable = rigid();
  for (class_spec& c : unstable.classes) c.rate *= 3.0;
  unstable.arrivals.rate *= 3.0;
  EXPECT_EQ(controls(unstable), 0u) << "its means have no limit";
}

TEST(control_variates, leave_what_replications_measure_as_it_is) {
  const auto values = [](const scenario& model) {
    std::vector<double> all;
    for (const measurement& m : first_of(model).measurements) all.push_back(m.value);
    return all;
  };
  scenario nine = rigid();
  nine.run.replications = 9;
  EXPECT_EQ(values(rigid()), values(rigid(", control_variates = false")));
  EXPECT_EQ(values(rigid()), values(nine));
}

}  // namespace
}  // namespace muster
