#include <gtest/gtest.h>

#include "platform/model/class_table.h"
#include "platform/model/resource_load.h"
#include "platform/model/resource_places.h"
#include "platform/theory/stability/stability.h"
#include "platform/theory/theory.h"
#include "tests/scenario/resource_sample.h"

// Resources of servers and of the cluster, and what jobs need of them.

namespace muster {
namespace {

const std::string tasks_of_train = "tasks = 3\nper_task = { cores = 16, memory = \"64 GB\", gpu = 2 }\n";

TEST(resources, are_read_in_the_order_of_the_file_behind_cores) {
  const scenario model = first_point(resource_sample);
  const std::vector<resource_type>& types = model.resources.types;
  ASSERT_EQ(types.size(), 4u);
  EXPECT_EQ(types[0].name, "cores");
  EXPECT_EQ(types[1].name, "gpu");
  EXPECT_EQ(types[1].parts, 1000u);
  EXPECT_EQ(types[2].name, "memory");
  EXPECT_EQ(types[2].parts, 0u);
  EXPECT_EQ(types[2].unit, "B");
  EXPECT_TRUE(types[3].of_cluster);
  EXPECT_EQ(model.resources.of_cluster, (amounts{0, 0, 0, 10}));
  EXPECT_EQ(model.servers[0].resources, (amounts{64, 4, 256'000'000'000, 0}));
  EXPECT_EQ(model.servers[1].resources, (amounts{32, 0, 1'000'000'000'000, 0}));
}

TEST(resources, have_prices_and_power_for_each_device_or_unit) {
  const scenario model = first_point(
      with_resources("memory = 256e9, gpu = 4 }",
                     "memory = 256e9, gpu = 4 }, power = { resources = { gpu = { idle = 20, busy = \"0.3 kW\" }, "
                     "memory = { idle = \"0.5 W/GB\" } } }") +
      "[price]\nresources = { gpu = 1.25, memory = \"0.004 / GB\", licence = 2 }\n");
  EXPECT_EQ(model.price->resources, (std::vector<double>{0.0, 1.25, 4e-12, 2.0}));
  const auto& power = model.servers[0].power.resources;
  ASSERT_EQ(power.size(), 4u);
  EXPECT_EQ(power[1].idle, 20.0);
  EXPECT_EQ(power[1].busy, 300.0);
  EXPECT_EQ(power[2].idle, 5e-10);
  EXPECT_EQ(power[2].busy, 5e-10) << "as idle";
  EXPECT_TRUE(model.servers[0].power.any());
  EXPECT_FALSE(model.servers[1].power.any());
  // 8 GPUs, 2 x 256 GB and 1 TB, 10 licences.
  EXPECT_DOUBLE_EQ(price_of_hardware(model), 8 * 1.25 + 1512 * 0.004 + 10 * 2.0);
}

TEST(resources, of_the_cluster_have_power_for_each_unit) {
  const scenario model =
      first_point(with_resources("amount = 10 }",
                                 "amount = 10, power = { idle = 0.5, busy = \"0.01 kW\" } }\n"
                                 "flash = { kind = \"amount\", unit = \"B\", of = \"cluster\", amount = \"1 "
                                 "TB\", power = { idle = \"2 W/TB\" } }") +
                  "[price]\nwatt = 1\n");
  ASSERT_EQ(model.power_of_cluster.size(), 5u);
  EXPECT_EQ(model.power_of_cluster[2].busy, 0.0);
  EXPECT_EQ(model.power_of_cluster[3].idle, 0.5);
  EXPECT_EQ(model.power_of_cluster[3].busy, 10.0);
  EXPECT_EQ(model.power_of_cluster[4].idle, 2e-12);
  EXPECT_EQ(model.power_of_cluster[4].busy, 2e-12) << "as idle";
  EXPECT_TRUE(model.draws_power());
  EXPECT_FALSE(first_point(resource_sample).draws_power());
}

// Two devices of four parts, of which a job of train holds a half of one: the share of the cluster is a quarter, and
// four such jobs have room, but two of those that hold three parts.
TEST(resources, of_the_cluster_may_be_devices) {
  const std::string text =
      replaced(with_resources("amount = 10 }",
                              "amount = 10 }\nfpga = { kind = \"devices\", of = \"cluster\", amount = 2, shares = 4, "
                              "power = { idle = 5, busy = 20 } }"),
               "licence = 2 }", "licence = 2, fpga = 0.5 }");
  const scenario model = first_point(text + "[price]\nresources = { fpga = 3.0 }\n");
  EXPECT_EQ(model.resources.types[4].parts, 4u);
  EXPECT_TRUE(model.resources.types[4].of_cluster);
  EXPECT_EQ(model.resources.of_cluster, (amounts{0, 0, 0, 10, 2}));
  EXPECT_EQ(model.power_of_cluster[4].busy, 20.0);
  EXPECT_EQ(model.classes[0].tasks->per_job, (amounts{0, 0, 0, 2, 2}));
  EXPECT_DOUBLE_EQ(price_of_hardware(model), 6.0);
  EXPECT_DOUBLE_EQ(resource_loads(model, 0.25)[4].load, 0.25 * 0.5 / 2.0);
  const auto jobs = [](const scenario& point) { return room_for(point, point.classes[0]).jobs; };
  const std::string of_cores = "tasks = 1\nper_task = { cores = 1 }\n";
  EXPECT_EQ(jobs(first_point(replaced(text, tasks_of_train, of_cores))), 4.0);
  EXPECT_EQ(jobs(first_point(replaced(replaced(text, tasks_of_train, of_cores), "fpga = 0.5 }", "fpga = 0.75 }"))),
            2.0);
  EXPECT_EQ(jobs(first_point(replaced(replaced(text, tasks_of_train, of_cores), "fpga = 0.5 }", "fpga = 2 }"))), 1.0);
  const study s = read(text), again = read(s.resolved);
  EXPECT_EQ(again.resolved, s.resolved);
  EXPECT_EQ(again.points[0].model.resources.of_cluster, (amounts{0, 0, 0, 10, 2}));
}

TEST(resources, that_no_job_needs_change_nothing) {
  const scenario with_tasks = first_point(resource_sample);
  const scenario plain =
      first_point(replaced(with_resources(tasks_of_train, "need = 3\n"), "per_job = { licence = 2 }\n", ""));
  EXPECT_TRUE(with_tasks.counts_tasks());
  EXPECT_FALSE(plain.counts_tasks());
  for (const job_class& c : class_table(plain)) EXPECT_FALSE(c.tasks);
  EXPECT_FALSE(first_point(sample).counts_tasks());
  EXPECT_TRUE(first_point(sample).servers.front().resources.empty());
}

TEST(tasks, count_devices_in_parts_and_give_a_class_of_cores_tasks_of_one_each) {
  const scenario model = first_point(resource_sample);
  const class_spec &train = model.classes[0], &plain = model.classes[1];
  EXPECT_EQ(train.need, 48u);
  EXPECT_EQ(train.tasks->tasks, 3u);
  EXPECT_EQ(train.tasks->per_task, (amounts{16, 2000, 64'000'000'000, 0}));
  EXPECT_EQ(train.tasks->per_job, (amounts{0, 0, 0, 2}));
  EXPECT_EQ(plain.need, 8u);
  EXPECT_EQ(plain.tasks->tasks, 8u);
  EXPECT_EQ(plain.tasks->per_task, (amounts{1, 0, 0, 0}));
  EXPECT_TRUE(plain.tasks->per_job.empty());
}

TEST(tasks, may_hold_parts_of_a_device) {
  EXPECT_EQ(first_point(with_resources("gpu = 2 }", "gpu = 0.25 }")).classes[0].tasks->per_task[1], 250u);
  EXPECT_EQ(first_point(with_resources("gpu = 2 }", "gpu = 1.0 }")).classes[0].tasks->per_task[1], 1000u);
}

TEST(tasks, are_of_one_core_unless_more_is_said) {
  const scenario model = first_point(with_resources(tasks_of_train, "per_task = { gpu = 1 }\n"));
  EXPECT_EQ(model.classes[0].tasks->tasks, 1u);
  EXPECT_EQ(model.classes[0].tasks->per_task, (amounts{1, 1000, 0, 0}));
  EXPECT_EQ(model.classes[0].need, 1u);
}

TEST(tasks, of_a_class_with_a_need_are_of_one_core) {
  const scenario model = first_point(with_resources("need = 8", "need = 8\nexclusive = true\nat_most_per_server = 4"));
  const task_need& need = *model.classes[1].tasks;
  EXPECT_EQ(need.tasks, 8u);
  EXPECT_EQ(need.per_task.front(), 1u);
  EXPECT_TRUE(need.exclusive);
  EXPECT_EQ(need.at_most_per_server, 4u);
  EXPECT_FALSE(first_point(with("need = 1\n", "need = 1\nexclusive = false\n")).counts_tasks());
}

TEST(tasks, on_one_server_are_one_task) {
  const scenario of_tasks = first_point(with_resources("tasks = 3", "tasks = 2\non = \"one_server\""));
  EXPECT_EQ(of_tasks.classes[0].tasks->tasks, 1u);
  EXPECT_EQ(of_tasks.classes[0].tasks->per_task, (amounts{32, 4000, 128'000'000'000, 0}));
  EXPECT_EQ(of_tasks.classes[0].need, 32u);
  const scenario of_cores = first_point(with("need = 32", "need = 32\non = \"one_server\""), {"policy.name=fcfs"});
  EXPECT_EQ(of_cores.classes[1].tasks->tasks, 1u);
  EXPECT_EQ(of_cores.classes[1].tasks->per_task, amounts{32});
  EXPECT_EQ(of_cores.classes[1].need, 32u);
}

TEST(tasks, are_swept_like_anything_else) {
  const study s = read(resource_sample +
                       "[sweep]\n\"platform.servers.node.resources.memory\" = [\"128 GB\", 192e9]\n"
                       "\"classes.train.per_task.gpu\" = [0.5, 2]\n");
  ASSERT_EQ(s.points.size(), 4u);
  EXPECT_EQ(s.points[0].model.servers[0].resources[2], 128'000'000'000u);
  EXPECT_EQ(s.points[3].model.servers[0].resources[2], 192'000'000'000u);
  EXPECT_EQ(s.points[0].model.classes[0].tasks->per_task[1], 500u);
  EXPECT_EQ(s.points[3].model.classes[0].tasks->per_task[1], 2000u);
  EXPECT_EQ(first_point(resource_sample, {"classes.train.per_task.memory=1 GiB"}).classes[0].tasks->per_task[2],
            1u << 30);
}

TEST(resolved_scenario, with_resources_and_tasks_reads_back) {
  for (const std::string& text :
       {resource_sample, with_resources("need = 8", "need = 8\nexclusive = true"),
        with_resources("tasks = 3", "on = \"one_server\"\ntasks = 2\nat_most_per_server = 2")}) {
    if (!complaints(text).empty()) continue;
    const study s = read(text), again = read(s.resolved);
    EXPECT_EQ(again.resolved, s.resolved);
    EXPECT_EQ(again.points[0].model.classes[0].tasks, s.points[0].model.classes[0].tasks);
    EXPECT_EQ(again.points[0].model.servers[0].resources, s.points[0].model.servers[0].resources);
  }
  const std::string resolved = read(resource_sample).resolved;
  EXPECT_NE(resolved.find("memory = 64000000000, gpu = 2 }"), std::string::npos) << resolved;
  EXPECT_EQ(read(sample).resolved.find("resources"), std::string::npos);
}

// The servers have 160 cores, 8 GPUs and 1512 GB in all, which every class may use, and the cluster 10 licences.
TEST(class_table, has_the_largest_share_that_a_job_needs_of_any_resource) {
  const auto classes = class_table(first_point(resource_sample));
  EXPECT_EQ(classes[class_id{0}].name, "train");
  EXPECT_DOUBLE_EQ(classes[class_id{0}].tasks->share, 6.0 / 8.0) << "of the GPUs";
  EXPECT_DOUBLE_EQ(classes[class_id{1}].tasks->share, 8.0 / 160.0);
  EXPECT_EQ(classes[class_id{0}].need, 48u);
}

TEST(class_table, is_in_the_order_of_shares_where_jobs_need_tasks) {
  const scenario model =
      first_point(replaced(with_resources(tasks_of_train, "per_task = { gpu = 4 }\n"), "need = 8", "need = 64"));
  EXPECT_EQ(class_table(model)[class_id{0}].name, "train") << "half of the GPUs, before 0.4 of the cores";
}

TEST(class_table, counts_servers_of_exclusive_jobs) {
  const scenario model = first_point(with_resources("need = 8", "need = 8\nexclusive = true\nat_most_per_server = 4"));
  EXPECT_DOUBLE_EQ(class_table(model)[class_id{1}].tasks->share, 2.0 / 3.0);
}

// Rate 0.25: train 0.125 x 2.0 = 0.25 jobs, plain 0.125 jobs in service.
TEST(resource_loads, are_what_jobs_hold_of_each_resource_on_average) {
  const std::vector<resource_load> loads = resource_loads(first_point(resource_sample), 0.25);
  ASSERT_EQ(loads.size(), 4u);
  EXPECT_DOUBLE_EQ(loads[0].load, (0.25 * 48 + 0.125 * 8) / 160.0);
  EXPECT_DOUBLE_EQ(loads[1].load, 0.25 * 6 / 8.0);
  EXPECT_DOUBLE_EQ(loads[2].load, 0.25 * 192.0 / 1512.0);
  EXPECT_DOUBLE_EQ(loads[3].load, 0.25 * 2 / 10.0);
  EXPECT_EQ(binding_load(loads).name, "gpu");
  EXPECT_EQ(binding_load(loads).by_class, (std::vector<double>{0.25 * 6 / 8.0, 0.0}));
}

TEST(resource_loads, count_servers_as_a_whole_of_exclusive_jobs) {
  const scenario model = first_point(with_resources("need = 8", "need = 8\nexclusive = true\nservers = [\"node\"]"));
  EXPECT_DOUBLE_EQ(resource_loads(model, 0.25)[0].load, (0.25 * 48 + 0.125 * 64) / 160.0);
}

TEST(resource_loads, are_of_the_slowest_servers_or_of_the_fastest) {
  const scenario model = first_point(with_resources("cores = 32,", "cores = 32, capacity = 2.0,"));
  EXPECT_DOUBLE_EQ(resource_loads(model, 0.25, run_on::slowest)[1].load, 0.25 * 6 / 8.0);
  EXPECT_DOUBLE_EQ(resource_loads(model, 0.25, run_on::fastest)[1].load, 0.125 * 6 / 8.0);
}

TEST(load, of_arrivals_is_that_of_the_resource_that_binds) {
  const scenario model = first_point(with_resources("rate = 0.25", "load = 0.75"));
  EXPECT_DOUBLE_EQ(model.arrivals.rate, 1.0);
  EXPECT_DOUBLE_EQ(model.classes[0].rate, 0.5);
}

TEST(stability_of_tasks, is_not_known_below_what_the_resources_bear) {
  const stability found = examine_stability(first_point(resource_sample));
  EXPECT_EQ(found.answer, stability::verdict::unknown);
  EXPECT_FALSE(found.policy_rate);
  EXPECT_EQ(
      found.condition,
      "not known where jobs need tasks, or resources beside cores; a bound of what any mix of tasks on the servers "
      "carries is necessary (linear program)");
  // One job of train at a time, as three tasks of two GPUs each leave one such task's GPUs.
  EXPECT_DOUBLE_EQ(found.work, 0.25);
  EXPECT_DOUBLE_EQ(found.unstable_from, 1.0);
  EXPECT_EQ(limit_text(found), "<= 1");
  EXPECT_EQ(examine_stability(first_point(with_resources("rate = 0.25", "rate = 1.01"))).answer,
            stability::verdict::unstable);
}

TEST(theory_of_tasks, has_no_answer) {
  const theory answer = known_answer(first_point(resource_sample));
  EXPECT_TRUE(answer.values.empty());
  EXPECT_EQ(answer.about, "no answer: none is known for jobs that need tasks, or resources beside cores");
}

TEST(amounts, are_shown_in_the_unit_in_which_they_are_shortest) {
  const resource_type memory{"memory", 0, false, "B"}, gpu{"gpu", 1000}, licence{"licence"};
  EXPECT_EQ(amount_text(memory, 64'000'000'000), "64 GB");
  EXPECT_EQ(amount_text(memory, std::uint64_t{64} << 30), "64 GiB");
  EXPECT_EQ(amount_text(memory, 0), "0 B");
  EXPECT_EQ(amount_text(memory, 999), "999 B");
  EXPECT_EQ(amount_text(gpu, 2000), "2");
  EXPECT_EQ(amount_text(gpu, 250), "0.25");
  EXPECT_EQ(amount_text(licence, 10), "10");
}

}  // namespace
}  // namespace muster
