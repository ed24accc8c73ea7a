#include <algorithm>

#include <rapidcheck.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/model/class_table.h"
#include "tests/oracles/killing_queue.h"
#include "tests/oracles/preemptive_rules.h"
#include "tests/scenario/first_point.h"
#include "tests/simulation/job_by_job.h"

// Rigid jobs that are preempted, or killed, in the simulator against loops and policies' rules written anew: the same
// jobs must lead to the same completions, preemptions and migrations, job by job and to the last tick.

namespace muster {
namespace {

constexpr int jobs = 300;

std::string line_of(std::uint64_t job, ticks completion, std::uint64_t preemptions, std::uint64_t migrations) {
  return fmt::format("job {} at {} after {} preemptions and {} migrations", job, completion, preemptions, migrations);
}

/// What a loop written anew is given: the scenario in ticks.
struct loop_input {
  std::vector<oracle::preemptive_job> jobs;
  std::vector<oracle::preemptive_class> classes;
  std::vector<oracle::preemptive_servers> servers;
  oracle::preemption_costs costs;
  std::vector<double> mean_sizes;  ///< by class
};

loop_input in_ticks(const scenario& model) {
  loop_input all;
  for (const server_spec& entry : model.servers) all.servers.push_back({entry.count, entry.cores, entry.capacity});
  for (const std::size_t c : by_descending_need(model)) {
    all.classes.push_back({model.classes[c].need, static_cast<std::uint64_t>(model.classes[c].state)});
    all.mean_sizes.push_back(model.classes[c].size.mean() * static_cast<double>(model.unit.to_ticks(1.0)));
  }
  first_jobs workload(model, 0, jobs);
  for (job_request next; workload.next(next);)
    all.jobs.push_back({next.arrival, next.size, static_cast<std::size_t>(next.type)});
  const auto ticks_of = [&](double units) { return model.unit.to_ticks(units); };
  all.costs.dispatch_latency = ticks_of(model.costs.dispatch_latency);
  all.costs.set_up = ticks_of(model.costs.set_up);
  all.costs.restore = ticks_of(model.costs.restore);
  all.costs.migration = ticks_of(model.costs.migration);
  all.costs.save = ticks_of(model.costs.save);
  if (model.costs.bandwidth) all.costs.ticks_per_byte = static_cast<double>(ticks_of(1.0)) / *model.costs.bandwidth;
  return all;
}

/// A policy as a scenario has it, and its loop.
struct written_anew {
  std::string policy;
  std::function<std::vector<oracle::preemptive_outcome>(const loop_input&)> serve;
};

written_anew preempting(const std::string& policy,
                        const std::function<oracle::preemptive_rule(const std::vector<std::uint32_t>& needs)>& rule) {
  return {policy, [rule](const loop_input& all) {
            std::vector<std::uint32_t> needs;
            for (const oracle::preemptive_class& c : all.classes) needs.push_back(c.need);
            return serve_preemptively(all.jobs, all.classes, all.servers, all.costs, rule(needs));
          }};
}

written_anew killing(double budget, double growth) {
  return {fmt::format("name = \"kill_restart\"\nbudget = {}\ngrowth = {}\n", budget, growth),
          [=](const loop_input& all) {
            oracle::kill_budgets budgets{all.mean_sizes, growth};
            for (double& ticks_of_class : budgets.first) ticks_of_class *= budget;
            return serve_and_kill(all.jobs, all.classes, all.servers, all.costs, budgets);
          }};
}

struct choices {
  std::vector<double> capacities;
  std::vector<std::string> costs, sizes, processes;
  std::vector<double> loads;
};

std::string random_scenario(const choices& from, const std::string& policy) {
  std::string text = "name = \"random\"\n[platform]\nservers = [";
  const int entries = *rc::gen::inRange(1, 4);
  int cores = 0;
  for (int e = 0; e < entries; ++e) {
    const int count = *rc::gen::inRange(1, 4), each = *rc::gen::inRange(1, 5);
    cores += count * each;
    text += fmt::format("{{ name = \"s{}\", count = {}, cores = {}, capacity = {} }}, ", e, count, each,
                        *rc::gen::elementOf(from.capacities));
  }
  text += "]\n" + *rc::gen::elementOf(from.costs);
  const int classes = *rc::gen::inRange(2, 5);
  for (int c = 0; c < classes; ++c)
    text += fmt::format("[[classes]]\nname = \"c{}\"\nneed = {}\nshare = {}\nstate = {}\nsize = {{ {} }}\n", c,
                        *rc::gen::inRange(1, cores + 1), 1.0 / classes, *rc::gen::inRange(0, 4),
                        *rc::gen::elementOf(from.sizes));
  return text + fmt::format("[run]\njobs = {}\n[arrivals]\nprocess = \"{}\"\nload = {}\n[policy]\n{}", jobs,
                            *rc::gen::elementOf(from.processes), *rc::gen::elementOf(from.loads), policy);
}

void expect_agreement(const choices& from, const std::vector<written_anew>& policies) {
  ASSERT_TRUE(rc::check([&] {
    const written_anew& policy = policies[*rc::gen::inRange<std::size_t>(0, policies.size())];
    const std::string text = random_scenario(from, policy.policy);
    RC_LOG() << text;
    scenario point = first_point(text);
    const ticks quantum = *rc::gen::element<ticks>(0, 1'000'000, end_of_clock);
    for (point.run.seed = 1; point.run.seed <= 3; ++point.run.seed) {
      const auto told = [](ticks now, const job_extension& j) {
        return line_of(j.id, now, j.preemptions, j.migrations);
      };
      lines expected;
      for (const oracle::preemptive_outcome& o : policy.serve(in_ticks(point)))
        expected.push_back(line_of(expected.size(), o.completion, o.preemptions, o.migrations));
      const lines found = through_the_simulator(point, jobs, told, quantum, point.run.seed == 2);
      if (found != expected) RC_FAIL(fmt::format("seed {}: {}", point.run.seed, first_difference(found, expected)));
    }
  }));
}

const std::vector<std::string> random_sizes{R"(distribution = "exponential", mean = 1.0)",
                                            R"(distribution = "uniform", low = 0.5, high = 1.5)",
                                            R"(distribution = "hyperexponential", mean = 1.0, scv = 4.0)"};

struct policy_under_test {
  const char* name;
  std::vector<written_anew> readings;
};

void PrintTo(const policy_under_test& policy, std::ostream* out) { *out << policy.name; }

class preemption : public testing::TestWithParam<policy_under_test> {};

TEST_P(preemption, that_costs_nothing_lets_jobs_complete_at_the_tick_of_the_loop) {
  expect_agreement({{0.7, 1.0, 1.0, 3.0}, {""}, random_sizes, {"poisson", "deterministic"}, {0.5, 0.9, 1.2}},
                   GetParam().readings);
}

TEST_P(preemption, with_every_cost_lets_jobs_complete_at_the_tick_of_the_loop) {
  expect_agreement({{0.7, 1.0, 1.0, 3.0},
                    {"costs = { save = 0.3 }\n", "costs = { restore = 0.2, migration = 0.1, bandwidth = 7.0 }\n",
                     "costs = { dispatch_latency = 0.01, set_up = 0.05, save = 0.1, restore = 0.2, migration = 0.3 }\n",
                     "costs = { set_up = 0.5, save = 1.0, restore = 0.1, migration = 0.4, bandwidth = 3.0 }\n"},
                    random_sizes,
                    {"poisson", "deterministic"},
                    {0.3, 0.6, 0.9}},
                   GetParam().readings);
}

TEST_P(preemption, lets_jobs_complete_as_in_the_loop_where_most_events_come_together) {
  expect_agreement(
      {{0.5, 1.0, 2.0},
       {"", "costs = { save = 0.5 }\n", "costs = { save = 0.25, restore = 0.25, migration = 0.25 }\n",
        "costs = { dispatch_latency = 0.25, set_up = 0.25, save = 0.5, restore = 0.5, bandwidth = 4.0 }\n"},
       {R"(distribution = "deterministic", value = 1.0)", R"(distribution = "deterministic", value = 2.0)",
        R"(distribution = "deterministic", value = 0.5)"},
       {"deterministic"},
       {0.5, 0.75, 1.0}},
      GetParam().readings);
}

TEST_P(preemption, of_jobs_of_very_few_ticks_lets_them_complete_as_in_the_loop) {
  expect_agreement(
      {{1.0, 3.0, 7.0, 0.375},
       {"", "costs = { save = 2e-9 }\n",
        "costs = { dispatch_latency = 1e-9, set_up = 2e-9, save = 3e-9, restore = 1e-9, migration = 5e-9 }\n",
        "costs = { save = 1e-9, restore = 3e-9, bandwidth = 3e8 }\n"},
       {R"(distribution = "exponential", mean = 60e-9)", R"(distribution = "deterministic", value = 45e-9)"},
       {"poisson", "deterministic"},
       {0.5, 0.9}},
      GetParam().readings);
}

written_anew server_filling(bool until_misfit) {
  return preempting(
      fmt::format("name = \"server_filling\"\nfill = \"{}\"\n", until_misfit ? "until_misfit" : "on_past_misfits"),
      [=](const auto&) { return oracle::server_filling_rule(until_misfit); });
}

const policy_under_test all_policies[] = {
    {"server_filling", {server_filling(false), server_filling(true)}},
    {"divisor_filling",
     {preempting("name = \"divisor_filling\"\n", [](const auto&) { return oracle::divisor_filling_rule(); })}},
    {"max_weight", {preempting("name = \"max_weight\"\n", oracle::max_weight_rule)}},
    {"server_filling_srpt",
     {preempting("name = \"server_filling_srpt\"\n", [](const auto&) { return oracle::server_filling_srpt_rule(); })}},
    {"last_come_first_served",
     {preempting("name = \"last_come_first_served\"\n",
                 [](const auto&) { return oracle::last_come_first_served_rule(); })}},
    {"kill_restart", {killing(1.0, 2.0), killing(0.5, 1.5), killing(0.25, 3.0)}},
};

INSTANTIATE_TEST_SUITE_P(of, preemption, testing::ValuesIn(all_policies),
                         [](const auto& policy) { return std::string{policy.param.name}; });

}  // namespace
}  // namespace muster
