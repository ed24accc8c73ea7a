#include "tests/scenario/mistake.h"

namespace muster {
namespace {

class mistakes_elsewhere : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_elsewhere, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(with(m.from, m.to)), with_policies(m.message));
}

const mistake arrival_mistakes[] = {
    {"rate = 7.0", "", "f.toml:14:1: arrivals.rate: missing; expected rate or load"},
    {"rate = 7.0", "rate = 0", "f.toml:15:8: arrivals.rate: expected a number > 0, found 0"},
    {"rate = 7.0", "rate = 2020-01-01", "f.toml:15:8: arrivals.rate: expected a number, found a date or time"},
    {"rate = 7.0", "rate = 7.0\nprocess = \"possion\"",
     "f.toml:16:11: arrivals.process: unknown process 'possion'; did you mean 'poisson'?"},
    {"rate = 7.0", "rate = 7.0\nprocess = \"renewal\"",
     "f.toml:14:1: arrivals.interarrival: missing; expected a table such as { distribution = \"exponential\", mean = "
     "1.0 }"},
    {"rate = 7.0", "rate = 7.0\ninterarrival = { distribution = \"deterministic\", value = 1 }",
     "f.toml:16:16: arrivals.interarrival: has no effect with process 'poisson'; expected process 'renewal'"},
    {"rate = 7.0", "rate = 2e9",
     "f.toml:15:8: arrivals.rate: arrivals come every 5e-10 s on average; expected at least the clock's step of "
     "1e-09 s"},
    {"[platform]", "record = 3\n[platform]", "f.toml:2:10: record: expected a table, found an integer"},
};

const mistake price_mistakes[] = {
    {"[policy]", "[price]\ncore = -1\n[policy]", "f.toml:17:8: price.core: expected a number >= 0, found -1"},
    {"[policy]", "[price]\ncore = 1e300\n[policy]", "f.toml:17:8: price.core: expected at most 1e+50, found 1e+300"},
    {"[policy]", "[price]\nlink = 1e51\n[policy]", "f.toml:17:8: price.link: expected at most 1e+50, found 1e+51"},
    {"[policy]", "[price]\nservers.node = 1e60\n[policy]",
     "f.toml:17:16: price.servers.node: expected at most 1e+50, found 1e+60"},
    {"[policy]", "[price]\nservers.nod = 1\n[policy]",
     "f.toml:17:9: price.servers.nod: unknown key; did you mean 'node'?"},
    {"[policy]", "[price]\nservers = 3\n[policy]", "f.toml:17:11: price.servers: expected a table, found an integer"},
    {"[policy]", "[price]\nwatt = 1\n[policy]",
     "f.toml:17:8: price.watt: has no effect without power; expected servers, or resources of the cluster, with "
     "power"},
    {"[policy]", "[price]\nwat = 1\n[policy]", "f.toml:17:1: price.wat: unknown key; did you mean 'watt'?"},
};

const mistake policy_mistakes[] = {
    {"[policy]\nname = \"msfq\"\n", "", "f.toml:1:1: policy.name: missing; expected one of: {policies}"},
    {"name = \"msfq\"", "name = \"mfsq\"", "f.toml:17:8: policy.name: unknown policy 'mfsq'; did you mean 'msfq'?"},
    {"name = \"msfq\"", "name = \"round_robin\"",
     "f.toml:17:8: policy.name: unknown policy 'round_robin'; expected one of: {policies}; one of a plugin needs "
     "--plugin FILE"},
    {"name = \"msfq\"", "name = \"msfq\"\nthreshold = 32",
     "f.toml:18:13: policy.threshold: expected an integer from 0 to 31, found 32"},
    {"name = \"msfq\"", "name = \"msfq\"\nthreshold = \"31\"",
     "f.toml:18:13: policy.threshold: expected an integer, found a string"},
    {"name = \"msfq\"", "name = \"msfq\"\nthreshhold = 31",
     "f.toml:18:1: policy.threshhold: unknown key; did you mean 'threshold'?"},
    {"name = \"msfq\"", "name = \"msfq\"\ndrain = \"never\"",
     "f.toml:18:9: policy.drain: unknown drain 'never'; expected one of: always, if_heavy_waits"},
    {"name = \"msfq\"", "name = \"fcfs\"\nthreshold = 3",
     "f.toml:18:1: policy.threshold: unknown key; expected one of: name"},
    {"name = \"msfq\"", "name = \"static_quickswap\"\norder = [\"light\"]",
     "f.toml:18:9: policy.order: class 'heavy' is missing; expected every class exactly once"},
    {"name = \"msfq\"", "name = \"static_quickswap\"\norder = [\"light\", \"heavi\"]",
     "f.toml:18:19: policy.order: unknown class 'heavi'; did you mean 'heavy'?"},
    {"name = \"msfq\"", "name = \"static_quickswap\"\norder = \"light\"",
     "f.toml:18:9: policy.order: expected an array of class names, found a string"},
    {"name = \"msfq\"", "name = \"static_quickswap\"\nhand_over = \"published\"\nthreshold = 3\ndrain = \"always\"",
     "f.toml:19:13: policy.threshold: has no effect with hand_over 'published'; expected no threshold beside it\n"
     "f.toml:20:9: policy.drain: has no effect with hand_over 'published'; expected no drain beside it"},
    {"need = 1\n", "need = 2\n",
     "f.toml:17:8: policy.name: policy 'msfq' cannot run these classes: it is defined for one-or-all workloads: two "
     "classes, one that needs 1 core and one that needs them all"},
};

const mistake run_and_record_mistakes[] = {
    {"jobs = 1000", "jobs = 0", "f.toml:19:8: run.jobs: expected an integer from 1 to 1000000000000, found 0"},
    {"jobs = 1000", "jobs = 1e6", "f.toml:19:8: run.jobs: expected an integer, found 1000000.0; write 1000000"},
    {"jobs = 1000", "jobs = 1000\nreplications = 0\nseed = -1\nwarm_up = 1",
     "f.toml:20:16: run.replications: expected an integer from 1 to 100000, found 0\n"
     "f.toml:21:8: run.seed: expected an integer from 0 to 9223372036854775807, found -1\n"
     "f.toml:22:11: run.warm_up: expected a number >= 0 and < 1, found 1"},
    {"jobs = 1000", "jobs = 1000\nwarm_up = \"mser\"",
     "f.toml:20:11: run.warm_up: unknown rule 'mser'; did you mean 'mser5'?"},
    {"jobs = 1000", "jobs = 1000\nprecision = \"1\"",
     "f.toml:20:13: run.precision.half_width: expected a share > 0 and < 1, such as 0.01 or \"1%\", found '1'"},
    {"jobs = 1000", "jobs = 1000\nprecision = 1",
     "f.toml:20:13: run.precision.half_width: expected a share > 0 and < 1, such as 0.01 or \"1%\", found 1"},
    {"jobs = 1000", "jobs = 1000\nprecision = { half_width = \"0%\", metric = \"respons_time\", class = \"lihgt\" }",
     "f.toml:20:28: run.precision.half_width: expected a share > 0 and < 1, such as 0.01 or \"1%\", found '0%'\n"
     "f.toml:20:43: run.precision.metric: unknown metric 'respons_time'; did you mean 'response_time'?\n"
     "f.toml:20:67: run.precision.class: unknown class 'lihgt'; did you mean 'light'?"},
    {"jobs = 1000", "jobs = 1000\nprecision = { half_width = 0.1, metric = \"fairness_jain\", class = \"light\" }",
     "f.toml:20:67: run.precision.class: fairness_jain is measured of all classes together; expected 'all', found "
     "'light'"},
    {"jobs = 1000", "jobs = 1000\nprecision = { metric = \"response_time\" }",
     "f.toml:20:13: run.precision.half_width: missing; expected a share > 0 and < 1, such as 0.01 or \"1%\""},
    {"jobs = 1000", "jobs = 1000\nmost_replications = 50",
     "f.toml:20:21: run.most_replications: has no effect without run.precision or run.equal_within"},
    {"jobs = 1000", "jobs = 1000\nprecision = 0.1\nreplications = 30\nmost_replications = 20",
     "f.toml:22:21: run.most_replications: expected at least run.replications, which is 30, found 20"},
    {"jobs = 1000", "jobs = 1000\nintervals = \"batches\"",
     "f.toml:20:13: run.intervals: unknown kind of intervals 'batches'; expected one of: replications, batch_means"},
    {"jobs = 1000", "jobs = 1000\nintervals = \"batch_means\"\nreplications = 2",
     "f.toml:21:16: run.replications: expected 1, because run.intervals are 'batch_means', found 2"},
    {"jobs = 1000", "jobs = 1000\nintervals = \"batch_means\"\nprecision = { half_width = 0.1, metric = \"slowdown\" }",
     "f.toml:21:42: run.precision.metric: batch means give slowdown no interval; expected one of: response_time, "
     "waiting_time, time_to_start"},
    {"jobs = 1000", "jobs = 1000\nprecision = { half_width = 0.1, metric = \"failures_per_job\" }",
     "f.toml:20:42: run.precision.metric: failures_per_job is not measured in this scenario; it needs servers with "
     "faults"},
    {"jobs = 1000", "jobs = 1000\nprecision = { half_width = 0.1, metric = \"phase_share\" }",
     "f.toml:20:42: run.precision.metric: phase_share is measured of phases, of which there is no precision"},
    {"jobs = 1000", "jobs = 1000\nprecision = { half_width = 0.1, metric = \"sensitivity\" }",
     "f.toml:20:42: run.precision.metric: sensitivity is not measured in each replication, but taken from several "
     "points together"},
    {"jobs = 1000",
     "jobs = 1000\nprecision = [{ half_width = 0.1 }, { half_width = 2, metric = \"slowdown\", clas = \"light\" }, { "
     "half_width = 0.2, class = \"all\" }]",
     "f.toml:20:51: run.precision[1].half_width: expected a share > 0 and < 1, such as 0.01 or \"1%\", found 2\n"
     "f.toml:20:75: run.precision[1].clas: unknown key; did you mean 'class'?\n"
     "f.toml:20:93: run.precision[2].metric: response_time of 'all' is listed twice"},
    {"jobs = 1000", "jobs = 1000\nprecision = { half_width = 0.1, metric = 3 }",
     "f.toml:20:42: run.precision.metric: expected a string, found an integer"},
    {"jobs = 1000", "jobs = 1000\nprecision = []",
     "f.toml:20:13: run.precision: expected at least one table, found an empty array"},
    {"jobs = 1000", "jobs = 1000\nseeds = 1", "f.toml:20:1: run.seeds: unknown key; did you mean 'seed'?"},
    {"jobs = 1000", "jobs = 1_000_000_000_000\n[record]\nuntil = 1e12\njobs_in_system_every = 1e-12",
     "f.toml:19:8: run.jobs: 1000000000000 jobs take about 1.43e+11 s; expected less than 4.61e+09 s, the range of "
     "the clock\n"
     "f.toml:21:9: record.until: expected less than 4.61e+09 s, the range of the clock, found 1000000000000\n"
     "f.toml:22:24: record.jobs_in_system_every: expected at least the clock's step of 1e-09 s, found 1e-12"},
};

const mistake several_mistakes_at_once[] = {
    {"rate = 7.0", "rate = -7.0\nrat = 1\n[plattform]\nx = 1",
     "f.toml:15:8: arrivals.rate: expected a number > 0, found -7\n"
     "f.toml:16:1: arrivals.rat: unknown key; did you mean 'rate'?\n"
     "f.toml:17:2: plattform: unknown key; did you mean 'platform'?"},
};

const mistake sweep_mistakes[] = {
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"arrivals.rte\" = [1, 2]",
     "f.toml:21:1: arrivals.rte: unknown key; did you mean 'rate'?"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"arrival.rate\" = [1, 2]",
     "f.toml:21:1: arrival: unknown key; did you mean 'arrivals'?"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"arrivals.rate\" = 1",
     "f.toml:21:19: sweep.\"arrivals.rate\": expected an array of at least one value, found an integer"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"arrivals.rate\" = []",
     "f.toml:21:19: sweep.\"arrivals.rate\": expected an array of at least one value, found an empty array"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\narrivals.rate = [1, 2]",
     "f.toml:21:1: sweep.arrivals: expected an array of at least one value, found a table; dotted keys stand in "
     "quotes here, such as \"arrivals.KEY\""},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"arrivals..rate\" = [1, 2]",
     "f.toml:21:1: sweep.\"arrivals..rate\": expected a dotted key such as \"arrivals.rate\""},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"arrivals.rate\" = [1, 2,\n  -3]",
     "f.toml:22:3: arrivals.rate: expected a number > 0, found -3"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"arrivals.rate\" = [1, 1.0]",
     "f.toml:21:23: sweep.\"arrivals.rate\": the value 1 is listed twice"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"policy\" = [\n  { name = \"msfq\", threshold = 99 },\n  \"mfs\" ]",
     "f.toml:22:32: policy.threshold: expected an integer from 0 to 31, found 99\n"
     "f.toml:23:3: policy.name: unknown policy 'mfs'; did you mean 'msf'?"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"classes.lihgt.need\" = [1]",
     "f.toml:21:1: classes.lihgt.need: unknown name 'lihgt' in classes; did you mean 'light'?"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"classes.light\" = [1]",
     "f.toml:21:1: classes.light: classes is an array of tables; expected classes.NAME.KEY"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"run.jobs.x\" = [1]",
     "f.toml:21:1: run.jobs.x: run.jobs is an integer; expected a table"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\nname = [\"a\"]\n\"sweep.x\" = [1]",
     "f.toml:21:1: sweep.name: belongs to the whole study; expected a key that its points can differ in\n"
     "f.toml:22:1: sweep.\"sweep.x\": belongs to the whole study; expected a key that its points can differ in"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"run.seed\" = [1]\n\"arrivals.'rate'\" = [1]\n\"arrivals.rate\" = [2]",
     "f.toml:23:1: sweep.\"arrivals.rate\": is swept twice"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"policy.name\" = [\"msfq\", \"fcfs\"]\n\"policy.threshold\" = [3]",
     "f.toml:22:1: policy.threshold: unknown key; expected one of: name"},
    {"jobs = 1000", "jobs = 1000\n[sweep]\n\"run.seed\" = [1]\ntime_unit = [\"s\", \"ms\"]",
     "f.toml:22:1: sweep.time_unit: gives the points results in different units, which cannot be compared; expected "
     "one "
     "time unit for the whole study"},
    {"[platform]", "sweep = 3\n[platform]", "f.toml:2:9: sweep: expected a table, found an integer"},
    {"name = \"msfq\"\n", "nmae = \"msfq\"\n[sweep]\npolicy = [\"msf\"]\n",
     "f.toml:16:1: policy.name: missing; expected one of: {policies}"},
};

const mistake report_mistakes[] = {
    {"jobs = 1000", "jobs = 1000\n[report]\nmetrics = \"response_time\"",
     "f.toml:21:11: report.metrics: expected an array of strings, each METRIC or METRIC[CLASS], found a string"},
    {"jobs = 1000", "jobs = 1000\n[report]\nmetrics = []",
     "f.toml:21:11: report.metrics: expected at least one string, found an empty array"},
    {"jobs = 1000", "jobs = 1000\n[report]\nmetrics = [\"respons_time\", \"response_time[lihgt]\", 3]",
     "f.toml:21:12: report.metrics: unknown metric 'respons_time'; did you mean 'response_time'?\n"
     "f.toml:21:28: report.metrics: unknown class 'lihgt'; did you mean 'light'?\n"
     "f.toml:21:52: report.metrics: expected an array of strings, each METRIC or METRIC[CLASS], found an integer"},
    {"jobs = 1000", "jobs = 1000\n[report]\nmetrics = [\"response_time[light\"]",
     "f.toml:21:12: report.metrics: unknown metric 'response_time[light'; did you mean 'response_time'?"},
    {"jobs = 1000", "jobs = 1000\n[report]\nmetrics = [\"utility\", \"weighted_response_time[light]\"]",
     "f.toml:21:12: report.metrics: utility is not measured in this scenario; it needs slotted jobs\n"
     "f.toml:21:23: report.metrics: weighted_response_time is measured of all classes together; expected 'all', found "
     "'light'"},
    {"jobs = 1000",
     "jobs = 1000\n[report]\nmetrics = [\"utilization\", \"waiting_time[heavy]\", \"waiting_time[heavy]\"]",
     "f.toml:21:12: report.metrics: of utilization, neither smaller nor larger values are better\n"
     "f.toml:21:50: report.metrics: waiting_time[heavy] is listed twice"},
    {"jobs = 1000", "jobs = 1000\n[report]\nexplain = 1",
     "f.toml:21:11: report.explain: expected true or false, found an integer"},
};

const mistake syntax_errors[] = {
    {"rate = 7.0", "rate = ", "f.toml:15:8: syntax: Error while parsing key-value pair: expected value, saw '\\n'"},
    {"rate = 7.0", "rate = 7.0.0",
     "f.toml:15:11: syntax: Error while parsing floating-point: expected decimal digit or exponent, saw '.'"},
    {"rate = 7.0", "rate = 7.0\nrate = 8.0",
     "f.toml:16:8: syntax: Error while parsing key-value pair: cannot redefine existing floating-point 'rate'"},
    {"servers = [ {", "servers = [ [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ {",
     "f.toml:3:44: syntax: nested too deeply: expected at most 32"},
    {"rate = 7.0", "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1",
     "f.toml:15:66: syntax: nested too deeply: expected at most 32"},
};

INSTANTIATE_TEST_SUITE_P(arrival, mistakes_elsewhere, testing::ValuesIn(arrival_mistakes));
INSTANTIATE_TEST_SUITE_P(price, mistakes_elsewhere, testing::ValuesIn(price_mistakes));
INSTANTIATE_TEST_SUITE_P(policy, mistakes_elsewhere, testing::ValuesIn(policy_mistakes));
INSTANTIATE_TEST_SUITE_P(report, mistakes_elsewhere, testing::ValuesIn(report_mistakes));
INSTANTIATE_TEST_SUITE_P(run_and_record, mistakes_elsewhere, testing::ValuesIn(run_and_record_mistakes));
INSTANTIATE_TEST_SUITE_P(several, mistakes_elsewhere, testing::ValuesIn(several_mistakes_at_once));
INSTANTIATE_TEST_SUITE_P(sweep, mistakes_elsewhere, testing::ValuesIn(sweep_mistakes));
INSTANTIATE_TEST_SUITE_P(syntax, mistakes_elsewhere, testing::ValuesIn(syntax_errors));

TEST(policy_whose_times_are_in_seconds, is_refused_with_another_unit_of_time) {
  const std::string by_slurm = replaced(sample, "name = \"msfq\"", "name = \"slurm\"");
  EXPECT_EQ(complaints(replaced(by_slurm, "name = \"base\"", "name = \"base\"\ntime_unit = \"h\"")),
            "f.toml:18:8: policy.name: the times of policy 'slurm' are in seconds; expected time_unit 's', found 'h'");
}

const mistake slurm_mistakes[] = {
    {"name = \"msfq\"", "name = \"slurm\"\nbf_interval = 0",
     "f.toml:18:15: policy.bf_interval: expected an integer from 1 to 31536000, found 0"},
    {"name = \"msfq\"", "name = \"slurm\"\nbf_interval = 30.0",
     "f.toml:18:15: policy.bf_interval: expected an integer, found 30.0; write 30"},
    {"name = \"msfq\"", "name = \"slurm\"\nsched_interval = -2",
     "f.toml:18:18: policy.sched_interval: expected an integer from -1 to 31536000, found -2"},
    {"name = \"msfq\"", "name = \"slurm\"\nbf_intervall = 30",
     "f.toml:18:1: policy.bf_intervall: unknown key; did you mean 'bf_interval'?"},
    {"name = \"msfq\"", "name = \"slurm\"\nSchedulerType = \"sched/builtin\"",
     "f.toml:18:17: policy.SchedulerType: unknown SchedulerType 'sched/builtin'; expected one of: backfill, builtin"},
    {"name = \"msfq\"", "name = \"slurm\"\nPriorityMaxAge = -1",
     "f.toml:18:18: policy.PriorityMaxAge: expected a number >= 0, found -1"},
    {"name = \"msfq\"", "name = \"slurm\"\nPriorityCalcPeriod = 0.0",
     "f.toml:18:22: policy.PriorityCalcPeriod: expected a number >= 1, found 0"},
    {"name = \"msfq\"", "name = \"slurm\"\nPriorityCalcPeriod = 0.001",
     "f.toml:18:22: policy.PriorityCalcPeriod: expected a number >= 1, found 0.001"},
    {"name = \"msfq\"", "name = \"slurm\"\nSchedulerType = \"builtin\"\nsched_interval = -1",
     "f.toml:19:18: policy.sched_interval: expected at least 0 with SchedulerType 'builtin', which has main passes "
     "alone, found -1"},
    {"name = \"msfq\"", "name = \"slurm\"\nPreemptType = \"partition_prio\"\nPreemptMode = \"off\"",
     "f.toml:19:15: policy.PreemptMode: expected 'requeue' or 'cancel' with PreemptType 'partition_prio', found 'off'"},
    {"name = \"msfq\"", "name = \"slurm\"\nPreemptMode = \"cancel\"",
     "f.toml:18:15: policy.PreemptMode: expected 'off' with PreemptType 'none', found 'cancel'"},
    {"name = \"msfq\"", "name = \"slurm\"\nPreemptMode = \"suspend\"",
     "f.toml:18:15: policy.PreemptMode: unknown PreemptMode 'suspend'; expected one of: off, requeue, cancel"},
};

INSTANTIATE_TEST_SUITE_P(slurm, mistakes_elsewhere, testing::ValuesIn(slurm_mistakes));

TEST(partition_of_slurm, is_refused_with_a_parameter_that_no_partition_has) {
  const std::string by_slurm = replaced(sample, "name = \"msfq\"", "name = \"slurm\"");
  EXPECT_EQ(complaints(replaced(by_slurm, "need = 1\n", "need = 1\npolicy = { PriorityTeir = 2 }\n")),
            "f.toml:7:12: classes.light.policy.PriorityTeir: unknown key; did you mean 'PriorityTier'?");
  EXPECT_EQ(complaints(replaced(by_slurm, "need = 1\n", "need = 1\npolicy = { PriorityTier = 65534 }\n")),
            "f.toml:7:27: classes.light.policy.PriorityTier: expected an integer from 0 to 65533, found 65534");
}

}  // namespace
}  // namespace muster
