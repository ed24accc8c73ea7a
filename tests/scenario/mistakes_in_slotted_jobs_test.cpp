#include "tests/scenario/graph_folder.h"
#include "tests/scenario/mistake.h"
#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

class mistakes_in_slotted_jobs : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_slotted_jobs, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(replaced(slotted_sample, m.from, m.to)), m.message);
}

const mistake platform_mistakes[] = {
    {"slot = 0.5", "slot = 0", "f.toml:4:8: platform.slot: expected a slot length > 0, found 0"},
    {"slot = 0.5", "slot = -1", "f.toml:4:8: platform.slot: expected a slot length > 0, found -1"},
    {"slot = 0.5", "slot = 1e-10",
     "f.toml:4:8: platform.slot: expected at least the clock's step of 1e-09 s, found 1e-10"},
    {"slot = 0.5", "slot = 1e10",
     "f.toml:4:8: platform.slot: expected less than 4.61e+09 s, the range of the clock, found 10000000000"},
    {"slot = 0.5", "slot = \"1\"", "f.toml:4:8: platform.slot: expected a number, found a string"},
    {"epsilon = 0.05", "epsilon = 1.5",
     "f.toml:5:21: platform.costs.epsilon: expected a number from 0 to 1, found 1.5"},
    {"epsilon = 0.05", "epsilon = -0.1",
     "f.toml:5:21: platform.costs.epsilon: expected a number from 0 to 1, found -0.1"},
    {"count = 100", "count = 100, capacity = 2",
     "f.toml:3:57: platform.servers.machine.capacity: a core does one unit in a slot; expected capacity 1, found 2"},
};

const mistake class_mistakes[] = {
    {"units = 50", "units = 0", "f.toml:8:9: classes.free.units: expected an integer from 1 to 1000000, found 0"},
    {"units = 50", "units = 1_000_001",
     "f.toml:8:9: classes.free.units: expected an integer from 1 to 1000000, found 1000001"},
    {"units = 50", "units = 50.5", "f.toml:8:9: classes.free.units: expected an integer, found 50.5"},
    {"units = 50", "",
     "f.toml:6:1: classes.free.units: missing; class 'vip' has units, but class 'free' has none; expected units in all "
     "classes or in none"},
    {"units = 50", "units = 50\nsize = { distribution = \"exponential\", mean = 1.0 }",
     "f.toml:9:8: classes.free.size: expected no size here, because the units are the work of a job"},
    {"units = 50", "units = 50\nneed = 2",
     "f.toml:9:8: classes.free.need: expected 1, because any number of cores may work on a slotted job, found 2"},
    {"units = 50", "units = 50\nservers = { random = 2 }",
     "f.toml:9:11: classes.free.servers: expected no random servers, because slotted jobs share all cores"},
    {"count = 100 }", "count = 100 }, { name = \"spare\" }", ""},
    {"count = 100 } ]\nslot = 0.5\ncosts = { epsilon = 0.05 }\n[[classes]]\n",
     "count = 100 }, { name = \"spare\" } ]\n[[classes]]\nservers = [\"spare\"]\n",
     "f.toml:5:11: classes.free.servers: expected all servers, because slotted jobs share all cores, found 1 of 2"},
    {"value = 100", "value = 0", "f.toml:16:9: classes.vip.value: expected a number > 0 and <= 1e+100, found 0"},
    {"value = 100", "value = 1e101",
     "f.toml:16:9: classes.vip.value: expected a number > 0 and <= 1e+100, found 1e+101"},
    {"initialisation = 0.1", "initialisation = 1.0",
     "f.toml:10:18: classes.free.initialisation: expected a number >= 0 and < 1, found 1"},
    {"initialisation = 0.1", "initialisation = -0.1",
     "f.toml:10:18: classes.free.initialisation: expected a number >= 0 and < 1, found -0.1"},
    {"initialisation = 0.1", "initialization = 0.1",
     "f.toml:10:1: classes.free.initialization: unknown key; did you mean 'initialisation'?"},
    {"jobs = 380", "jobs = 0", "f.toml:12:8: classes.free.jobs: expected an integer from 1 to 10000000, found 0"},
    {"jobs = 380", "", "f.toml:6:1: classes.free.jobs: missing; expected an integer from 1 to 10000000"},
    {"jobs = 380", "jobs = 10_000_000", "f.toml:6:1: classes: expected at most 10000000 jobs in all, found 10000020"},
    {"jobs = 380", "jobs = 380\nshare = 0.5",
     "f.toml:13:9: classes.free.share: expected no share here, because the arrivals are finite"},
    {"jobs = 380", "jobs = 380\nrate = 0.5",
     "f.toml:13:8: classes.free.rate: expected no rate here, because the arrivals are finite"},
};

const mistake utility_mistakes[] = {
    {"function = \"logarithmic\", steepness = 10.0", "function = \"logaritmic\", steepness = 10.0",
     "f.toml:9:24: classes.free.utility.function: unknown utility function 'logaritmic'; did you mean 'logarithmic'?"},
    {"function = \"logarithmic\", steepness = 10.0", "function = \"cubic\"",
     "f.toml:9:24: classes.free.utility.function: unknown utility function 'cubic'; expected one of: linear, "
     "logarithmic, exponential, steps, set_up, google_search, bing_search"},
    {"function = \"logarithmic\", steepness = 10.0", "function = \"logarithmic\"",
     "f.toml:9:11: classes.free.utility.steepness: missing; expected a number > 0"},
    {"function = \"logarithmic\", steepness = 10.0", "function = \"exponential\", steepness = 0",
     "f.toml:9:51: classes.free.utility.steepness: expected a number > 0, found 0"},
    {"function = \"logarithmic\", steepness = 10.0", "function = \"linear\", steepness = 1",
     "f.toml:9:34: classes.free.utility.steepness: unknown key; expected one of: function, points"},
    {"function = \"logarithmic\", steepness = 10.0", "function = \"steps\", tasks = 0",
     "f.toml:9:41: classes.free.utility.tasks: expected an integer from 1 to 1000000, found 0"},
    {"function = \"logarithmic\", steepness = 10.0", "function = \"steps\", tasks = 2.5",
     "f.toml:9:41: classes.free.utility.tasks: expected an integer, found 2.5"},
    {"function = \"logarithmic\", steepness = 10.0", "function = \"set_up\", share = 1, steepness = 2",
     "f.toml:9:42: classes.free.utility.share: expected a number >= 0 and < 1, found 1"},
    {"function = \"logarithmic\", steepness = 10.0", "",
     "f.toml:9:11: classes.free.utility.function: missing; expected function or points"},
    {"function = \"logarithmic\", steepness = 10.0", "function = \"linear\", points = [[0, 0], [1, 1]]",
     "f.toml:9:43: classes.free.utility.points: found function and points; expected one of them"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0], [1, 1]], steepness = 1",
     "f.toml:9:40: classes.free.utility.steepness: unknown key; expected one of: function, points"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0]]",
     "f.toml:9:22: classes.free.utility.points: expected an array of at least two points such as [0.5, 0.8], found 1 "
     "of them"},
    {"function = \"logarithmic\", steepness = 10.0", "points = 3",
     "f.toml:9:22: classes.free.utility.points: expected an array of at least two points such as [0.5, 0.8], found an "
     "integer"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0.1], [1, 1]]",
     "f.toml:9:23: classes.free.utility.points: point 1: expected [0, 0], the beginning"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0], [0.5, 0.8], [0.75, 0.7], [1, 1]]",
     "f.toml:9:43: classes.free.utility.points: point 3: the utility decreases from 0.8 to 0.7; expected that it never "
     "decreases"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0], [0.5, 0.8], [0.5, 0.9], [1, 1]]",
     "f.toml:9:43: classes.free.utility.points: point 3: the share of the work is 0.5 after 0.5; expected that it "
     "increases"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0], [0.5, 0.8], [1.5, 1]]",
     "f.toml:9:43: classes.free.utility.points: point 3: expected a share of the work from 0 to 1"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0], [0.5, 0.8]]",
     "f.toml:9:31: classes.free.utility.points: point 2: the last share of the work is 0.5; expected 1"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0], [0.5], [1, 1]]",
     "f.toml:9:31: classes.free.utility.points: point 2: expected a share of the work and a utility such as [0.5, "
     "0.8]"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0], [1, inf]]",
     "f.toml:9:31: classes.free.utility.points: point 2: expected a utility from 0 to 1e+100"},
    {"function = \"logarithmic\", steepness = 10.0", "points = [[0, 0], [1, \"1\"]]",
     "f.toml:9:31: classes.free.utility.points: point 2: expected a utility from 0 to 1e+100"},
    {"utility = { function = \"logarithmic\", steepness = 10.0 }", "utility = \"linear\"",
     "f.toml:9:11: classes.free.utility: expected a table, found a string"},
};

const mistake deadline_mistakes[] = {
    {"distribution = \"uniform\", from = 1, to = 10", "distribution = \"unifrom\", from = 1, to = 10",
     "f.toml:17:29: classes.vip.deadline.distribution: unknown distribution of deadlines 'unifrom'; did you mean "
     "'uniform'?"},
    {"distribution = \"uniform\", from = 1, to = 10", "distribution = \"exponential\", mean = 10",
     "f.toml:17:29: classes.vip.deadline.distribution: unknown distribution of deadlines 'exponential'; expected one "
     "of: constant, uniform, two_valued, fixed_slot"},
    {"distribution = \"uniform\", from = 1, to = 10", "from = 1, to = 10",
     "f.toml:17:12: classes.vip.deadline.distribution: missing; expected one of: constant, uniform, two_valued, "
     "fixed_slot"},
    {"from = 1, to = 10", "from = 11, to = 10",
     "f.toml:17:56: classes.vip.deadline.to: expected from <= to, found 11 and 10"},
    {"from = 1, to = 10", "from = 1",
     "f.toml:17:12: classes.vip.deadline.to: missing; expected an integer from 0 to 1000000000000"},
    {"from = 1, to = 10", "from = -1, to = 10",
     "f.toml:17:47: classes.vip.deadline.from: expected an integer from 0 to 1000000000000, found -1"},
    {"from = 1, to = 10", "from = 1.5, to = 10",
     "f.toml:17:47: classes.vip.deadline.from: expected an integer, found 1.5"},
    {"from = 1, to = 10", "from = 1, to = \"arival_slots\"",
     "f.toml:17:55: classes.vip.deadline.to: expected an integer from 0 to 1000000000000 or 'arrival_slots', found "
     "'arival_slots'"},
    {"from = 1, to = 10", "from = 1, to = 10, slots = 3",
     "f.toml:17:67: classes.vip.deadline.slots: has no effect with distribution 'uniform'; expected distribution "
     "'constant'"},
    {"from = 1, to = 10", "from = 1, to = 100_000_000_000",
     "f.toml:17:12: classes.vip.deadline: takes up to 5e+10 s; expected less than 4.61e+09 s, the range of the clock"},
    {"\"uniform\", from = 1, to = 10", "\"constant\"",
     "f.toml:17:12: classes.vip.deadline.slots: missing; expected an integer from 0 to 1000000000000"},
    {"tight = 1", "tight = 101",
     "f.toml:11:64: classes.free.deadline.loose: expected tight <= loose, found 101 and 100"},
    {"tight_share = 0.25", "tight_share = 1.5",
     "f.toml:11:81: classes.free.deadline.tight_share: expected a number from 0 to 1, found 1.5"},
    {"\"uniform\", from = 1, to = 10", "\"fixed_slot\", slot = 19",
     "f.toml:17:50: classes.vip.deadline.slot: deadline before arrival: jobs arrive in slots up to 20; expected a slot "
     "from there on, found 19"},
    {"\"uniform\", from = 1, to = 10", "\"fixed_slot\", slot = 0",
     "f.toml:17:50: classes.vip.deadline.slot: expected an integer from 1 to 1000000000000, found 0"},
    {"deadline = { distribution = \"uniform\", from = 1, to = 10 }", "deadline = 10",
     "f.toml:17:12: classes.vip.deadline: expected a table, found an integer"},
};

const mistake arrival_mistakes[] = {
    {"slots = 20", "", "f.toml:19:1: arrivals.slots: missing; expected an integer from 1 to 1000000000000"},
    {"slots = 20", "slots = 0", "f.toml:21:9: arrivals.slots: expected an integer from 1 to 1000000000000, found 0"},
    {"slots = 20", "slots = 100_000_000_000",
     "f.toml:21:9: arrivals.slots: the last slot, 100000000000, ends at 5e+10 s; expected less than 4.61e+09 s, the "
     "range of the clock"},
    {"slots = 20", "slots = 20\nrate = 1.0",
     "f.toml:22:8: arrivals.rate: expected no rate here, because the arrivals are finite"},
    {"slots = 20", "slots = 20\nload = 1.0",
     "f.toml:22:8: arrivals.load: expected no load here, because the arrivals are finite"},
    {"slots = 20", "slots = 20\nfile = \"jobs.csv\"",
     "f.toml:22:8: arrivals.file: has no effect with process 'uniform'; expected process 'list' or 'log'"},
    {"slots = 20", "slots = 20\ninterarrival = { distribution = \"exponential\", mean = 1.0 }",
     "f.toml:22:16: arrivals.interarrival: has no effect with process 'uniform'; expected process 'renewal'"},
    {"slots = 20", "slots = 20\n[run]\njobs = 400",
     "f.toml:23:8: run.jobs: expected no jobs here, because the arrivals are finite"},
    {"slots = 20", "slots = 20\n[run]\nwarm_up = 0.1",
     "f.toml:23:11: run.warm_up: expected 0, because the arrivals are finite, found 0.1"},
    {"\"ispeed\"", "\"msf\"",
     "f.toml:23:8: policy.name: policy 'msf' cannot run these classes: class 'free' has units, so its jobs are "
     "slotted; expected a policy of slotted jobs (edf, equal_partitioning, fifo, ispeed)"},
    {"\"ispeed\"", "\"balanced_fair\"\ntheta = 1",
     "f.toml:23:8: policy.name: policy 'balanced_fair' cannot run these classes: class 'free' has units, so its jobs "
     "are slotted; expected a policy of slotted jobs (edf, equal_partitioning, fifo, ispeed)"},
};

INSTANTIATE_TEST_SUITE_P(platform, mistakes_in_slotted_jobs, testing::ValuesIn(platform_mistakes));
INSTANTIATE_TEST_SUITE_P(classes, mistakes_in_slotted_jobs, testing::ValuesIn(class_mistakes));
INSTANTIATE_TEST_SUITE_P(utility, mistakes_in_slotted_jobs, testing::ValuesIn(utility_mistakes));
INSTANTIATE_TEST_SUITE_P(deadline, mistakes_in_slotted_jobs, testing::ValuesIn(deadline_mistakes));
INSTANTIATE_TEST_SUITE_P(arrivals, mistakes_in_slotted_jobs, testing::ValuesIn(arrival_mistakes));

class mistakes_in_streams_of_slotted_jobs : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_streams_of_slotted_jobs, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(replaced(slotted_stream, m.from, m.to)), m.message);
}

const mistake stream_mistakes[] = {
    {"units = 50", "units = 50\njobs = 5",
     "f.toml:7:8: classes.free.jobs: expected no jobs here, because the arrivals never end; only process 'uniform' has "
     "a number of jobs"},
    {"share = 1.0", "", "f.toml:4:1: classes.free.share: missing; expected share or rate"},
    {"load = 0.5", "load = 0.5\nslots = 20",
     "f.toml:10:9: arrivals.slots: has no effect with process 'poisson'; expected process 'uniform'"},
    {"units = 50", "units = 50\ndeadline = { distribution = \"constant\", slots = \"arrival_slots\" }",
     "f.toml:7:49: classes.free.deadline.slots: 'arrival_slots' stands for arrivals.slots, which only process "
     "'uniform' has; expected an integer"},
    {"units = 50", "units = 50\ndeadline = { distribution = \"fixed_slot\", slot = 50 }",
     "f.toml:7:29: classes.free.deadline.distribution: a fixed slot would lie before most arrivals, because they never "
     "end; expected arrivals of process 'uniform'"},
    {"share = 1.0\n",
     "share = 0.5\n[[classes]]\nname = \"batch\"\nshare = 0.5\nsize = { distribution = \"exponential\", mean = 1.0 }\n",
     "f.toml:8:1: classes.batch.units: missing; class 'free' has units, but class 'batch' has none; expected units in "
     "all classes or in none"},
};

INSTANTIATE_TEST_SUITE_P(stream, mistakes_in_streams_of_slotted_jobs, testing::ValuesIn(stream_mistakes));

class mistakes_of_slots_without_slotted_jobs : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_of_slots_without_slotted_jobs, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(with(m.from, m.to)), with_policies(m.message));
}

const mistake mistakes_without_slots[] = {
    {"[platform]", "[platform]\nslot = 1.0",
     "f.toml:3:8: platform.slot: has no effect without slotted jobs; expected classes with units"},
    {"[platform]", "[platform]\ncosts = { epsilon = 0.05 }",
     "f.toml:3:21: platform.costs.epsilon: has no effect without slotted jobs; expected classes with units"},
    {"[platform]", "[platform]\ncosts = { epsilon = 0.0 }", ""},
    {"need = 1\n", "need = 1\nvalue = 2\ndeadline = { distribution = \"constant\", slots = 1 }\n",
     "f.toml:7:9: classes.light.value: has no effect without slotted jobs; expected units beside value\n"
     "f.toml:8:12: classes.light.deadline: has no effect without slotted jobs; expected units beside deadline"},
    {"need = 1\n", "need = 1\nutility = { function = \"linear\" }\ninitialisation = 0.1\njobs = 3\n",
     "f.toml:7:11: classes.light.utility: has no effect without slotted jobs; expected units beside utility\n"
     "f.toml:8:18: classes.light.initialisation: has no effect without slotted jobs; expected units beside "
     "initialisation\n"
     "f.toml:9:8: classes.light.jobs: has no effect without slotted jobs; expected units beside jobs"},
    {"\"msfq\"", "\"ispeed\"",
     "f.toml:17:8: policy.name: policy 'ispeed' cannot run these classes: class 'light' has no units; expected a "
     "policy of rigid or pooled jobs ({policies without slots})"},
};

INSTANTIATE_TEST_SUITE_P(without, mistakes_of_slots_without_slotted_jobs, testing::ValuesIn(mistakes_without_slots));

TEST(mistakes_in_populations, whose_classes_have_no_units_are_reported_word_for_word) {
  EXPECT_EQ(complaints(with("rate = 7.0", "process = \"uniform\"\nslots = 3")),
            "f.toml:15:11: arrivals.process: the jobs of process 'uniform' are slotted, but these classes have a size; "
            "expected one of: poisson, renewal, deterministic, batches, profile, modulated; or classes of slotted jobs "
            "and a policy of theirs");
}

TEST(mistakes_in_populations, in_the_deadline_that_a_sweep_moves_before_arrivals_are_reported) {
  const std::string fixed = replaced(slotted_sample, "\"uniform\", from = 1, to = 10", "\"fixed_slot\", slot = 30");
  EXPECT_EQ(complaints(fixed + "[sweep]\n\"arrivals.slots\" = [10, 31]\n"),
            "f.toml:17:50: classes.vip.deadline.slot: deadline before arrival: jobs arrive in slots up to 31; expected "
            "a slot from there on, found 30");
}

TEST_F(graph_folder, that_leaves_a_server_out_cannot_serve_slotted_jobs) {
  write("graph.txt", "free machine\nvip machine\nfree spare\n");
  const std::string text =
      replaced(slotted_sample, "count = 100 } ]", "count = 100 }, { name = \"spare\" } ]\ngraph = \"graph.txt\"");
  EXPECT_EQ(
      complaints_here(text),
      "f.toml:14:1: classes.vip.servers: expected all servers, because slotted jobs share all cores, found 1 of 2");
  EXPECT_EQ(complaints_here(replaced(text, "graph.txt", "none.txt")),
            "f.toml:4:9: platform.graph: 'none.txt' cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace muster
