#include "tests/scenario/mistake.h"

namespace muster {
namespace {

class mistakes_in_costs_and_timers : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_costs_and_timers, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(with(m.from, m.to)), m.message);
}

const mistake cost_mistakes[] = {
    {"[[classes]]", "costs = { save = -1, restore = \"1\", migration = nan }\n[[classes]]",
     "f.toml:4:18: platform.costs.save: expected a number >= 0, found -1\n"
     "f.toml:4:32: platform.costs.restore: expected a number, found a string\n"
     "f.toml:4:49: platform.costs.migration: expected a finite number, found nan"},
    {"[[classes]]", "costs = { migration = 1e10 }\n[[classes]]",
     "f.toml:4:23: platform.costs.migration: expected less than 4.61e+09 s, the range of the clock, found 10000000000"},
    {"[[classes]]", "costs = { bandwidth = 0 }\n[[classes]]",
     "f.toml:4:23: platform.costs.bandwidth: expected a number > 0, found 0"},
    {"[[classes]]", "costs = { bandwith = 1e9 }\n[[classes]]",
     "f.toml:4:11: platform.costs.bandwith: unknown key; did you mean 'bandwidth'?"},
    {"need = 1\n", "need = 1\nstate = -1\n", "f.toml:7:9: classes.light.state: expected a number >= 0, found -1"},
    {"[[classes]]", "costs = { bandwidth = 1e-300 }\n[[classes]]",
     "f.toml:4:23: platform.costs.bandwidth: a byte takes 1e+300 s; expected less than 4.61e+09 s, the range of the "
     "clock"},
    {"[[classes]]", "costs = { bandwidth = 1.0 }\n[[classes]]\nstate = 1e10",
     "f.toml:6:9: classes.light.state: takes 1e+10 s to move; expected less than 4.61e+09 s, the range of the clock"},
};

const mistake timer_mistakes[] = {
    {"[[classes]]", "timers = \"exponential\"\n[[classes]]",
     "f.toml:4:10: platform.timers: expected a table, found a string"},
    {"[[classes]]", "timers = { law = \"exponentail\" }\n[[classes]]",
     "f.toml:4:18: platform.timers.law: unknown law 'exponentail'; did you mean 'exponential'?"},
    {"[[classes]]", "timers = { law = \"uniform\" }\n[[classes]]",
     "f.toml:4:18: platform.timers.law: unknown law 'uniform'; expected one of: exponential, deterministic"},
    {"[[classes]]", "timers = { tick = -0.5 }\n[[classes]]",
     "f.toml:4:19: platform.timers.tick: expected a number >= 0, found -0.5"},
    {"[[classes]]", "timers = { tick = 1e-12 }\n[[classes]]",
     "f.toml:4:19: platform.timers.tick: expected at least the clock's step of 1e-09 s, found 1e-12"},
    {"[[classes]]", "timers = { ticks = 1.0 }\n[[classes]]",
     "f.toml:4:12: platform.timers.ticks: unknown key; did you mean 'tick'?"},
};

const mistake fault_mistakes[] = {
    {"cores = 32", "cores = 32, faults = { to_failure = 0, to_repair = -1 }",
     "f.toml:3:66: platform.servers.node.faults.to_failure: expected a number > 0, found 0\n"
     "f.toml:3:81: platform.servers.node.faults.to_repair: expected a number > 0, found -1"},
    {"cores = 32", "cores = 32, faults = { to_failure = 1.0, repair = 1.0 }",
     "f.toml:3:51: platform.servers.node.faults.to_repair: missing; expected a number > 0\n"
     "f.toml:3:71: platform.servers.node.faults.repair: unknown key; expected one of: to_failure, to_repair"},
    {"[[classes]]", "checkpoint_every = 1.0\n[[classes]]",
     "f.toml:4:20: platform.checkpoint_every: has no effect without faults; expected servers with faults"},
    {"cores = 32 } ]", "cores = 32, faults = { to_failure = 9, to_repair = 1 } } ]\ncheckpoint_cost = 1.0",
     "f.toml:4:19: platform.checkpoint_cost: has no effect without checkpoint_every; expected work between "
     "checkpoints"},
    {"cores = 32 } ]",
     "cores = 32, faults = { to_failure = 9, to_repair = 1 } } ]\ncheckpoint_every = 0\ncheckpoint_cost = 1.0",
     "f.toml:5:19: platform.checkpoint_cost: continuous checkpoints take no time; expected checkpoint_every > 0"},
};

INSTANTIATE_TEST_SUITE_P(fault, mistakes_in_costs_and_timers, testing::ValuesIn(fault_mistakes));
INSTANTIATE_TEST_SUITE_P(cost, mistakes_in_costs_and_timers, testing::ValuesIn(cost_mistakes));
INSTANTIATE_TEST_SUITE_P(timer, mistakes_in_costs_and_timers, testing::ValuesIn(timer_mistakes));

}  // namespace
}  // namespace muster
