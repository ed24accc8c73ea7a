#include <gtest/gtest.h>

#include "tests/scenario/resource_sample.h"
#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

bool same(const distribution& a, const distribution& b) {
  return a.name() == b.name() && a.values() == b.values() && a.mean() == b.mean() && a.variance() == b.variance();
}

void expect_same(const std::optional<slotted_spec>& a, const std::optional<slotted_spec>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->value, b->value);
  EXPECT_EQ(a->jobs, b->jobs);
  EXPECT_EQ(a->deadline.law, b->deadline.law);
  EXPECT_EQ(a->deadline.values, b->deadline.values);
  ASSERT_EQ(a->worth->units(), b->worth->units());
  for (unsigned k = 0; k < a->worth->units(); ++k) EXPECT_EQ(a->worth->gain(k), b->worth->gain(k));
}

void expect_same(const scenario& a, const scenario& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.about, b.about);
  EXPECT_EQ(a.unit.name, b.unit.name);
  ASSERT_EQ(a.servers.size(), b.servers.size());
  for (std::size_t i = 0; i < a.servers.size(); ++i) {
    EXPECT_EQ(a.servers[i].name, b.servers[i].name);
    EXPECT_EQ(a.servers[i].count, b.servers[i].count);
    EXPECT_EQ(a.servers[i].cores, b.servers[i].cores);
    EXPECT_EQ(a.servers[i].capacity, b.servers[i].capacity);
    ASSERT_EQ(a.servers[i].faults.has_value(), b.servers[i].faults.has_value());
    if (!a.servers[i].faults) continue;
    EXPECT_EQ(a.servers[i].faults->to_failure, b.servers[i].faults->to_failure);
    EXPECT_EQ(a.servers[i].faults->to_repair, b.servers[i].faults->to_repair);
  }
  EXPECT_EQ(a.costs.dispatch_latency, b.costs.dispatch_latency);
  EXPECT_EQ(a.costs.set_up, b.costs.set_up);
  EXPECT_EQ(a.costs.save, b.costs.save);
  EXPECT_EQ(a.costs.restore, b.costs.restore);
  EXPECT_EQ(a.costs.migration, b.costs.migration);
  EXPECT_EQ(a.costs.bandwidth, b.costs.bandwidth);
  EXPECT_EQ(a.costs.epsilon, b.costs.epsilon);
  EXPECT_EQ(a.checkpoint_every, b.checkpoint_every);
  EXPECT_EQ(a.checkpoint_cost, b.checkpoint_cost);
  EXPECT_EQ(a.slot, b.slot);
  EXPECT_EQ(a.timers.kind, b.timers.kind);
  EXPECT_EQ(a.timers.tick, b.timers.tick);
  EXPECT_EQ(a.network.shape, b.network.shape);
  EXPECT_EQ(a.network.link.latency, b.network.link.latency);
  EXPECT_EQ(a.network.link.bandwidth, b.network.link.bandwidth);
  EXPECT_EQ(a.network.values, b.network.values);
  EXPECT_EQ(a.network.dispatch_bytes, b.network.dispatch_bytes);
  EXPECT_EQ(a.network.message_bytes, b.network.message_bytes);
  EXPECT_EQ(a.decision.fixed, b.decision.fixed);
  EXPECT_EQ(a.decision.per_job, b.decision.per_job);
  EXPECT_EQ(a.decision.per_dispatch, b.decision.per_dispatch);
  ASSERT_EQ(a.classes.size(), b.classes.size());
  for (std::size_t i = 0; i < a.classes.size(); ++i) {
    EXPECT_EQ(a.classes[i].name, b.classes[i].name);
    EXPECT_EQ(a.classes[i].need, b.classes[i].need);
    EXPECT_EQ(a.classes[i].rate, b.classes[i].rate);
    EXPECT_EQ(a.classes[i].share, b.classes[i].share);
    EXPECT_TRUE(same(a.classes[i].size, b.classes[i].size));
    EXPECT_EQ(a.classes[i].servers, b.classes[i].servers);
    EXPECT_EQ(a.classes[i].drawn, b.classes[i].drawn);
    EXPECT_EQ(a.classes[i].state, b.classes[i].state);
    expect_same(a.classes[i].slotted, b.classes[i].slotted);
  }
  EXPECT_EQ(a.arrivals.kind, b.arrivals.kind);
  EXPECT_EQ(a.arrivals.rate, b.arrivals.rate);
  EXPECT_EQ(a.arrivals.values, b.arrivals.values);
  EXPECT_EQ(a.arrivals.lists, b.arrivals.lists);
  EXPECT_TRUE(same(a.arrivals.interarrival, b.arrivals.interarrival));
  EXPECT_EQ(a.policy.name, b.policy.name);
  EXPECT_EQ(a.policy.settings, b.policy.settings);
  EXPECT_EQ(a.run.jobs, b.run.jobs);
  EXPECT_EQ(a.run.replications, b.run.replications);
  EXPECT_EQ(a.run.seed, b.run.seed);
  EXPECT_EQ(a.run.warm_up, b.run.warm_up);
  EXPECT_EQ(a.run.warm_up_by_mser5, b.run.warm_up_by_mser5);
  EXPECT_EQ(a.run.batch_means, b.run.batch_means);
  ASSERT_EQ(a.run.precision.has_value(), b.run.precision.has_value());
  if (!a.run.precision) return;
  ASSERT_EQ(a.run.precision->targets.size(), b.run.precision->targets.size());
  for (std::size_t t = 0; t < a.run.precision->targets.size(); ++t) {
    const precision_target &x = a.run.precision->targets[t], &y = b.run.precision->targets[t];
    EXPECT_EQ(x.metric, y.metric);
    EXPECT_EQ(x.class_name, y.class_name);
    EXPECT_EQ(x.half_width, y.half_width);
  }
  EXPECT_EQ(a.run.precision->most_replications, b.run.precision->most_replications);
  EXPECT_EQ(a.record.jobs_in_system_every, b.record.jobs_in_system_every);
  EXPECT_EQ(a.record.until, b.record.until);
}

const std::string texts[] = {
    sample,
    with("name = \"base\"", "name = \"base\"\nabout = \"a \\\"quoted\\\" \\\\ line\\nand \\u00e9 \\u0001\""),
    with("share = 0.9", "share = 0.90000004"),
    with("[platform]", "record = { until = 1e3, jobs_in_system_every = 0.1 }\ntime_unit = \"ms\"\n[platform]"),
    with("servers = [ { name = \"node\", cores = 32 } ]",
         "servers = [ { name = \"a\", cores = 16 }, { name = \"b\", cores = 4, count = 4, capacity = 1 } ]"),
    with("rate = 7.0", "process = \"renewal\"\ninterarrival = { distribution = \"weibull\", shape = 2, mean = 0.1 }"),
    with("name = \"msfq\"", "name = \"static_quickswap\"\nhand_over = \"published\""),
    with("\"msfq\"", "\"static_quickswap\"") + "[sweep]\n\"policy.hand_over\" = [\"after_drain\", \"published\"]\n",
    sample + "[sweep]\npolicy = [\"msf\", { name = \"msfq\", threshold = 3 }, \"static_quickswap\"]\n",
    sample +
        "[sweep]\n\"policy.name\" = [\"msf\", \"msfq\", \"static_quickswap\"]\n\"arrivals.rate\" = [1, 1.5, 1e-3]\n",
    with("\"msfq\"", "\"static_quickswap\"") + "[sweep]\n\"platform.servers.node.cores\" = [64, 32]\n",
    with("\"msfq\"", "\"static_quickswap\"") + "[sweep]\n\"classes.light.need\" = [32, 2]\n\"run.seed\" = [1]\n",
    with("[policy]\nname = \"msfq\"\n", "") +
        "[sweep]\n\"record.until\" = [2.0]\npolicy = [{ name = \"msfq\" }, \"fcfs\"]\n",
    sample + "[sweep]\n\"policy.threshold\" = [1, 2]\npolicy = [\"msfq\", \"static_quickswap\"]\n",
    with("heavy", "he.avy") +
        "[sweep]\n\"classes.he.avy.size\" = [{ distribution = \"uniform\", low = 1, high = 2 }]\n",
    with("[[classes]]",
         "costs = { save = 0.25, restore = 0.5, migration = 1, bandwidth = 1e9 }\ntimers = { tick = 1e-3 "
         "}\n[[classes]]\nstate = 4096"),
    pooled_sample,
    replaced(pooled_sample, "rate = 1.0", "load = 1.25") +
        "[sweep]\n\"classes.*.size\" = [{ distribution = "
        "\"zipf_phases\", most = 200, exponent = 2.0, mean = 1 }, { distribution = \"bimodal_phases\", phases = "
        "[25, 1], probabilities = [0.25, 0.75], phase_mean = 0.2 }]\n\"classes.*.servers.random\" = [1, 3]\n",
    replaced(pooled_sample, "theta = 0.5", "interruptions_per_job = 0") +
        "[sweep]\n\"policy.theta\" = [1, 2]\n"
        "\"arrivals.load\" = [0.5, 0.75]\n\"platform.servers.*.capacity\" = [1.0, 2.0]\n",
    replaced(pooled_sample, "[policy]\nname = \"balanced_fair\"\ntheta = 0.5\n", "") +
        "[sweep]\npolicy = [\"fcfs_pooled\", "
        "{ name = \"balanced_fair\", theta = 2 }]\n\"platform.timers.law\" = [\"exponential\", \"deterministic\"]\n",
    with("cores = 32 }", "cores = 32, power = { idle = 1.0 } }"),
    with_resources(
        "memory = 256e9, gpu = 4 }",
        "memory = 256e9, gpu = 4 }, power = { resources = { gpu = { idle = 1 }, memory = { busy = \"0.1 W/GB\" } "
        "} }") +
        "[price]\nresources = { licence = 3, memory = \"0.004 / GB\" }\n",
    with_resources("amount = 10", "amount = 10, power = { busy = 2 }"),
    with("cores = 32 }", "cores = 32, power = { sleep_after = 1.0 }, faults = { to_failure = 9.0, to_repair = 1.0 } }"),
    slotted_sample,
    replaced(slotted_sample, "deadline = { distribution = \"uniform\", from = 1, to = 10 }\n",
             "utility = { points = [[0, 0], [0.3, 0.9], [1, 1]] }\n"),
    replaced(slotted_sample, "loose = 100, tight_share = 0.25", "loose = \"arrival_slots\"") +
        "[sweep]\n\"arrivals.slots\" = [1, 2]\n\"classes.*.units\" = [3, 4]\n\"platform.costs.epsilon\" = [0, 0.5]\n"
        "policy = [\"ispeed\", { name = \"ispeed\", gain = \"literal\" }, \"edf\"]\n",
    slotted_stream,
    slotted_stream +
        "[sweep]\n\"classes.free.utility\" = [{ function = \"steps\", tasks = 5 }, { function = "
        "\"google_search\" }, { function = \"set_up\", share = 0.1, steepness = 3 }]\n\"platform.slot\" = "
        "[0.5, 1]\n",
    sample + "[sweep]\ntime_unit = [\"h\"]\nplatform = [{ servers = [{ name = \"x\", cores = 32 }] }]\n",
};

TEST(resolved_text, reads_back_as_the_same_study) {
  for (const std::string& text : texts) {
    SCOPED_TRACE(text);
    const study once = read(text);
    const study again = read(once.resolved);
    EXPECT_EQ(once.name, again.name);
    EXPECT_EQ(once.about, again.about);
    EXPECT_EQ(once.keys, again.keys);
    ASSERT_EQ(once.points.size(), again.points.size());
    for (std::size_t i = 0; i < once.points.size(); ++i) {
      EXPECT_EQ(once.points[i].values, again.points[i].values);
      expect_same(once.points[i].model, again.points[i].model);
    }
  }
}

TEST(resolved_text, is_written_alike_when_it_is_read_back) {
  for (const std::string& text : texts) {
    const study once = read(text);
    EXPECT_EQ(read(once.resolved).resolved, once.resolved) << text;
  }
}

TEST(resolved_text, holds_every_default) {
  EXPECT_EQ(read(sample).resolved, R"(name = "base"
about = ""
time_unit = "s"

[platform]
servers = [{ name = "node", cores = 32, count = 1, capacity = 1.0 }]
costs = { dispatch_latency = 0.0, set_up = 0.0, save = 0.0, restore = 0.0, migration = 0.0 }
timers = { law = "exponential", tick = 0.0 }
link = { topology = "star", latency = 0.0, dispatch_bytes = 40, message_bytes = 8, sharing = "fifo" }
decision = { fixed = 0.0, per_job = 0.0, per_dispatch = 0.0 }

[[classes]]
name = "light"
need = 1
share = 0.9
size = { distribution = "exponential", mean = 1.0 }
servers = ["node"]
state = 0.0

[[classes]]
name = "heavy"
need = 32
share = 0.1
size = { distribution = "exponential", mean = 1.0 }
servers = ["node"]
state = 0.0

[arrivals]
rate = 7.0
process = "poisson"

[policy]
name = "msfq"
threshold = 31
drain = "always"

[run]
jobs = 1000
intervals = "replications"
replications = 10
seed = 1
warm_up = 0.1
)");
}

TEST(resolved_text, holds_every_default_of_slotted_jobs) {
  EXPECT_EQ(read(slotted_stream).resolved, R"(name = "stream"
about = ""
time_unit = "s"

[platform]
servers = [{ name = "machine", count = 100, cores = 1, capacity = 1.0 }]
slot = 1.0
costs = { dispatch_latency = 0.0, set_up = 0.0, save = 0.0, restore = 0.0, migration = 0.0, epsilon = 0.0 }
timers = { law = "exponential", tick = 0.0 }
link = { topology = "star", latency = 0.0, dispatch_bytes = 40, message_bytes = 8, sharing = "fifo" }
decision = { fixed = 0.0, per_job = 0.0, per_dispatch = 0.0 }

[[classes]]
name = "free"
units = 50
share = 1.0
need = 1
servers = ["machine"]
value = 1.0
initialisation = 0.0
utility = { function = "linear" }
state = 0.0

[arrivals]
load = 0.5
process = "poisson"

[policy]
name = "fifo"

[run]
jobs = 1000000
intervals = "replications"
replications = 10
seed = 1
warm_up = 0.1
)");
}

TEST(resolved_text, of_finite_arrivals_has_no_number_of_jobs_to_run) {
  const std::string resolved = read(slotted_sample).resolved;
  EXPECT_NE(resolved.find("[run]\nintervals = \"replications\"\nreplications = 10\nseed = 1\nwarm_up = 0.0\n"),
            std::string::npos)
      << resolved;
}

TEST(resolved_text, leaves_defaults_out_that_differ_between_points) {
  const study s =
      read(with("\"msfq\"", "\"static_quickswap\"") + "[sweep]\n\"platform.servers.node.cores\" = [32, 64]\n");
  EXPECT_EQ(s.resolved.find("threshold"), std::string::npos);
  EXPECT_NE(s.resolved.find("hand_over = \"after_drain\""), std::string::npos);
}

}  // namespace
}  // namespace muster
