#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/modules/plain_policies.h"
#include "tests/modules/plain_preemption.h"
#include "tests/modules/random_tasks.h"
#include "tests/policies/policy_timeline.h"

// Policies where tasks count, with the allocator that places jobs, against plain rules that scan all jobs, servers and
// devices: which job starts when on which servers and devices, on random clusters with two to four resources, whose
// servers fail.

namespace muster {
namespace {

using plain::random_case;

std::string first_difference(const std::vector<std::string>& found, const std::vector<std::string>& expected) {
  const auto [f, e] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  if (f == found.end() && e == expected.end()) return "";
  return (f == found.end() ? "nothing" : *f) + ", expected " + (e == expected.end() ? "nothing" : *e);
}

/// What a test says of a policy.
struct comparison {
  std::string_view policy;
  policy_timeline::changes settings{};
  std::string_view rule{};    ///< of placement; empty: each in turn
  std::size_t schedules = 0;  ///< the clusters have fewer; 0: any number
};

/// The rules of placement that a cluster without a network can have.
std::vector<std::string_view> rules_without_racks() {
  std::vector<std::string_view> names;
  for (const placement_entry* rule : placement_catalogue())
    if (!rule->needs_racks) names.push_back(rule->name);
  return names;
}

/// Runs a policy on random clusters. @param plain_rule makes the plain rule of a case, by its any_server and stream
template <class PlainRule>
void compare(const comparison& what, const PlainRule& plain_rule) {
  unsigned preemptions = 0, interruptions = 0;
  const std::vector<std::string_view> rules = rules_without_racks();
  for (unsigned round = 0; round < plain::clusters; ++round) {
    random_case both(round + 1, what.schedules);
    const std::string_view rule = what.rule.empty() ? rules[round % rules.size()] : what.rule;
    both.idle.rule = rule;
    seeded_numbers random(round), of_places(round + 1'000), same(round), same_of_places(round + 1'000);
    policy_timeline under_test(both.platform, both.all, what.policy, what.settings, rule, random, of_places);
    plain::any_server any(both.idle, same_of_places);
    auto expected = plain_rule(both, rule == "random" ? &any : nullptr, same);
    const auto history = under_test.run();
    ASSERT_EQ(first_difference(history, expected->run()), "") << rule << ", round " << round;
    ASSERT_GE(history.size(), 2 * both.all.jobs.size()) << rule << ", round " << round;
    preemptions += under_test.preemptions();
    interruptions += under_test.interruptions();
  }
  EXPECT_EQ(preemptions > plain::clusters, find_policy(what.policy)->preempts);
  EXPECT_GT(interruptions, plain::clusters);
}

TEST(task_policies, adaptive_quickswap_starts_the_jobs_that_a_plain_rule_starts_where_it_places_them) {
  compare({"adaptive_quickswap"}, [](const random_case& c, plain::any_server* any, random_numbers&) {
    return std::make_unique<plain::plain_quickswap>(c.idle, c.all, any);
  });
}

TEST(task_policies, dominant_resource_fairness_starts_the_jobs_that_a_plain_rule_starts_where_it_places_them) {
  compare({"dominant_resource_fairness"}, [](const random_case& c, plain::any_server* any, random_numbers&) {
    return std::make_unique<plain::plain_fairness>(c.idle, c.all, any);
  });
}

TEST(task_policies, max_weight_serves_the_schedules_of_a_plain_rule_with_costs_and_servers_that_fail) {
  plain::schedules listed;
  comparison what{"max_weight"};
  what.schedules = 400;
  compare(what, [&](const random_case& c, plain::any_server* any, random_numbers&) {
    listed = plain::schedules_of(c.idle, what.schedules);
    return std::make_unique<plain::plain_max_weight>(c.idle, c.all, any, listed);
  });
}

TEST(task_policies, kill_restart_kills_and_starts_the_jobs_that_a_plain_rule_does) {
  compare({"kill_restart", {{"budget", 0.7}, {"growth", 1.5}}},
          [](const random_case& c, plain::any_server* any, random_numbers&) {
            std::vector<double> budgets = c.mean_sizes();
            for (double& budget : budgets) budget *= 0.7;
            return std::make_unique<plain::plain_kill_restart>(c.idle, c.all, any, budgets, 1.5);
          });
}

// Two servers of one core. The first job has a budget of 10, and none waits when it ends: round 1 until 30. Its server
// fails at 25, and it begins anew on the other one in round 1, with a budget of 20, until 45. The second job then takes
// the core for 5.
TEST(task_policies, kill_restart_keeps_the_rounds_that_have_ended_when_a_server_fails) {
  task_platform platform;
  platform.groups.push_back({"node", 2, 1, 1.0, false, true, {1}});
  job_class type{"job", 1, {group_id{0}}};
  type.tasks = task_need{1, {1}};
  type.mean_size = 10.0;
  platform.classes.push_back(type);
  course all;
  all.jobs = {{0, 0, 50}, {0, 30, 5}};
  all.faults = {{0, 25, 1'000}};
  seeded_numbers none(1);
  const std::vector<std::string> expected{
      "0: job 0 starts on 0: 1", "25: job 0 starts on 1: 1", "45: job 0 is killed",  "45: job 1 starts on 1: 1",
      "50: job 1 completes",     "50: job 0 starts on 1: 1", "100: job 0 completes",
  };
  EXPECT_EQ(policy_timeline(platform, all, "kill_restart", {}, "first", none, none).run(), expected);
}

TEST(task_policies, randomized_timers_go_off_when_those_of_a_plain_rule_do_by_the_same_random_numbers) {
  for (const bool root : {true, false})
    compare({"randomized_timers", {{"rate", 1e-5}, {"weight", std::string{root ? "root_log" : "log"}}}},
            [root](const random_case& c, plain::any_server* any, random_numbers& random) {
              return std::make_unique<plain::plain_timers>(c.idle, c.all, any, 1e-5, root, random);
            });
}

TEST(task_policies, first_fit_has_its_jobs_placed_at_random_where_a_plain_rule_draws_the_same_places) {
  comparison what{"first_fit"};
  what.rule = "random";
  compare(what, [](const random_case& c, plain::any_server* any, random_numbers&) {
    return std::make_unique<plain::plain_order>(c.idle, c.all, any, false);
  });
}

TEST(task_policies, msf_starts_the_jobs_that_a_plain_rule_starts_where_it_places_them_on_servers_that_fail) {
  compare({"msf"}, [](const random_case& c, plain::any_server* any, random_numbers&) {
    return std::make_unique<plain::plain_largest_first>(c.idle, c.all, any);
  });
}

TEST(task_policies, tetris_starts_the_jobs_that_a_plain_rule_starts_where_they_align_best_on_servers_that_fail) {
  comparison what{"tetris"};
  what.rule = "dot_product";
  compare(what, [](const random_case& c, plain::any_server*, random_numbers&) {
    return std::make_unique<plain::plain_tetris>(c.idle, c.all, c.mean_sizes());
  });
}

TEST(task_policies, fcfs_starts_the_jobs_that_a_plain_rule_starts_where_it_places_them) {
  compare({"fcfs"}, [](const random_case& c, plain::any_server* any, random_numbers&) {
    return std::make_unique<plain::plain_order>(c.idle, c.all, any, true);
  });
}

}  // namespace
}  // namespace muster
