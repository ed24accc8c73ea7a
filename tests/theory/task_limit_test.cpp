#include "platform/theory/stability/task_limit.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "platform/scenario/scenario_file.h"
#include "platform/theory/stability/server_mixes.h"
#include "platform/theory/stability/stability.h"

// Limits of jobs of tasks, held against numbers by hand, and against the dual of the linear program, which for two
// classes is a search along one price.

namespace muster {
namespace {

scenario cluster_of_tasks(const std::string& servers, const std::string& classes,
                          const std::string& policy = "first_fit") {
  return read_study(
             "name = \"s\"\n[platform.resources]\ngpu = { kind = \"devices\", shares = 1000 }\n"
             "memory = { kind = \"amount\" }\nlicence = { kind = \"amount\", of = \"cluster\", amount = 10 }\n"
             "[platform]\nservers = [" +
                 servers + "]\n" + classes + "[policy]\nname = \"" + policy + "\"\n",
             "test", {})
      .points.front()
      .model;
}

std::string a_class_of_tasks(const std::string& name, const std::string& per_task, const std::string& rate,
                             const std::string& more = "") {
  return "[[classes]]\nname = \"" + name + "\"\nper_task = { " + per_task + " }\nrate = " + rate +
         "\nsize = { distribution = \"exponential\", mean = 1.0 }\n" + more + "\n";
}

task_limit limit_of(const scenario& model) { return limit_of_tasks(model, demands_of(model)); }

// A server holds two tasks of a, one of each, or two of b: two tasks, whatever the mix.
const std::string two_servers = R"({ name = "n", count = 2, cores = 4, resources = { memory = 10 } })";
const std::string two_classes =
    a_class_of_tasks("a", "cores = 1, memory = 5", "1.0") + a_class_of_tasks("b", "cores = 2, memory = 2", "1.0");

TEST(task_limit, is_what_the_mixes_of_two_resources_carry) {
  const task_limit limit = limit_of(cluster_of_tasks(two_servers, two_classes));
  EXPECT_NEAR(limit.factor, 2.0, 1e-12) << "the loads alone would allow 8 / 3";
  EXPECT_TRUE(limit.exact);
}

TEST(task_limit, of_unlike_servers_is_that_of_the_dual) {
  const task_limit two = limit_of(cluster_of_tasks(
      R"({ name = "x", cores = 8, resources = { memory = 16 } },
                                   { name = "y", cores = 4, resources = { memory = 32 } })",
      a_class_of_tasks("a", "cores = 1, memory = 6", "2.0") + a_class_of_tasks("b", "cores = 3, memory = 2", "1.0")));
  EXPECT_NEAR(two.factor, 12.0 / 5.0, 1e-12);
  EXPECT_TRUE(two.exact);
  const task_limit five = limit_of(cluster_of_tasks(
      R"({ name = "x", count = 3, cores = 16, resources = { memory = 24 } },
                                   { name = "y", count = 2, cores = 8, resources = { memory = 64 } })",
      a_class_of_tasks("a", "cores = 2, memory = 7", "3.0") + a_class_of_tasks("b", "cores = 3, memory = 4", "2.0")));
  EXPECT_NEAR(five.factor, 17.0 / 4.0, 1e-12);
}

TEST(task_limit, counts_servers_that_a_class_may_not_use_and_the_speed_of_others) {
  const std::string servers = R"({ name = "x", cores = 4, capacity = 2.0 }, { name = "y", cores = 8 })";
  EXPECT_NEAR(limit_of(cluster_of_tasks(servers, a_class_of_tasks("a", "cores = 3", "1.0"))).factor, 4.0, 1e-12)
      << "one task at speed 2 and two at speed 1";
  const task_limit on_x =
      limit_of(cluster_of_tasks(servers, a_class_of_tasks("a", "cores = 3", "1.0", "servers = [\"x\"]")));
  EXPECT_NEAR(on_x.factor, 2.0, 1e-12);
  EXPECT_FALSE(on_x.exact) << "of servers of several speeds a bound";
}

// Each of two GPUs holds one task of 0.6, and beside it one of 0.4 but none of 0.5.
TEST(task_limit, packs_parts_of_devices) {
  const std::string server = R"({ name = "n", cores = 16, resources = { gpu = 2 } })";
  const std::string most = a_class_of_tasks("most", "gpu = 0.6", "1.0");
  EXPECT_NEAR(limit_of(cluster_of_tasks(server, most)).factor, 2.0, 1e-12);
  EXPECT_NEAR(limit_of(cluster_of_tasks(server, most + a_class_of_tasks("less", "gpu = 0.4", "1.0"))).factor, 2.0,
              1e-12);
  // A task of the first class takes the time of a device, one of the other half of it.
  EXPECT_NEAR(limit_of(cluster_of_tasks(server, most + a_class_of_tasks("half", "gpu = 0.5", "1.0"))).factor, 4.0 / 3.0,
              1e-12);
}

TEST(task_limit, gives_exclusive_jobs_servers_as_a_whole) {
  const std::string shared = a_class_of_tasks("shared", "cores = 1", "4.0");
  EXPECT_NEAR(limit_of(cluster_of_tasks(two_servers, shared)).factor, 2.0, 1e-12);
  // Per server and unit of time: 4 s tasks at 4 at a time, and s alone.
  EXPECT_NEAR(limit_of(cluster_of_tasks(two_servers,
                                        shared + a_class_of_tasks("whole", "cores = 1", "1.0", "exclusive = true")))
                  .factor,
              1.0, 1e-12);
}

TEST(task_limit, of_jobs_of_several_tasks_or_with_needs_of_the_cluster_is_a_bound) {
  const task_limit gang =
      limit_of(cluster_of_tasks(two_servers, a_class_of_tasks("a", "cores = 3", "1.0", "tasks = 2")));
  EXPECT_NEAR(gang.factor, 1.0, 1e-12);
  EXPECT_FALSE(gang.exact);
  EXPECT_FALSE(
      limit_of(cluster_of_tasks(two_servers, a_class_of_tasks("a", "cores = 3", "1.0", "per_job = { licence = 1 }")))
          .exact);
}

// Some thousand mixes of small tasks fit. Tasks of 51 and of 60 exclude each other, though each has room for half of
// the next: a measure that rounds up to the half knows that.
TEST(task_limit, is_a_bound_that_rounds_needs_where_the_mixes_of_a_server_are_too_many) {
  const std::string server = R"({ name = "n", cores = 64, resources = { memory = 100 } })";
  const std::string small =
      a_class_of_tasks("s", "cores = 1, memory = 1", "1e-6") + a_class_of_tasks("t", "cores = 2, memory = 1", "1e-6") +
      a_class_of_tasks("u", "cores = 1, memory = 2", "1e-6") + a_class_of_tasks("v", "cores = 3, memory = 5", "1e-6");
  const task_limit limit =
      limit_of(cluster_of_tasks(server, a_class_of_tasks("x", "cores = 1, memory = 51", "1.0") +
                                            a_class_of_tasks("y", "cores = 1, memory = 60", "1.0") + small));
  EXPECT_FALSE(limit.exact);
  EXPECT_NEAR(limit.factor, 0.5, 1e-4);
}

TEST(server_room, lists_the_mixes_without_room_for_more) {
  const scenario model = cluster_of_tasks(two_servers, two_classes);
  const server_room room(model.resources.types, model.servers.front().resources,
                         {&*model.classes[0].tasks, &*model.classes[1].tasks, nullptr});
  auto mixes = room.maximal_mixes(3).value();
  std::sort(mixes.begin(), mixes.end());
  EXPECT_EQ(mixes, (std::vector<task_mix>{{0, 2, 0}, {1, 1, 0}, {2, 0, 0}}));
  EXPECT_FALSE(room.maximal_mixes(2));
  EXPECT_EQ(room.alone(), (task_mix{2, 2, 0}));
}

TEST(server_room, has_measures_that_no_mix_exceeds) {
  const scenario model = cluster_of_tasks(R"({ name = "n", cores = 12, resources = { memory = 100, gpu = 3 } })",
                                          a_class_of_tasks("a", "cores = 2, memory = 34, gpu = 0.6", "1.0") +
                                              a_class_of_tasks("b", "cores = 1, memory = 7, gpu = 0.35", "1.0") +
                                              a_class_of_tasks("c", "cores = 3, memory = 21, gpu = 1", "1.0") +
                                              a_class_of_tasks("d", "cores = 5, memory = 50", "1.0"));
  std::vector<const task_need*> needs;
  for (const class_spec& c : model.classes) needs.push_back(&*c.tasks);
  const server_room room(model.resources.types, model.servers.front().resources, needs);
  const auto mixes = room.maximal_mixes(500).value();
  ASSERT_GT(mixes.size(), 5u);
  double largest = 0.0;
  for (const std::vector<double>& measure : room.measures())
    for (const task_mix& mix : mixes) {
      double sum = 0.0;
      for (std::size_t c = 0; c < mix.size(); ++c) sum += mix[c] * measure[c];
      EXPECT_LE(sum, 1.0 + 1e-12);
      largest = std::max(largest, sum);
    }
  EXPECT_NEAR(largest, 1.0, 1e-12);
}

const std::string one_server = R"({ name = "n", cores = 4, resources = { memory = 10, gpu = 2 } })";
const std::string half_as_many =
    a_class_of_tasks("a", "cores = 1, memory = 5", "0.5") + a_class_of_tasks("b", "cores = 2, memory = 2", "0.5");

stability under_max_weight(scenario model) {
  model.policy.name = "max_weight";
  return examine_stability(model);
}

TEST(stability_of_tasks, of_greedy_policies_is_not_claimed_below_the_best_mix) {
  const stability found = examine_stability(cluster_of_tasks(two_servers, two_classes));
  EXPECT_FALSE(found.policy_rate);
  EXPECT_NEAR(found.unstable_from, 4.0, 1e-12);
  EXPECT_EQ(limit_text(found), "<= 4");
  EXPECT_EQ(found.answer, stability::verdict::unknown);
  EXPECT_EQ(found.condition,
            "not known where jobs need tasks, or resources beside cores; the best mix of tasks that fit on each server "
            "is necessary (linear program)");
}

TEST(stability_of_tasks, of_max_weight_on_one_server_is_that_of_the_best_mix) {
  const stability found = under_max_weight(cluster_of_tasks(one_server, half_as_many));
  EXPECT_TRUE(found.policy_rate_is_exact());
  EXPECT_NEAR(*found.policy_rate, 2.0, 1e-12);
  EXPECT_EQ(found.answer, stability::verdict::stable);
}

TEST(stability_of_tasks, of_max_weight_is_not_claimed_where_it_may_not_find_room_for_a_mix) {
  EXPECT_FALSE(under_max_weight(cluster_of_tasks(two_servers, two_classes)).policy_rate);
  EXPECT_FALSE(
      under_max_weight(cluster_of_tasks(one_server, half_as_many + a_class_of_tasks("part", "gpu = 0.6", "0.1")))
          .policy_rate);
}

TEST(stability_of_tasks, of_max_weight_is_not_claimed_where_preemption_costs_time) {
  scenario model = cluster_of_tasks(one_server, half_as_many);
  model.costs.save = 0.1;
  EXPECT_FALSE(under_max_weight(model).policy_rate);
}

}  // namespace
}  // namespace muster
