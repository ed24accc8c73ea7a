#include "tests/scenario/mistake.h"
#include "tests/scenario/resource_sample.h"
#include "tests/scenario/slotted_sample.h"

// What is said of resources and tasks that cannot be.

namespace muster {
namespace {

class mistakes_in_resources : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_resources, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(with_resources(m.from, m.to)), m.message);
}

const mistake declarations[] = {
    {"gpu = { kind", "cores = { kind",
     "f.toml:3:9: platform.resources.cores: every server has cores; expected the name of another resource\n"
     "f.toml:8:79: platform.servers.node.resources.gpu: unknown resource 'gpu'; expected one of: cores, memory, "
     "licence\n"
     "f.toml:14:50: classes.train.per_task.gpu: unknown resource 'gpu'; expected one of: cores, cores, memory, "
     "licence"},
    {"gpu = { kind", "\"g p u\" = { kind",
     "f.toml:3:11: platform.resources.g p u: expected a name of letters, digits, '_' and '-', found 'g p u'\n"
     "f.toml:8:79: platform.servers.node.resources.gpu: unknown resource 'gpu'; expected one of: g p u, memory, "
     "licence\n"
     "f.toml:14:50: classes.train.per_task.gpu: unknown resource 'gpu'; expected one of: cores, g p u, memory, "
     "licence"},
    {"kind = \"devices\"", "kind = \"device\"",
     "f.toml:3:16: platform.resources.gpu.kind: unknown kind of resource 'device'; did you mean 'devices'?"},
    {"kind = \"devices\", shares = 1000", "shares = 1000",
     "f.toml:3:7: platform.resources.gpu.kind: missing; expected one of: devices, amount"},
    {"shares = 1000", "shares = 0",
     "f.toml:3:36: platform.resources.gpu.shares: expected an integer from 1 to 1000000, found 0"},
    {"shares = 1000", "of = \"cluster\"",
     "f.toml:3:7: platform.resources.gpu.amount: missing; expected an integer from 0 to 1024\n"
     "f.toml:8:79: platform.servers.node.resources.gpu: belongs to the cluster as a whole; expected it in per_job of "
     "classes alone\n"
     "f.toml:14:50: classes.train.per_task.gpu: belongs to the cluster as a whole; expected it in per_job of classes "
     "alone"},
    {"of = \"cluster\", amount = 10 }",
     "of = \"cluster\", amount = 10 }\nfpga = { kind = \"devices\", of = "
     "\"cluster\", amount = 1025 }",
     "f.toml:6:53: platform.resources.fpga.amount: expected an integer from 0 to 1024, found 1025"},
    {"of = \"cluster\", amount = 10 }",
     "of = \"cluster\", amount = 10 }\nfpga = { kind = \"devices\", of = "
     "\"cluster\", amount = 1.5 }",
     "f.toml:6:53: platform.resources.fpga.amount: expected an integer, found 1.5"},
    {"unit = \"B\" }", "unit = \"B\" }\nfpga = { kind = \"devices\", amount = 4 }",
     "f.toml:5:37: platform.resources.fpga.amount: has no effect with of 'servers'; expected of 'cluster'"},
    {"unit = \"B\"", "shares = 10",
     "f.toml:4:38: platform.resources.memory.shares: has no effect with kind 'amount'; expected kind 'devices'\n"
     "f.toml:9:54: platform.servers.big.resources.memory: has no unit; expected a number alone, or unit = \"B\" "
     "where it is declared, found '1 TB'\n"
     "f.toml:14:35: classes.train.per_task.memory: has no unit; expected a number alone, or unit = \"B\" "
     "where it is declared, found '64 GB'"},
    {"unit = \"B\"", "unti = \"B\"",
     "f.toml:4:29: platform.resources.memory.unti: unknown key; did you mean 'unit'?\n"
     "f.toml:9:54: platform.servers.big.resources.memory: has no unit; expected a number alone, or unit = \"B\" "
     "where it is declared, found '1 TB'\n"
     "f.toml:14:35: classes.train.per_task.memory: has no unit; expected a number alone, or unit = \"B\" "
     "where it is declared, found '64 GB'"},
    {"unit = \"B\"", "unit = \"a b\"",
     "f.toml:4:36: platform.resources.memory.unit: expected a name of letters, digits, '_', '-', '/' and '%', found 'a "
     "b'\n"
     "f.toml:9:54: platform.servers.big.resources.memory: is counted in 'a b'; expected a number alone, or unit = "
     "\"B\" "
     "where it is declared, found '1 TB'\n"
     "f.toml:14:35: classes.train.per_task.memory: is counted in 'a b'; expected a number alone, or unit = \"B\" "
     "where it is declared, found '64 GB'"},
    {"unit = \"B\"", "unit = \"GB\"",
     "f.toml:9:54: platform.servers.big.resources.memory: is counted in 'GB'; expected a number alone, or unit = \"B\" "
     "where it is declared, found '1 TB'\n"
     "f.toml:14:35: classes.train.per_task.memory: is counted in 'GB'; expected a number alone, or unit = \"B\" where "
     "it "
     "is declared, found '64 GB'"},
    {"unit = \"B\"", "unit = \"B\", amount = 3",
     "f.toml:4:50: platform.resources.memory.amount: has no effect with of 'servers'; expected of 'cluster'"},
    {"of = \"cluster\", amount = 10", "of = \"cluster\"",
     "f.toml:5:11: platform.resources.licence.amount: missing; expected a whole number from 0 to 2^53"},
    {"of = \"cluster\"", "of = \"clusters\"",
     "f.toml:5:35: platform.resources.licence.of: unknown owner 'clusters'; did you mean 'cluster'?\n"
     "f.toml:15:23: classes.train.per_job.licence: belongs to servers; expected it in per_task"},
    {"amount = 10", "amount = 2.5",
     "f.toml:5:55: platform.resources.licence.amount: expected a whole number from 0 to 2^53, found 2.5"},
    {"amount = 10", "amount = -1",
     "f.toml:5:55: platform.resources.licence.amount: expected a whole number from 0 to 2^53, found -1"},
    {"gpu = { kind = \"devices\", shares = 1000 }", "gpu = 4",
     "f.toml:3:7: platform.resources.gpu: expected a table, found an integer"},
    {"[platform]",
     "a = { kind = \"amount\" }\nb = { kind = \"amount\" }\nc = { kind = \"amount\" }\nd = { kind = \"amount\" }\n"
     "e = { kind = \"amount\" }\n[platform]",
     "f.toml:2:1: platform.resources: expected at most 7 resources beside cores, found 8"},
};
INSTANTIATE_TEST_SUITE_P(declared, mistakes_in_resources, testing::ValuesIn(declarations));

const mistake of_servers[] = {
    {"gpu = 4", "gup = 4",
     "f.toml:8:79: platform.servers.node.resources.gup: unknown resource 'gup'; did you mean 'gpu'?"},
    {"gpu = 4", "licence = 4",
     "f.toml:8:83: platform.servers.node.resources.licence: belongs to the cluster as a whole; expected it in per_job "
     "of classes alone"},
    {"gpu = 4", "cores = 4",
     "f.toml:8:81: platform.servers.node.resources.cores: expected cores beside resources, as a key of the server"},
    {"gpu = 4", "gpu = 2.5", "f.toml:8:79: platform.servers.node.resources.gpu: expected an integer, found 2.5"},
    {"gpu = 4", "gpu = 1025",
     "f.toml:8:79: platform.servers.node.resources.gpu: expected an integer from 0 to 1024, found 1025"},
    {"memory = 256e9", "memory = 256e15",
     "f.toml:8:66: platform.servers.node.resources.memory: expected a whole number from 0 to 2^53, found 2.56e+17"},
    {"memory = 256e9", "memory = 0.5",
     "f.toml:8:66: platform.servers.node.resources.memory: expected a whole number from 0 to 2^53, found 0.5"},
    {"memory = 256e9", "memory = -1",
     "f.toml:8:66: platform.servers.node.resources.memory: expected a whole number from 0 to 2^53, found -1"},
    {"memory = 256e9", "memory = \"256 GHz\"",
     "f.toml:8:66: platform.servers.node.resources.memory: unknown unit 'GHz' of bytes; expected one of: B, kB, MB, "
     "GB, TB, PB, KiB, MiB, GiB, TiB, PiB"},
    {"memory = 256e9", "memory = \"256 Gb\"",
     "f.toml:8:66: platform.servers.node.resources.memory: unknown unit 'Gb' of bytes; expected bytes, of 8 bits each, "
     "such as '32 GB'"},
    {", unit = \"B\"", "",
     "f.toml:9:54: platform.servers.big.resources.memory: has no unit; expected a number alone, or unit = \"B\" "
     "where it is declared, found '1 TB'\n"
     "f.toml:14:35: classes.train.per_task.memory: has no unit; expected a number alone, or unit = \"B\" "
     "where it is declared, found '64 GB'"},
    {"resources = { memory = 256e9, gpu = 4 }", "resources = 3",
     "f.toml:8:55: platform.servers.node.resources: expected a table, found an integer"},
};
INSTANTIATE_TEST_SUITE_P(of_servers, mistakes_in_resources, testing::ValuesIn(of_servers));

const mistake of_jobs[] = {
    {"need = 8", "need = 8\ntasks = 8", "f.toml:20:8: classes.plain.need: found need and tasks; expected one of them"},
    {"tasks = 3", "need = 3", "f.toml:13:8: classes.train.need: found need and per_task; expected one of them"},
    {"need = 8", "need = 8\nexclusive = 1",
     "f.toml:21:13: classes.plain.exclusive: expected true or false, found an integer"},
    {"need = 8", "need = 8\non = \"server\"",
     "f.toml:21:6: classes.plain.on: unknown place 'server'; expected one of: one_server"},
    {"need = 8", "need = 8\non = \"one_server\"\nat_most_per_server = 2",
     "f.toml:22:22: classes.plain.at_most_per_server: expected no at_most_per_server here, because one server holds "
     "all tasks"},
    {"tasks = 3", "tasks = 0", "f.toml:13:9: classes.train.tasks: expected an integer from 1 to 10000000, found 0"},
    {"tasks = 3", "tasks = 10_000_000",
     "f.toml:13:9: classes.train.tasks: expected at most 10000000 cores of all tasks, found 160000000"},
    {"cores = 16", "cores = 0",
     "f.toml:14:22: classes.train.per_task.cores: expected an integer from 1 to 1000000, found 0"},
    {"per_task = {", "per_task = 3 #", "f.toml:14:12: classes.train.per_task: expected a table, found an integer"},
    {"gpu = 2 }", "gpus = 2 }",
     "f.toml:14:51: classes.train.per_task.gpus: unknown resource 'gpus'; did you mean 'gpu'?"},
    {"gpu = 2 }", "licence = 2 }",
     "f.toml:14:54: classes.train.per_task.licence: belongs to the cluster as a whole; expected it in per_job of "
     "classes alone"},
    {"licence = 2", "gpu = 2", "f.toml:15:19: classes.train.per_job.gpu: belongs to servers; expected it in per_task"},
    {"licence = 2", "cores = 2",
     "f.toml:15:21: classes.train.per_job.cores: belongs to servers; expected it in per_task"},
    {"licence = 2", "licence = 11",
     "f.toml:15:23: classes.train.per_job.licence: expected at most 10, all that the cluster has, found 11"},
    {"gpu = 2 }", "gpu = 1.5 }",
     "f.toml:14:50: classes.train.per_task.gpu: expected a part of one device or a whole number of them, found 1.5"},
    {"gpu = 2 }", "gpu = 0.3337 }",
     "f.toml:14:50: classes.train.per_task.gpu: a device has 1000 shares; expected a whole number of them, such as "
     "0.333 or 0.334, found 0.3337"},
    {"gpu = 2 }", "gpu = 0.0001 }",
     "f.toml:14:50: classes.train.per_task.gpu: a device has 1000 shares; expected a whole number of them, such as "
     "0.001, found 0.0001"},
    {"gpu = 2 }", "gpu = -1 }",
     "f.toml:14:50: classes.train.per_task.gpu: expected a number of devices from 0 to 1024, found -1"},
    {"gpu = 2 }", "gpu = 5 }",
     "f.toml:14:50: classes.train.per_task.gpu: a task needs 5 gpu; the largest that fits is 4, on server 'node'"},
    {"cores = 16", "cores = 65",
     "f.toml:14:22: classes.train.per_task.cores: a task needs 65 cores; the largest that fits is 64, on server "
     "'node'"},
    {"memory = \"64 GB\"", "memory = \"2 TB\"",
     "f.toml:14:35: classes.train.per_task.memory: a task needs 2 TB memory; the largest that fits is 1 TB, on server "
     "'big'"},
    {"memory = \"64 GB\"", "memory = \"300 GB\"",
     "f.toml:14:35: classes.train.per_task.memory: no compatible server has all that a task needs; the nearest, "
     "'node', has 256 GB of 300 GB memory"},
    {"memory = \"64 GB\"", "memory = 64.5",
     "f.toml:14:35: classes.train.per_task.memory: expected a whole number from 0 to 2^53, found 64.5"},
    {"tasks = 3", "tasks = 5",
     "f.toml:13:9: classes.train.tasks: its compatible servers hold at most 4 such tasks at once, found 5"},
    {"tasks = 3", "tasks = 3\nat_most_per_server = 1",
     "f.toml:13:9: classes.train.tasks: its compatible servers hold at most 2 such tasks at once, found 3"},
    {"tasks = 3", "tasks = 3\non = \"one_server\"",
     "f.toml:15:50: classes.train.per_task.gpu: all tasks on one server need 6 gpu; the largest that fits is 4, on "
     "server 'node'"},
    {"gpu = 2 }", "gpu = 0.4 }\non = \"one_server\"",
     "f.toml:15:6: classes.train.on: all tasks together hold 1.2 gpu; expected a part of one device or a whole number "
     "of them"},
    {"share = 0.5", "servers = [\"big\"]\nshare = 0.5",
     "f.toml:14:50: classes.train.per_task.gpu: none of its compatible servers has gpu"},
    {"memory = 256e9, gpu = 4", "memory = 256e9",
     "f.toml:14:50: classes.train.per_task.gpu: no server has gpu; expected servers with resources = { gpu = .. }"},
    {"need = 8", "need = 161",
     "f.toml:20:8: classes.plain.need: need 161 is more than the 160 cores of its compatible servers"},
    {"name = \"fcfs\"", "name = \"fcfs_pooled\"",
     "f.toml:13:9: classes.train.tasks: expected no tasks here, because policy 'fcfs_pooled' serves pooled jobs, which "
     "have no tasks\n"
     "f.toml:14:12: classes.train.per_task: expected no per_task here, because policy 'fcfs_pooled' serves pooled "
     "jobs, which have no tasks\n"
     "f.toml:15:11: classes.train.per_job: expected no per_job here, because policy 'fcfs_pooled' serves pooled jobs, "
     "which have no tasks"},
};
INSTANTIATE_TEST_SUITE_P(of_jobs, mistakes_in_resources, testing::ValuesIn(of_jobs));

const mistake of_prices[] = {
    {"jobs = 1000", "jobs = 1000\n[price]\nresources = { gup = 1 }",
     "f.toml:30:21: price.resources.gup: unknown resource 'gup'; did you mean 'gpu'?"},
    {"jobs = 1000", "jobs = 1000\n[price]\nresources = { cores = 1 }",
     "f.toml:30:23: price.resources.cores: expected price.core for cores"},
    {"jobs = 1000", "jobs = 1000\n[price]\nresources = { gpu = \"1 / GB\" }",
     "f.toml:30:21: price.resources.gpu: has no unit; expected a number alone, found '1 / GB'"},
    {"jobs = 1000", "jobs = 1000\n[price]\nresources = { memory = \"1 / Gb\" }",
     "f.toml:30:24: price.resources.memory: unknown unit '/Gb' of 1/bytes; expected bytes, of 8 bits each, such as '8 "
     "/GB'"},
    {"jobs = 1000", "jobs = 1000\n[price]\nresources = { memory = -1 }",
     "f.toml:30:24: price.resources.memory: expected a number >= 0, found -1"},
    {"jobs = 1000", "jobs = 1000\n[price]\nresources = 3",
     "f.toml:30:13: price.resources: expected a table, found an integer"},
    {"gpu = 4 } }", "gpu = 4 }, power = { resources = { gup = { idle = 1 } } } }",
     "f.toml:8:114: platform.servers.node.power.resources.gup: unknown resource 'gup'; did you mean 'gpu'?"},
    {"gpu = 4 } }", "gpu = 4 }, power = { resources = { gpu = { idel = 1 } } } }",
     "f.toml:8:116: platform.servers.node.power.resources.gpu.idel: unknown key; did you mean 'idle'?"},
    {"gpu = 4 } }", "gpu = 4 }, power = { resources = { gpu = { busy = \"1 MB\" } } } }",
     "f.toml:8:123: platform.servers.node.power.resources.gpu.busy: unknown unit 'MB' of W; did you mean 'MW'?"},
    {"gpu = 4 } }", "gpu = 4 }, power = { resources = { gpu = 300 } } }",
     "f.toml:8:114: platform.servers.node.power.resources.gpu: expected a table, found an integer"},
    {"gpu = 4 } }", "gpu = 4 }, power = { resources = { licence = { idle = 1 } } } }",
     "f.toml:8:118: platform.servers.node.power.resources.licence: belongs to the cluster as a whole; expected its "
     "power in platform.resources.licence"},
    {"amount = 10", "amount = 10, power = { idel = 1 }",
     "f.toml:5:69: platform.resources.licence.power.idel: unknown key; did you mean 'idle'?"},
    {"amount = 10", "amount = 10, power = { idle = -1 }",
     "f.toml:5:76: platform.resources.licence.power.idle: expected a number >= 0, found -1"},
    {"amount = 10", "amount = 10, power = 3",
     "f.toml:5:67: platform.resources.licence.power: expected a table, found an integer"},
    {"unit = \"B\"", "unit = \"B\", power = { idle = 1 }",
     "f.toml:4:49: platform.resources.memory.power: belongs to servers; expected it in power.resources of a server"},
    {"shares = 1000", "shares = 1000, power = { idle = 1 }",
     "f.toml:3:50: platform.resources.gpu.power: belongs to servers; expected it in power.resources of a server"},
    {"jobs = 1000", "jobs = 1000\n[price]\nwatt = 1",
     "f.toml:30:8: price.watt: has no effect without power; expected servers, or resources of the cluster, with power"},
    {"\"1 TB\" } }", "\"1 TB\" }, power = { resources = { gpu = { idle = 1 } } } }",
     "f.toml:9:94: platform.servers.big.power.resources.gpu: has no effect, because the server has no gpu"},
};
INSTANTIATE_TEST_SUITE_P(of_prices, mistakes_in_resources, testing::ValuesIn(of_prices));

TEST(tasks_without_resources, are_held_against_cores) {
  EXPECT_EQ(complaints(with("need = 32", "tasks = 2\nper_task = { cores = 16, gpu = 1 }")),
            "f.toml:12:32: classes.heavy.per_task.gpu: unknown resource 'gpu'; expected it to be declared in "
            "platform.resources");
  EXPECT_EQ(complaints(with("need = 32", "tasks = 2\nper_task = { cores = 17 }")),
            "f.toml:11:9: classes.heavy.tasks: its compatible servers hold at most 1 such tasks at once, found 2");
  EXPECT_EQ(complaints(with("need = 32", "tasks = 2\nper_task = { cores = 33 }")),
            "f.toml:12:22: classes.heavy.per_task.cores: a task needs 33 cores; the largest that fits is 32, on server "
            "'node'");
  EXPECT_EQ(complaints(with("name = \"node\", cores = 32", "name = \"node\", cores = 32, resources = { gpu = 1 }")),
            "f.toml:3:62: platform.servers.node.resources.gpu: unknown resource 'gpu'; expected it to be declared in "
            "platform.resources");
}

TEST(devices_without_shares, are_held_whole) {
  EXPECT_EQ(complaints(replaced(with_resources(", shares = 1000", ""), "gpu = 2 }", "gpu = 0.5 }")),
            "f.toml:14:50: classes.train.per_task.gpu: expected a whole number, because a device is held whole "
            "(without shares), found 0.5");
}

TEST(tasks_with_devices_of_the_cluster, are_held_against_what_jobs_need) {
  const std::string with_fpgas =
      with_resources("amount = 10 }", "amount = 10 }\nfpga = { kind = \"devices\", of = \"cluster\", amount = 4 }");
  EXPECT_EQ(complaints(replaced(with_fpgas, "licence = 2 }", "licence = 2, fpga = 4 }")), "");
  EXPECT_EQ(complaints(replaced(with_fpgas, "licence = 2 }", "licence = 2, fpga = 5 }")),
            "f.toml:16:33: classes.train.per_job.fpga: expected at most 4, all that the cluster has, found 5");
  EXPECT_EQ(
      complaints(replaced(with_fpgas, "licence = 2 }", "licence = 2, fpga = 0.5 }")),
      "f.toml:16:33: classes.train.per_job.fpga: expected a whole number, because a device is held whole (without "
      "shares), found 0.5");
  EXPECT_EQ(complaints(replaced(with_fpgas, "gpu = 2 }", "gpu = 2, fpga = 1 }")),
            "f.toml:15:60: classes.train.per_task.fpga: belongs to the cluster as a whole; expected it in per_job of "
            "classes alone");
}

TEST(tasks_of_slotted_jobs, are_refused) {
  EXPECT_EQ(
      complaints(replaced(slotted_sample, "units = ", "tasks = 2\nunits = ")),
      "f.toml:8:9: classes.free.tasks: expected no tasks here, because any number of cores may work on a slotted job");
}

TEST(policies_with_resources, are_listed_where_another_is_named) {
  EXPECT_EQ(
      complaints(with_resources("fcfs", "server_filling")),
      "f.toml:26:8: policy.name: policy 'server_filling' cannot run these classes: it counts cores alone, but jobs "
      "need tasks, or resources beside cores; expected one of adaptive_quickswap, conservative_backfill, "
      "dominant_resource_fairness, easy_backfill, fcfs, first_fit, kill_restart, max_weight, msf, randomized_timers, "
      "slurm, tetris");
}

TEST(policies_with_resources, refuse_to_list_more_schedules_than_they_can) {
  EXPECT_EQ(complaints(with_resources("fcfs", "max_weight")), "");
  EXPECT_EQ(
      complaints(replaced(with_resources("fcfs", "max_weight"), "count = 2,", "count = 3000,")),
      "f.toml:26:8: policy.name: policy 'max_weight' cannot run these classes: it lists the schedules for which "
      "the servers have room, of which there are more than 100000; expected fewer servers, fewer classes or larger "
      "needs");
}

}  // namespace
}  // namespace muster
