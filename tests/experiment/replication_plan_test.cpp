#include "platform/experiment/replication_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "platform/inference/paired_differences.h"
#include "platform/model/study_families.h"
#include "tests/experiment/single_class.h"

namespace muster {
namespace {

study of(const std::vector<scenario>& points) {
  study s;
  for (const scenario& model : points) s.points.push_back({model, {}});
  return s;
}

std::vector<std::pair<std::size_t, std::uint32_t>> all_of(replication_plan& plan) {
  std::vector<std::pair<std::size_t, std::uint32_t>> tasks;
  for (auto number = plan.next(); number; number = plan.next())
    tasks.emplace_back(plan.task(*number).point, plan.task(*number).replication);
  return tasks;
}

TEST(replication_plan, begins_with_the_costliest_point_and_keeps_points_together) {
  replication_plan plan(
      of({single_class(1, 0.5, "jobs = 100\nreplications = 2"), single_class(1, 0.9, "jobs = 100\nreplications = 2"),
          single_class(1, 0.5, "jobs = 900\nreplications = 2")}));
  EXPECT_EQ(all_of(plan),
            (std::vector<std::pair<std::size_t, std::uint32_t>>{{2, 0}, {2, 1}, {1, 0}, {1, 1}, {0, 0}, {0, 1}}));
}

TEST(replication_plan, leaves_out_what_is_there_already) {
  replication_plan plan(of({single_class(1, 0.5, "jobs = 100\nreplications = 4")}));
  for (const std::uint32_t r : {0u, 2u, 7u}) plan.add(0, r, {});
  EXPECT_EQ(all_of(plan), (std::vector<std::pair<std::size_t, std::uint32_t>>{{0, 1}, {0, 3}}));
  EXPECT_FALSE(plan.is_finished(0));
  plan.add(0, 3, {});
  EXPECT_EQ(plan.counted(0), 1u);
  plan.add(0, 1, {});
  EXPECT_TRUE(plan.is_finished(0));
  EXPECT_EQ(plan.counted(0), 4u);
  EXPECT_EQ(plan.jobs_left(), 0.0);
}

TEST(replication_plan, counts_the_same_replications_whatever_the_order_in_which_they_finish) {
  const study s = of({single_class(1, 0.5, "jobs = 100\nprecision = 0.05")});
  const auto value = [](std::uint32_t r) { return with_response_time(10.0 + (r * 7 % 5)); };
  std::set<std::uint32_t> counts;
  for (const int backwards : {0, 1}) {
    replication_plan plan(s);
    for (auto tasks = all_of(plan); !tasks.empty(); tasks = all_of(plan)) {
      if (backwards) std::reverse(tasks.begin(), tasks.end());
      for (const auto& [point, r] : tasks) plan.add(point, r, value(r));
    }
    EXPECT_TRUE(plan.is_finished(0));
    EXPECT_TRUE(plan.last_look(0).reached);
    counts.insert(plan.counted(0));
  }
  EXPECT_EQ(counts.size(), 1u);
  EXPECT_GT(*counts.begin(), 10u);
}

// Two rates under each of three policies.
study comparison(const std::string& run) {
  return read_study(R"(name = "s"
platform.servers = [{ name = "node", cores = 2 }]
classes = [{ name = "a", need = 1, share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
arrivals.rate = 0.5
policy = "fcfs"
run = { jobs = 100, )" + run +
                        R"( }
[sweep]
"policy" = ["fcfs", "first_fit", "msf"]
"arrivals.rate" = [0.5, 0.6]
)",
                    "test", {});
}

// Values with a relative half-width that falls below 2 % at so many replications: the t quantile is taken as 2.
replication_result scattered(std::uint32_t r, double replications) {
  return with_response_time(100.0 + (r % 2 ? 1.0 : -1.0) * std::sqrt(replications));
}

// @param needed replications of each point
std::vector<std::uint32_t> counted(replication_plan& plan, const std::vector<double>& needed, bool backwards) {
  for (auto tasks = all_of(plan); !tasks.empty(); tasks = all_of(plan)) {
    if (backwards) std::reverse(tasks.begin(), tasks.end());
    for (const auto& [point, r] : tasks) plan.add(point, r, scattered(r, needed[point]));
  }
  std::vector<std::uint32_t> counts;
  for (std::size_t p = 0; p < needed.size(); ++p) {
    EXPECT_TRUE(plan.is_finished(p));
    counts.push_back(plan.counted(p));
  }
  return counts;
}

TEST(replication_plan, gives_policies_of_a_comparison_as_many_replications_as_the_last_of_them_takes) {
  // Points: rate 0.5 and 0.6 under fcfs, then under first_fit, then under msf.
  const std::vector<double> needed{1, 1, 60, 1, 20, 30};
  const std::vector<double> alone_at_05{60, 1, 60, 1, 60, 1}, alone_at_06{1, 30, 1, 30, 1, 30};
  const study s = comparison("precision = 0.02");
  replication_plan forwards(s), backwards(s), slowest_at_05(s), slowest_at_06(s);
  const auto counts = counted(forwards, needed, false);
  const std::uint32_t first = counted(slowest_at_05, alone_at_05, false)[0];
  const std::uint32_t second = counted(slowest_at_06, alone_at_06, false)[1];
  EXPECT_GT(first, second);
  EXPECT_GT(second, 10u);
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{first, second, first, second, first, second}));
  EXPECT_EQ(counted(backwards, needed, true), counts);
  EXPECT_EQ(forwards.finished_points(), 6u);
  EXPECT_EQ(forwards.jobs_left(), 0.0);
  for (std::size_t p = 0; p < 6; ++p) EXPECT_TRUE(forwards.last_look(p).reached) << p;
}

TEST(replication_plan, ends_a_comparison_together_where_one_of_it_stays_imprecise) {
  replication_plan plan(comparison("precision = 0.02, most_replications = 14"));
  EXPECT_EQ(counted(plan, {1000, 1, 1, 1, 1, 1}, false), (std::vector<std::uint32_t>{14, 10, 14, 10, 14, 10}));
  EXPECT_FALSE(plan.last_look(0).reached);
  EXPECT_TRUE(plan.last_look(2).reached);
}

TEST(replication_plan, only_policies_that_are_undecided_go_on_where_they_are_to_be_told_apart) {
  // At rate 0.5 fcfs and msf differ by 0.1 and vary by 1, each by itself; first_fit lies far from both. At rate 0.6 all
  // three vary together.
  const double alone[] = {0.9, 0.0, 0.0}, means[] = {100.0, 200.0, 100.1};
  const study s = comparison("equal_within = 0.01, most_replications = 100");
  std::vector<std::uint32_t> counts;
  for (const bool backwards : {false, true}) {
    replication_plan plan(s);
    EXPECT_GT(plan.jobs_left(), 0.0);
    for (auto tasks = all_of(plan); !tasks.empty(); tasks = all_of(plan)) {
      if (backwards) std::reverse(tasks.begin(), tasks.end());
      for (const auto& [point, r] : tasks) {
        const std::size_t policy = point / 2;
        const double together = r % 3 - 1.0;
        const double by_itself = point % 2 == 0 ? 2.0 * alone[policy] * (r % 2 ? 1.0 : -1.0) : 0.0;
        plan.add(point, r, with_response_time(means[policy] + together + by_itself));
      }
    }
    std::vector<std::uint32_t> of_points;
    for (std::size_t p = 0; p < 6; ++p) {
      EXPECT_TRUE(plan.is_finished(p)) << p;
      of_points.push_back(plan.counted(p));
    }
    if (backwards) {
      EXPECT_EQ(of_points, counts);
    }
    counts = of_points;
  }
  EXPECT_EQ(counts[2], 10u) << "first_fit is told apart at the first look";
  EXPECT_GT(counts[0], 10u);
  EXPECT_LT(counts[0], 100u) << "equal within 1 % is enough";
  EXPECT_EQ(counts[4], counts[0]);
  EXPECT_EQ((std::vector<std::uint32_t>{counts[1], counts[3], counts[5]}), (std::vector<std::uint32_t>{10, 10, 10}));
}

TEST(replication_plan, policies_that_stay_undecided_end_at_the_most_replications) {
  replication_plan plan(comparison("equal_within = 0.0001, most_replications = 14"));
  for (auto tasks = all_of(plan); !tasks.empty(); tasks = all_of(plan))
    for (const auto& [point, r] : tasks)
      plan.add(point, r, with_response_time(100.0 + (point < 2 ? 1.0 : -1.0) * (r % 2 ? 1.0 : -1.0)));
  std::vector<std::uint32_t> counts;
  for (std::size_t p = 0; p < 6; ++p) counts.push_back(plan.counted(p));
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{14, 14, 14, 14, 14, 14}));
}

TEST(replication_plan, without_a_precision_points_do_not_wait_for_each_other) {
  replication_plan plan(comparison("replications = 2"));
  for (const std::uint32_t r : {0u, 1u}) plan.add(3, r, {});
  EXPECT_TRUE(plan.is_finished(3));
  EXPECT_EQ(plan.finished_points(), 1u);
}

TEST(replication_plan, points_that_are_unstable_are_not_waited_for) {
  const study s = read_study(R"(name = "s"
platform.servers = [{ name = "node", cores = 2 }]
classes = [{ name = "a", need = 1, share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
arrivals.rate = 2.5
policy = "fcfs"
run = { jobs = 100, precision = 0.01 }
sweep.policy = ["fcfs", "first_fit"]
)",
                             "test", {});
  replication_plan plan(s);
  EXPECT_EQ(counted(plan, {1000, 1000}, false), (std::vector<std::uint32_t>{10, 10}));
}

// One core or both, half and half, at rate 1.2. Under fcfs a heavy job comes after 0, 1, .. light ones with probability
// 1/2, 1/4, ..; they take 0, 1, 3/2, 4/2, .. on both cores, 3/4 in the mean, and the heavy one takes 1: no rate above
// 2 / (7/4) = 8/7 is stable. Under the others it takes 4/3 to keep both cores busy.
TEST(replication_plan, policy_that_is_unstable_stands_by_itself_in_a_comparison_of_others) {
  const study s = read_study(R"(name = "s"
platform.servers = [{ name = "node", cores = 2 }]
classes = [
  { name = "light", need = 1, share = 0.5, size = { distribution = "exponential", mean = 1.0 } },
  { name = "heavy", need = 2, share = 0.5, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.rate = 1.2
policy = "fcfs"
run = { jobs = 10000, precision = 0.02 }
sweep.policy = ["fcfs", "msf", "first_fit"]
)",
                             "test", {});
  replication_plan forwards(s), backwards(s);
  EXPECT_TRUE(forwards.rule(0).hopeless());
  const auto counts = counted(forwards, {1000, 60, 1}, false);
  EXPECT_EQ(counts[0], 10u);
  EXPECT_GT(counts[1], 10u);
  EXPECT_EQ(counts[2], counts[1]);
  EXPECT_EQ(counted(backwards, {1000, 60, 1}, true), counts);
  EXPECT_EQ(forwards.finished_points(), 3u);
}

TEST(replication_plan, keeps_the_points_of_a_comparison_together) {
  replication_plan plan(comparison("precision = 0.02"));
  std::vector<std::size_t> order;
  for (const auto& [point, r] : all_of(plan))
    if (order.empty() || order.back() != point) order.push_back(point);
  EXPECT_EQ(order, (std::vector<std::size_t>{1, 3, 5, 0, 2, 4}));
}

TEST(replication_plan, runs_a_pilot_before_all_others_where_it_tells_the_warm_up) {
  replication_plan plan(of({single_class(1, 0.5, "jobs = 100\nreplications = 2\nwarm_up = \"mser5\"")}));
  const auto pilot = plan.next();
  ASSERT_TRUE(pilot.has_value());
  EXPECT_TRUE(plan.task(*pilot).pilot);
  EXPECT_FALSE(plan.next().has_value());
  plan.add_pilot(0);
  EXPECT_EQ(all_of(plan).size(), 2u);
}

TEST(paired_differences, of_replications_in_common_and_of_what_both_measure) {
  const auto with = [](double value) {
    replication_result r;
    r.measurements.push_back({"all", "response_time", true, value, 10, {}});
    r.measurements.push_back({"phase_1", "phase_share", true, value, 10, {}});
    return r;
  };
  auto more = with(1.0);
  more.measurements.push_back({"all", "utility", true, 3.0, 10, {}});
  const std::vector<replication_result> a{more, with(5.0), with(9.0)}, b{with(0.5), with(1.5)};
  const auto found = differences(measured_point(a), measured_point(b));
  ASSERT_EQ(found.size(), 1u);  // utility is not in b
  EXPECT_EQ(found[0].metric, "response_time");
  EXPECT_DOUBLE_EQ(*found[0].mean, 2.0);
  EXPECT_EQ(found[0].replications, 2u);
}

TEST(paired_differences, hold_each_two_of_few_policies_and_the_first_of_many) {
  EXPECT_EQ(pairs_within({3, 5, 9}), (std::vector<std::pair<std::size_t, std::size_t>>{{3, 5}, {3, 9}, {5, 9}}));
  const std::vector<std::size_t> many(41, 1);
  EXPECT_EQ(pairs_within(many).size(), 40u);
}

TEST(paired_differences, families_differ_in_the_policy_alone) {
  const study s = read_study(R"(name = "s"
platform.servers = [{ name = "node", cores = 2 }]
classes = [{ name = "a", need = 1, share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
arrivals.rate = 0.5
policy = "fcfs"
[sweep]
"policy" = ["fcfs", "first_fit"]
"arrivals.rate" = [0.5, 0.6]
)",
                             "test", {});
  EXPECT_EQ(families_of_policies(s), (std::vector<std::vector<std::size_t>>{{0, 2}, {1, 3}}));
  EXPECT_EQ(policy_of(s, 3), "first_fit");
}

}  // namespace
}  // namespace muster
