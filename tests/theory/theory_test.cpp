#include "platform/theory/theory.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "platform/theory/one_or_all/one_or_all_means.h"
#include "tests/theory/pooled_scenario.h"

namespace muster {
namespace {

double value(const theory& known, const std::string& class_name, const std::string& metric) {
  const auto found = std::find_if(known.values.begin(), known.values.end(),
                                  [&](const estimate& e) { return e.class_name == class_name && e.metric == metric; });
  return found == known.values.end() ? std::nan("") : *found->mean;
}

bool says(const theory& known, const std::string& words) { return known.about.find(words) != std::string::npos; }

scenario symmetric_tree(double rate) {
  return pooled({{"left"}, {"right"}, {"shared"}},
                {{rate / 2.0, {"left", "shared"}}, {rate / 2.0, {"right", "shared"}}});
}

TEST(theory, of_two_pooled_classes_follows_from_their_service_rates) {
  // Loads 1 and 1 of capacities 1, 1, 1: 1 / gamma = 1 / 1 + 1/2 / (3 - 1 - 1 + 1/4) = 1.4.
  const theory known = known_answer(symmetric_tree(2.0));
  for (const char* name : {"a", "b", "all"}) {
    EXPECT_NEAR(value(known, name, "service_rate"), 1.0 / 1.4, 1e-12) << name;
    EXPECT_NEAR(value(known, name, "response_time"), 1.4, 1e-12) << name;
  }
  EXPECT_NEAR(value(known, "a", "jobs_in_system"), 1.4, 1e-12);
  EXPECT_NEAR(value(known, "all", "jobs_in_system"), 2.8, 1e-12);
  EXPECT_NEAR(value(known, "all", "throughput"), 2.0, 1e-12);
  EXPECT_NEAR(value(known, "all", "utilization"), 2.0 / 3.0, 1e-12);
  EXPECT_TRUE(says(known, "equations 10 and 11")) << known.about;
  EXPECT_TRUE(says(known, "exact, whatever the number of interruptions")) << known.about;
}

TEST(theory, weighs_classes_of_different_sizes_by_their_work) {
  const theory known = known_answer(pooled({{"x"}}, {{0.2, {"x"}, 2.0}, {0.3, {"x"}, 1.0}, {0.1, {"x"}, 1.0}}));
  EXPECT_NEAR(value(known, "all", "service_rate"), 0.2, 1e-12);
  EXPECT_NEAR(value(known, "a", "response_time"), 10.0, 1e-12);
  EXPECT_NEAR(value(known, "b", "response_time"), 5.0, 1e-12);
  EXPECT_TRUE(says(known, "the limit of frequent interruptions")) << known.about;
  EXPECT_TRUE(says(known, "it has classes of different mean sizes")) << known.about;
}

TEST(theory, has_no_answer_where_the_speeds_of_servers_change) {
  scenario model = symmetric_tree(2.0);
  model.servers[0].speeds = {{0, 1.0, 0.5}};
  const theory known = known_answer(model);
  EXPECT_TRUE(known.values.empty());
  EXPECT_EQ(known.about, "no answer: none is known where the speeds of servers change");
}

TEST(theory, has_no_answer_where_the_rate_of_arrivals_changes) {
  scenario model = symmetric_tree(2.0);
  model.arrivals.changes = {{1.0, 0.5}};
  const theory known = known_answer(model);
  EXPECT_TRUE(known.values.empty());
  EXPECT_EQ(known.about, "no answer: none is known where the rate of arrivals changes");
}

TEST(theory, of_sizes_that_are_not_exponential_is_the_limit_and_leaves_costs_out) {
  scenario model = symmetric_tree(2.0);
  for (class_spec& c : model.classes) c.size = distribution::make("deterministic", {{"value", {1.0}}});
  model.costs.migration = 0.5;
  const theory known = known_answer(model);
  EXPECT_NEAR(value(known, "all", "response_time"), 1.4, 1e-12);
  EXPECT_TRUE(says(known, "at no cost")) << known.about;
  EXPECT_TRUE(says(known, "it has sizes that are not exponential, costs")) << known.about;
}

TEST(theory, gives_no_utilization_that_the_load_does_not_tell) {
  const theory known = known_answer(pooled({{"x", 1, 1, 1.0}, {"y", 1, 1, 2.0}}, {{1.0, {"x", "y"}}}));
  EXPECT_NEAR(value(known, "all", "response_time"), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(value(known, "all", "utilization")));
}

TEST(theory, of_large_random_assignment_is_the_closed_form) {
  const theory known = known_answer(pooled({{"node", 500, 1, 1.0}, {"more", 500, 1, 1.0}}, {{900.0, {}, 1.0, 2}}));
  double jobs = 0.0;
  for (double i = 2.0; i <= 1000.0; ++i) {
    const double r = 900.0 * (i * (i - 1.0)) / (1000.0 * 999.0) / i;
    jobs += r / (1.0 - r);
  }
  EXPECT_NEAR(value(known, "all", "jobs_in_system"), jobs, 1e-9 * jobs);
  EXPECT_TRUE(says(known, "random assignment")) << known.about;
}

TEST(theory, of_random_assignment_to_unequal_servers_is_the_recursion) {
  // One draw of two servers: two queues, with half of the load each.
  const theory known = known_answer(pooled({{"slow", 1, 1, 1.0}, {"fast", 1, 1, 4.0}}, {{1.0, {}, 1.0, 1}}));
  EXPECT_NEAR(value(known, "all", "jobs_in_system"), 0.5 / 0.5 + 0.5 / 3.5, 1e-12);
  EXPECT_TRUE(says(known, "recursion")) << known.about;
}

TEST(theory, of_random_assignment_takes_servers_for_alike_by_all_that_their_cores_do) {
  // Two queues with half of the load each; the faster server has four cores.
  const theory unlike = known_answer(pooled({{"one", 1, 1, 1.0}, {"four", 1, 4, 1.0}}, {{1.0, {}, 1.0, 1}}));
  EXPECT_NEAR(value(unlike, "all", "jobs_in_system"), 0.5 / 0.5 + 0.5 / 3.5, 1e-12);
  EXPECT_TRUE(says(unlike, "recursion")) << unlike.about;
  // One core of capacity 2, or two of capacity 1: two queues at half of what they can serve.
  const theory alike = known_answer(pooled({{"fast", 1, 1, 2.0}, {"two", 1, 2, 1.0}}, {{2.0, {}, 1.0, 1}}));
  EXPECT_NEAR(value(alike, "all", "jobs_in_system"), 2.0, 1e-12);
  EXPECT_TRUE(says(alike, "random assignment")) << alike.about;
}

TEST(theory, of_an_unstable_point_has_no_answer_and_names_the_set) {
  const theory known = known_answer(symmetric_tree(3.0));
  EXPECT_TRUE(known.values.empty());
  EXPECT_EQ(known.about, "no answer: unstable, a, b on all servers has load 3 and capacity 3");
}

TEST(theory, of_too_many_classes_has_no_answer_and_says_so) {
  const theory listed = known_answer(pooled({{"x"}}, std::vector<pooled_class_spec>(25, {0.01, {"x"}})));
  EXPECT_TRUE(listed.values.empty());
  EXPECT_EQ(listed.about, "no answer: the recursion serves at most 24 classes");
  const theory drawn = known_answer(pooled({{"x", 8, 1, 1.0}, {"y", 1, 1, 2.0}}, {{1.0, {}, 1.0, 2}}));
  EXPECT_TRUE(drawn.values.empty());
  EXPECT_TRUE(says(drawn, "every set of servers that jobs draw counted for itself")) << drawn.about;
}

TEST(theory, of_arrivals_that_are_not_poisson_has_no_answer) {
  scenario model = symmetric_tree(2.0);
  model.arrivals.kind = arrival_spec::process::renewal;
  EXPECT_TRUE(known_answer(model).values.empty());
  EXPECT_TRUE(says(known_answer(model), "Poisson"));
}

TEST(theory, skips_a_class_without_arrivals) {
  const theory known = known_answer(pooled({{"x"}}, {{0.0, {"x"}}, {0.5, {"x"}}}));
  EXPECT_TRUE(std::isnan(value(known, "a", "response_time")));
  EXPECT_NEAR(value(known, "all", "response_time"), 2.0, 1e-12);
}

scenario fcfs(unsigned cores, double rate) { return pooled({{"node", 1, cores, 2.0}}, {{rate, {"node"}}}, "fcfs"); }

TEST(theory, of_fcfs_on_one_core_is_pollaczek_and_khinchine) {
  scenario model = fcfs(1, 1.0);
  EXPECT_NEAR(value(known_answer(model), "all", "response_time"), 1.0, 1e-12);
  model.classes[0].size = distribution::make("deterministic", {{"value", {1.0}}});
  EXPECT_NEAR(value(known_answer(model), "all", "waiting_time"), 0.25, 1e-12);
  EXPECT_NEAR(value(known_answer(model), "a", "jobs_in_system"), 0.75, 1e-12);
  EXPECT_TRUE(says(known_answer(model), "Pollaczek"));
  model.classes[0].size = distribution::make("pareto", {{"shape", {1.5}}, {"mean", {1.0}}});
  EXPECT_TRUE(says(known_answer(model), "infinite"));
}

// W = rate * E[S^2] / (2 (1 - load)), where S is the size over the capacity, 2, and E[S^2] = E[size^2] / 4.
TEST(theory, of_fcfs_on_a_fast_core_takes_the_moments_of_service_times_and_not_of_sizes) {
  scenario one = fcfs(1, 1.0);
  one.classes[0].size = distribution::make("hyperexponential", {{"mean", {1.0}}, {"scv", {4.0}}});
  // E[size^2] = 4 + 1, so 1.25 / (2 (1 - 0.5)).
  EXPECT_NEAR(value(known_answer(one), "all", "waiting_time"), 1.25, 1e-12);
  EXPECT_NEAR(value(known_answer(one), "all", "response_time"), 1.75, 1e-12);
  // E[size^2] of exponential sizes is twice the square of the mean: (0.5 * 2 + 0.25 * 8) / 4 = 0.75, over 2 (1 - 0.5).
  const theory two = known_answer(pooled({{"node", 1, 1, 2.0}}, {{0.5, {"node"}}, {0.25, {"node"}, 2.0}}, "fcfs"));
  EXPECT_NEAR(value(two, "a", "waiting_time"), 0.75, 1e-12);
  EXPECT_NEAR(value(two, "b", "waiting_time"), 0.75, 1e-12);
  EXPECT_NEAR(value(two, "a", "response_time"), 1.25, 1e-12);
  EXPECT_NEAR(value(two, "b", "response_time"), 1.75, 1e-12);
}

TEST(theory, of_fcfs_on_several_cores_is_erlang_c) {
  // Two cores with service rate 2, load 1: an arrival waits with probability 1/3, then 1 / (4 - 2).
  const theory known = known_answer(fcfs(2, 2.0));
  EXPECT_NEAR(value(known, "all", "waiting_time"), 1.0 / 6.0, 1e-12);
  EXPECT_NEAR(value(known, "all", "response_time"), 1.0 / 6.0 + 0.5, 1e-12);
  EXPECT_NEAR(value(known, "all", "utilization"), 0.5, 1e-12);
  EXPECT_TRUE(known_answer(fcfs(2, 4.0)).values.empty());
}

scenario one_or_all_scenario(const std::string& policy, double rate, unsigned cores = 32) {
  // Cores of capacity 2, so that sizes of mean 2 take 1.
  scenario model =
      pooled({{"node", 1, cores, 2.0}}, {{0.9 * rate, {"node"}, 2.0}, {0.1 * rate, {"node"}, 2.0}}, policy);
  model.classes[1].need = cores;
  return model;
}

TEST(theory, of_msfq_is_exact_by_class_weighted_and_by_phase) {
  const scenario model = one_or_all_scenario("msfq", 7.5);
  const theory known = known_answer(model);
  EXPECT_TRUE(says(known, "exact solution"));
  const double light = value(known, "a", "response_time"), heavy = value(known, "b", "response_time");
  const one_or_all_means exact = solve_one_or_all({32, 31, true, 6.75, 0.75, 1.0, 1.0}).means;
  EXPECT_NEAR(light, exact.light_response, 1e-9 * light);
  EXPECT_NEAR(heavy, exact.heavy_response, 1e-9 * heavy);
  EXPECT_NEAR(value(known, "all", "response_time"), 0.9 * light + 0.1 * heavy, 1e-12 * light);
  const double light_load = 6.75 / 32.0, heavy_load = 0.75;
  EXPECT_NEAR(value(known, "all", "weighted_response_time"),
              (light_load * light + heavy_load * heavy) / (light_load + heavy_load), 1e-12 * light);
  EXPECT_NEAR(value(known, "all", "utilization"), light_load + heavy_load, 1e-12);
  EXPECT_NEAR(value(known, "all", "jobs_in_system"), 6.75 * light + 0.75 * heavy, 1e-9 * light);
  EXPECT_NEAR(value(known, "phase_1", "phase_share"), 0.75, 1e-9);
  EXPECT_LT(value(known, "all", "response_time_error_bound"), 1e-8 * light);
  EXPECT_NEAR(value(known, "all", "response_time_analysis") / value(known, "all", "response_time"), 1.0, 0.02);
  EXPECT_NEAR(value(known, "all", "response_time_as_printed") / value(known, "all", "response_time"), 1.01, 0.001);
  EXPECT_GE(value(known, "all", "best_threshold"), 1.0);
  EXPECT_FALSE(says(known, "domain"));
}

TEST(theory, of_msf_is_that_of_msfq_with_threshold_0) {
  const theory msf = known_answer(one_or_all_scenario("msf", 6.0));
  scenario model = one_or_all_scenario("msfq", 6.0);
  model.policy.settings = {{"threshold", std::int64_t{0}}};
  std::swap(model.classes[0], model.classes[1]);  // the order of the classes does not matter
  const theory msfq = known_answer(model);
  for (const char* metric : {"response_time", "response_time_analysis", "response_time_as_printed"})
    for (const char* name : {"a", "b", "all"})
      EXPECT_EQ(value(msf, name, metric), value(msfq, name, metric)) << metric << " of " << name;
  EXPECT_TRUE(std::isnan(value(msf, "all", "best_threshold")));
}

TEST(theory, of_msfq_says_where_the_printed_analysis_is_outside_its_domain) {
  EXPECT_TRUE(says(known_answer(one_or_all_scenario("msfq", 4.0)), "a moment is negative"));
  EXPECT_TRUE(says(known_answer(one_or_all_scenario("msfq", 6.0)), "few jobs at phase start"));
  scenario waits = one_or_all_scenario("msfq", 6.0);
  waits.policy.settings = {{"drain", std::string("if_heavy_waits")}};
  EXPECT_TRUE(says(known_answer(waits), "nothing as printed"));
  EXPECT_TRUE(std::isnan(value(known_answer(waits), "all", "response_time_as_printed")));
  EXPECT_FALSE(std::isnan(value(known_answer(waits), "all", "response_time_analysis")));
}

TEST(theory, of_msfq_on_very_many_cores_is_the_analysis_alone) {
  const theory known = known_answer(one_or_all_scenario("msf", 9.0, 500));
  EXPECT_TRUE(says(known, "no exact answer: more than 128 cores"));
  EXPECT_TRUE(std::isnan(value(known, "all", "response_time")));
  EXPECT_GT(value(known, "all", "response_time_analysis"), 1.0);
}

TEST(theory, of_msfq_is_for_the_papers_model_alone) {
  const auto has_none = [](const scenario& model) { return known_answer(model).values.empty(); };
  const scenario papers = one_or_all_scenario("msfq", 6.0);
  EXPECT_FALSE(has_none(papers));
  EXPECT_TRUE(has_none(one_or_all_scenario("msfq", 7.9)));  // load 1.01
  EXPECT_TRUE(has_none(one_or_all_scenario("first_fit", 6.0)));
  scenario model = papers;
  model.costs.set_up = 0.1;
  EXPECT_TRUE(has_none(model));
  model = papers;
  model.decision.fixed = 0.1;
  EXPECT_TRUE(has_none(model));
  model = papers;
  model.servers[0].faults = fault_spec{100.0, 1.0};
  EXPECT_TRUE(has_none(model));
  model = papers;
  model.network.link.latency = 0.1;
  EXPECT_TRUE(has_none(model));
  model = papers;
  model.classes[0].size = distribution::make("deterministic", {{"value", {2.0}}});
  EXPECT_TRUE(has_none(model));
  model = papers;
  model.arrivals.kind = arrival_spec::process::renewal;
  EXPECT_TRUE(has_none(model));
  model = papers;
  model.classes[1].need = 16;
  EXPECT_TRUE(has_none(model));
}

TEST(theory, of_fcfs_with_several_needs_is_its_chain_and_names_the_limit) {
  // M/M/1 where each job takes both cores, at load 1/2.
  scenario model = one_or_all_scenario("fcfs", 0.5, 2);
  for (class_spec& c : model.classes) c.need = 2;
  EXPECT_NEAR(value(known_answer(model), "all", "response_time"), 2.0, 1e-12);
  EXPECT_NEAR(value(known_answer(model), "b", "waiting_time"), 1.0, 1e-12);
  EXPECT_NEAR(value(known_answer(model), "all", "utilization"), 0.5, 1e-12);
  const theory stable = known_answer(one_or_all_scenario("fcfs", 3.0));
  EXPECT_TRUE(says(stable, "exact"));
  EXPECT_GT(value(stable, "b", "response_time"), value(stable, "a", "response_time"));
  EXPECT_TRUE(says(known_answer(one_or_all_scenario("fcfs", 3.1)), "the limit of FCFS is at rate 3.02609"));
}

TEST(theory, of_rigid_jobs_otherwise_is_not_known) {
  scenario model = fcfs(2, 2.0);
  model.costs.set_up = 0.1;
  EXPECT_TRUE(known_answer(model).values.empty());
  model = fcfs(2, 2.0);
  model.policy.name = "msf";
  EXPECT_TRUE(known_answer(model).values.empty());
  EXPECT_TRUE(says(known_answer(model), "no answer"));
}

}  // namespace
}  // namespace muster
