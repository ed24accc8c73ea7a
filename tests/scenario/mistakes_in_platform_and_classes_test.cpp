#include "tests/scenario/mistake.h"

namespace muster {
namespace {

TEST(names, longer_than_file_names_can_be_are_refused) {
  const std::string longest(200, 'x'), longer = longest + "x";
  EXPECT_EQ(complaints(with("name = \"light\"", "name = \"" + longest + "\"")), "");
  for (const char* name : {"light", "node", "base"}) {
    const std::string message = complaints(with(std::string("name = \"") + name, "name = \"" + longer));
    EXPECT_NE(message.find(": expected a name of at most 200 characters, found 201"), std::string::npos) << message;
  }
}

class mistakes_in_platform_and_classes : public testing::TestWithParam<mistake> {};

TEST_P(mistakes_in_platform_and_classes, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(with(m.from, m.to)), m.message);
}

const mistake top_level_mistakes[] = {
    {"name = \"base\"\n", "\n", "f.toml:1:1: name: missing; expected a string"},
    {"name = \"base\"", "name = \"two words\"",
     "f.toml:1:8: name: expected a name of letters, digits, '_' and '-', found 'two words'"},
    {"name = \"base\"", "name = \"\"", "f.toml:1:8: name: expected a name of letters, digits, '_' and '-', found ''"},
    {"name = \"base\"", "name = 7", "f.toml:1:8: name: expected a string, found an integer"},
    {"name = \"base\"", "nmae = \"base\"",
     "f.toml:1:1: name: missing; expected a string\n"
     "f.toml:1:1: nmae: unknown key; did you mean 'name'?"},
    {"name = \"base\"", "name = \"base\"\nabout = 3.5", "f.toml:2:9: about: expected a string, found a number"},
    {"name = \"base\"", "name = \"base\"\ntime_unit = \"sec\"",
     "f.toml:2:13: time_unit: unknown time unit 'sec'; expected one of: ns, us, ms, s, min, h, d"},
    {"name = \"base\"", "name = \"base\"\ntime_unit = \"fortnight\"",
     "f.toml:2:13: time_unit: unknown time unit 'fortnight'; expected one of: ns, us, ms, s, min, h, d"},
    {"name = \"base\"", "name = \"base\"\n\"new\\nline\" = 1",
     "f.toml:2:1: new\\nline: unknown key; expected one of: name, about, time_unit, platform, events, fmu, classes, "
     "arrivals, initial, policy, run, record, price, report, sweep"},
};

const mistake platform_mistakes[] = {
    {"servers = [ { name = \"node\", cores = 32 } ]", "servers = []",
     "f.toml:3:11: platform.servers: expected at least one table, found an empty array"},
    {"servers = [ { name = \"node\", cores = 32 } ]", "servers = \"node\"",
     "f.toml:3:11: platform.servers: expected an array of tables, found a string"},
    {"servers = [ { name = \"node\", cores = 32 } ]", "servers = [ \"node\" ]",
     "f.toml:3:13: platform.servers: expected a table, found a string"},
    {"servers = [ { name = \"node\", cores = 32 } ]", "",
     "f.toml:2:1: platform.servers: missing; expected at least one table"},
    {"{ name = \"node\", cores = 32 }", "{ cores = 32 }",
     "f.toml:3:13: platform.servers[0].name: missing; expected a string"},
    {"{ name = \"node\", cores = 32 }", "{ name = \"node 1\", cores = 32 }",
     "f.toml:3:22: platform.servers.node 1.name: expected a name of letters, digits, '_' and '-', found 'node 1'"},
    {"{ name = \"node\", cores = 32 }", "{ name = \"node\", cores = 16 }, { name = \"node\", cores = 16 }",
     "f.toml:3:53: platform.servers.node.name: an earlier server has the name 'node' already"},
    {"cores = 32 }", "cores = 0 }",
     "f.toml:3:38: platform.servers.node.cores: expected an integer from 1 to 1000000, found 0"},
    {"cores = 32 }", "cores = 3.5 }", "f.toml:3:38: platform.servers.node.cores: expected an integer, found 3.5"},
    {"cores = 32 }", "cores = 32.0 }",
     "f.toml:3:38: platform.servers.node.cores: expected an integer, found 32.0; write 32"},
    {"cores = 32 }", "cores = \"32\" }",
     "f.toml:3:38: platform.servers.node.cores: expected an integer, found a string"},
    {"cores = 32 }", "core = 32 }", "f.toml:3:30: platform.servers.node.core: unknown key; did you mean 'cores'?"},
    {"cores = 32 }", "cores = 32, count = 1000001 }",
     "f.toml:3:50: platform.servers.node.count: expected an integer from 0 to 1000000, found 1000001"},
    {"cores = 32 }", "cores = 32, count = 0 }",
     "f.toml:3:11: platform.servers: every entry has count 0; expected at least 1 server in all"},
    {"cores = 32 }", "cores = 32, capacity = 0 }",
     "f.toml:3:53: platform.servers.node.capacity: expected a number > 0, found 0"},
    {"cores = 32 }", "cores = 32, capacity = inf }",
     "f.toml:3:53: platform.servers.node.capacity: expected a finite number, found inf"},
    {"cores = 32 }", "cores = 32, capacity = nan }",
     "f.toml:3:53: platform.servers.node.capacity: expected a finite number, found nan"},
    {"cores = 32 }", "cores = 8, count = 600000 }, { name = \"b\", count = 600000 }",
     "f.toml:3:11: platform.servers: expected at most 1000000 servers in all, found 1200000"},
    {"cores = 32 }", "cores = 1000000, count = 11 }",
     "f.toml:3:11: platform.servers: expected at most 10000000 cores in all, found 11000000"},
    {"[[classes]]\nname = \"light\"", "costs = { set_up = -1 }\n[[classes]]\nname = \"light\"",
     "f.toml:4:20: platform.costs.set_up: expected a number >= 0, found -1"},
    {"[[classes]]\nname = \"light\"",
     "costs = { setup = 1, dispatch_latency = \"one\" }\n[[classes]]\nname = \"light\"",
     "f.toml:4:11: platform.costs.setup: unknown key; did you mean 'set_up'?\n"
     "f.toml:4:41: platform.costs.dispatch_latency: expected a number, found a string"},
    {"[[classes]]\nname = \"light\"", "link = { latency = 1e10 }\n[[classes]]\nname = \"light\"",
     "f.toml:4:20: platform.link.latency: expected less than 4.61e+09 s, the range of the clock, found 10000000000"},
    {"[[classes]]\nname = \"light\"", "link = 3\n[[classes]]\nname = \"light\"",
     "f.toml:4:8: platform.link: expected a table, found an integer"},
};

const mistake class_mistakes[] = {
    {"name = \"light\"\n", "", "f.toml:4:1: classes[0].name: missing; expected a string"},
    {"name = \"light\"", "name = \"all\"",
     "f.toml:5:8: classes.all.name: 'all' stands for something else in the results; expected a name other than 'all' "
     "and not beginning with 'phase_' or 'resource_'"},
    {"name = \"light\"", "name = \"phase_1\"",
     "f.toml:5:8: classes.phase_1.name: 'phase_1' stands for something else in the results; expected a name other "
     "than 'all' and not beginning with 'phase_' or 'resource_'"},
    {"name = \"light\"", "name = \"a/b\"",
     "f.toml:5:8: classes.a/b.name: expected a name of letters, digits, '_', '-' and '.', found 'a/b'"},
    {"name = \"light\"", "name = \"heavy\"",
     "f.toml:10:8: classes.heavy.name: an earlier class has the name 'heavy' already"},
    {"need = 1\n", "need = -1\n", "f.toml:6:8: classes.light.need: expected an integer from 1 to 10000000, found -1"},
    {"need = 1\n", "need = 1.0\n", "f.toml:6:8: classes.light.need: expected an integer, found 1.0; write 1"},
    {"need = 32", "need = 64",
     "f.toml:11:8: classes.heavy.need: need 64 is more than the 32 cores of its compatible servers"},
    {"share = 0.9", "share = 0.8", "f.toml:4:1: classes: the shares add up to 0.9; expected 1"},
    {"share = 0.9", "share = 0", "f.toml:7:9: classes.light.share: expected a number > 0 and <= 1, found 0"},
    {"share = 0.9", "share = 1.5", "f.toml:7:9: classes.light.share: expected a number > 0 and <= 1, found 1.5"},
    {"share = 0.9", "share = 1e-300",
     "f.toml:7:9: classes.light.share: 1e-300 is 1e-299 of all arrivals; expected at least 1e-12 of them, or no such "
     "class"},
    {"share = 0.9", "shares = 0.9",
     "f.toml:4:1: classes.light.share: missing; expected share or rate\n"
     "f.toml:7:1: classes.light.shares: unknown key; did you mean 'share'?"},
    {"share = 0.9", "rate = 0.9",
     "f.toml:12:9: classes.heavy.share: expected a rate, because an earlier class has a rate"},
    {"share = 0.9", "share = 0.9\nrate = 0.9",
     "f.toml:8:8: classes.light.rate: found share and rate; expected one of them"},
    {"share = 0.9\n", "", "f.toml:4:1: classes.light.share: missing; expected share or rate"},
    {"share = 0.9", "share = true", "f.toml:7:9: classes.light.share: expected a number, found a boolean"},
    {"share = 0.9\n", "share = 0.9\nservers = \"node\"\n",
     "f.toml:8:11: classes.light.servers: expected an array of server names or { random = 2 }, found a string"},
    {"share = 0.9\n", "share = 0.9\nservers = []\n",
     "f.toml:8:11: classes.light.servers: expected at least one server, found an empty array"},
    {"share = 0.9\n", "share = 0.9\nservers = [\"nod\"]\n",
     "f.toml:8:12: classes.light.servers: unknown server 'nod'; did you mean 'node'?"},
    {"share = 0.9\n", "share = 0.9\nservers = [\"node\", \"node\"]\n",
     "f.toml:8:20: classes.light.servers: server 'node' is listed twice"},
    {"share = 0.9\n", "share = 0.9\nservers = [\"node\", 2]\n",
     "f.toml:8:20: classes.light.servers: expected an array of server names, found an integer"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[", "[[",
     "f.toml:4:1: classes.light.size: missing; expected a table such as { distribution = \"exponential\", mean = 1.0 "
     "}"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[", "size = 1.0\n[[",
     "f.toml:8:8: classes.light.size: expected a table, found a number"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[",
     "size = { distribution = \"exponentail\", mean = 1.0 }\n[[",
     "f.toml:8:25: classes.light.size.distribution: unknown distribution 'exponentail'; did you mean 'exponential'?"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[", "size = { mean = 1.0 }\n[[",
     "f.toml:8:8: classes.light.size.distribution: missing; expected one of: bimodal_phases, bounded_pareto, "
     "coxian, deterministic, erlang, exponential, hyperexponential, lognormal, pareto, uniform, weibull, zipf_phases"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[",
     "size = { distribution = \"exponential\", maen = 1.0 }\n[[",
     "f.toml:8:40: classes.light.size.maen: unknown key; did you mean 'mean'?"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[",
     "size = { distribution = \"exponential\", mean = 1.0, rate = 1.0 }\n[[",
     "f.toml:8:8: classes.light.size: exponential: expected {mean} or {rate}, found {mean, rate}"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[",
     "size = { distribution = \"exponential\", mean = -1.0 }\n[[",
     "f.toml:8:8: classes.light.size: mean: expected a number > 0, found -1"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[",
     "size = { distribution = \"exponential\", mean = \"1\" }\n[[",
     "f.toml:8:47: classes.light.size.mean: expected a number, found a string"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[",
     "size = { distribution = \"exponential\", mean = 1e-10 }\n[[",
     "f.toml:8:8: classes.light.size: takes 1e-10 s on average; expected at least the clock's step of 1e-09 s"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[",
     "size = { distribution = \"exponential\", mean = 1e10 }\n[[",
     "f.toml:8:8: classes.light.size: takes 1e+10 s on average; expected less than 4.61e+09 s, the range of the clock"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[",
     "size = { distribution = \"hyperexponential\", probabilities = [0.5, 0.4], means = [1, 2] }\n[[",
     "f.toml:8:8: classes.light.size: probabilities: expected numbers > 0 that add up to 1, found a sum of 0.9"},
    {"size = { distribution = \"exponential\", mean = 1.0 }\n[[",
     "size = { distribution = \"hyperexponential\", probabilities = 0.5, means = [] }\n[[",
     "f.toml:8:61: classes.light.size.probabilities: expected an array of numbers, found a number\n"
     "f.toml:8:74: classes.light.size.means: expected at least one number, found an empty array"},
};

INSTANTIATE_TEST_SUITE_P(top_level, mistakes_in_platform_and_classes, testing::ValuesIn(top_level_mistakes));
INSTANTIATE_TEST_SUITE_P(platform, mistakes_in_platform_and_classes, testing::ValuesIn(platform_mistakes));
INSTANTIATE_TEST_SUITE_P(class, mistakes_in_platform_and_classes, testing::ValuesIn(class_mistakes));

TEST(names_of_a_scenario, have_at_most_200_characters) {
  const std::string longest(200, 'x'), longer(201, 'x');
  EXPECT_EQ(complaints(with("name = \"light\"", "name = \"" + longest + "\"")), "");
  EXPECT_NE(complaints(with("name = \"light\"", "name = \"" + longer + "\""))
                .find(": expected a name of at most 200 characters, found 201"),
            std::string::npos);
}

}  // namespace
}  // namespace muster
