#include "platform/model/platform_spec.h"
#include "tests/scenario/graph_folder.h"
#include "tests/scenario/mistake.h"
#include "tests/scenario/slotted_sample.h"

// Mistakes in frequencies, governors, caps of racks, and in what energy costs and emits.

namespace muster {
namespace {

class mistakes_in_power : public testing::TestWithParam<mistake> {};

const std::string governed = R"(name = "base"
[platform]
servers = [ { name = "node", power = { idle = 1 }, governor = "fixed", frequency = "2 GHz", frequencies = [
  { frequency = 2e9, watts = 9, speed = 1 },
  { frequency = 1e9, watts = 3, speed = 0.5 } ] } ]
[[classes]]
name = "job"
share = 1
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 0.3
[policy]
name = "fcfs"
[run]
jobs = 1000
[[events]]
at = 5
servers = "node"
frequency = "1 GHz"
)";

TEST_P(mistakes_in_power, are_reported_word_for_word) {
  const mistake& m = GetParam();
  EXPECT_EQ(complaints(replaced(governed, m.from, m.to)), m.message);
}

const mistake power_mistakes[] = {
    {"watts = 3", "watts = 1",
     "f.toml:3:107: platform.servers.node.frequencies: a core that works at 1 GHz draws 1 W; expected more than an "
     "idle one, which draws 1 W"},
    {"1e9", "\"1 Ghz\"",
     "f.toml:5:17: platform.servers.node.frequencies[1].frequency: unknown unit 'Ghz' of Hz; did you mean 'GHz'?"},
    {"1e9", "2e9",
     "f.toml:5:17: platform.servers.node.frequencies[1].frequency: an earlier row has this frequency already"},
    {"speed = 0.5", "speed = 1",
     "f.toml:5:41: platform.servers.node.frequencies[1].speed: an earlier row has this speed already"},
    {"speed = 0.5", "speed = 1.5",
     "f.toml:5:41: platform.servers.node.frequencies[1].speed: 1.5 at 1 GHz, but 1 at 2 GHz; expected a greater speed "
     "at a higher frequency"},
    {"speed = 0.5", "speed = 11",
     "f.toml:5:41: platform.servers.node.frequencies[1].speed: expected a number from 0.001 to 10, found 11"},
    {"speed = 0.5", "sped = 0.5",
     "f.toml:5:3: platform.servers.node.frequencies[1].speed: missing; expected a number from 0.001 to 10\n"
     "f.toml:5:33: platform.servers.node.frequencies[1].sped: unknown key; did you mean 'speed'?"},
    {"\"fixed\"", "\"ondemand\"",
     "f.toml:3:63: platform.servers.node.governor: unknown governor 'ondemand'; did you mean 'on_demand'?"},
    {"\"fixed\"", "\"on_demand\"",
     "f.toml:3:88: platform.servers.node.frequency: has no effect with governor 'on_demand'; expected governor "
     "'fixed'"},
    {"frequency = \"2 GHz\", ", "", "f.toml:3:13: platform.servers.node.frequency: missing; expected a number > 0"},
    {"\"2 GHz\"", "\"3 GHz\"",
     "f.toml:3:84: platform.servers.node.frequency: the servers have no frequency of 3 GHz; expected one of: 1 GHz, 2 "
     "GHz"},
    {"idle = 1 ", "idle = 1, active = 9 ",
     "f.toml:3:59: platform.servers.node.power.active: has no effect beside frequencies, which have their watts"},
    {"frequencies = [\n  { frequency = 2e9, watts = 9, speed = 1 },\n  { frequency = 1e9, watts = 3, speed = 0.5 } ] }",
     "cores = 1 }",
     "f.toml:3:63: platform.servers.node.governor: has no effect without frequencies; expected their table"},
    {"\"1 GHz\"", "\"1.5 GHz\"",
     "f.toml:19:13: events[0].frequency: the servers have no frequency of 1.5 GHz; expected one of: 1 GHz, 2 GHz"},
    {"frequency = \"1 GHz\"", "speed = 0.5",
     "f.toml:19:9: events[0].speed: 'node' has frequencies; expected a frequency, or no speed"},
    {"frequency = \"1 GHz\"", "frequency = 1e9\nspeed = 0.5",
     "f.toml:20:9: events[0].speed: expected no speed beside a frequency"},
    {"frequency = \"1 GHz\"", "frequency = 1e9\naction = \"drain\"",
     "f.toml:19:13: events[0].frequency: expected no frequency beside an action; expected two events"},
    {"frequency = \"1 GHz\"", "frequency = 1e9\nrack = 1",
     "f.toml:20:8: events[0].rack: has no effect without a power_cap"},
    {"servers = \"node\"\nfrequency = \"1 GHz\"", "rack = 1\npower_cap = 5",
     "f.toml:18:8: events[0].rack: has no effect without racks; expected platform.link.topology = \"racks\""},
    {"[run]", "[price]\nenergy = -1\ncarbon = \"a\"\n[run]",
     "f.toml:15:10: price.energy: expected a number >= 0, found -1\n"
     "f.toml:16:10: price.carbon: expected a number, found a string"},
    {"[run]", "[price]\nenergy = { prices = [], period = 0 }\n[run]",
     "f.toml:15:21: price.energy.prices: expected at least one number, found an empty array\n"
     "f.toml:15:34: price.energy.period: expected a number > 0, found 0"},
    {"[run]", "[price]\nenergy = { prices = [0.1, 0.2, 0.3, 0.4], period = 2e-9 }\n[run]",
     "f.toml:15:52: price.energy.period: a part of the period takes 5e-10 s; expected at least the clock's step of "
     "1e-09 s"},
    {"[run]", "[price]\nenergy = { price = 0.1 }\n[run]",
     "f.toml:15:10: price.energy.period: missing; expected a number > 0\n"
     "f.toml:15:10: price.energy.prices: missing; expected an array of numbers\n"
     "f.toml:15:12: price.energy.price: unknown key; did you mean 'prices'?"},
    {"[run]", "[price]\ncarbon = { file = \"grid.csv\" }\n[run]",
     "f.toml:15:10: price.carbon.column: missing; expected the name of a column\n"
     "f.toml:15:19: price.carbon.file: 'grid.csv' cannot be opened: No such file or directory"},
};
INSTANTIATE_TEST_SUITE_P(every, mistakes_in_power, testing::ValuesIn(power_mistakes));

TEST(frequencies_of_an_entry, are_read_again_as_they_were_resolved) {
  for (const std::string& text : {governed, replaced(governed, "\"fixed\", frequency = \"2 GHz\"", "\"slow_down\"")}) {
    const study once = read_study(replaced(text, "frequency = \"1 GHz\"", "power_cap = 5"), "f.toml", {}, ".");
    const study again = read_study(once.resolved, "f.toml", {}, ".");
    EXPECT_EQ(again.resolved, once.resolved);
    EXPECT_EQ(again.points[0].model.servers[0].capacity, once.points[0].model.servers[0].capacity);
    EXPECT_EQ(again.points[0].model.servers[0].power.active, once.points[0].model.servers[0].power.active);
  }
}

class mistakes_in_files_of_carbon : public graph_folder {
 protected:
  std::string said_of(const std::string& content, const std::string& keys = R"(, column = "g")") const {
    write("grid.csv", content);
    return complaints_here(replaced(governed, "[run]", "[price]\ncarbon = { file = \"grid.csv\"" + keys + " }\n[run]"));
  }
};

TEST_F(mistakes_in_files_of_carbon, are_reported_word_for_word) {
  EXPECT_EQ(said_of(""), "grid.csv:1:1: price.carbon.file: is empty; expected a header with the columns time and g");
  EXPECT_EQ(said_of("time,gram\n"), "grid.csv:1:1: price.carbon.file: has no column 'g'; expected one of: time, gram");
  EXPECT_EQ(said_of("time,g\n"), "grid.csv:2:1: price.carbon.file: expected at least one line after the header");
  EXPECT_EQ(said_of("time,g\n0,1\n0,2\n-1,3\n2,x\n3\n"),
            "grid.csv:3:1: price.carbon.file: column time: expected a later time than in the line before, found '0'\n"
            "grid.csv:4:1: price.carbon.file: column time: expected a number >= 0, in units of time, found '-1'\n"
            "grid.csv:5:3: price.carbon.file: column g: expected a number from 0 to 1e+09, found 'x'\n"
            "grid.csv:6:1: price.carbon.file: expected 2 columns, found 1");
  EXPECT_EQ(said_of("time,g\n2024-01-31,1\n5,2\n"),
            "grid.csv:3:1: price.carbon.file: column time: expected a date such as 2024-01-31 or 2024-01-31T12:00:00Z, "
            "found '5'");
  EXPECT_EQ(said_of("time,g\n31.1.2024,1\n"),
            "grid.csv:2:1: price.carbon.file: column time: expected a number >= 0, in units of time, or a date such as "
            "2024-01-31 or 2024-01-31T12:00:00Z, found '31.1.2024'");
  EXPECT_EQ(said_of("time,g\n2023-02-28,1\n2023-02-29,2\n"),
            "grid.csv:3:1: price.carbon.file: column time: expected a date of the calendar, in which 2023-02 has the "
            "days 01 to 28, found '2023-02-29'");
  EXPECT_EQ(said_of("time,g,time,h,h\n0,1,2,3,4\n"),
            "grid.csv:1:8: price.carbon.file: column time stands twice; expected it once");
  EXPECT_EQ(said_of("time,\"g\n0,1\n"),
            "grid.csv:1:6: price.carbon.file: expected a quote that closes this one, in the same line");
  EXPECT_EQ(said_of("\"time\"x,g\n0,1\n"),
            "grid.csv:1:7: price.carbon.file: expected a comma behind the closing quote, found 'x,g'");
  EXPECT_EQ(said_of("time,\"g \"\"per\"\" kWh\"\n"),
            "grid.csv:1:1: price.carbon.file: has no column 'g'; expected one of: time, g \"per\" kWh");
  EXPECT_EQ(said_of("time,g\n0,1\n10,2\n", R"(, column = "g", period = 10)"),
            "f.toml:15:54: price.carbon.period: expected more than 10, the last time of the file, found 10");
  EXPECT_EQ(said_of("time,g\n0,1\n", R"(, column = "g", time = "hour")"),
            "grid.csv:1:1: price.carbon.file: has no column 'hour'; expected one of: time, g");
}

// RFC 4180: quotes around a field, in which a comma stands, and quotes that are doubled.
TEST_F(mistakes_in_files_of_carbon, are_no_quotes) {
  write("grid.csv", "\"time\",zone,\"g, \"\"direct\"\" \"\n \"0\" ,\"a, b\",\"1.5\"\n10,\"say \"\"c\"\"\",2\n");
  const study s = read_here(
      replaced(governed, "[run]", "[price]\ncarbon = { file = \"grid.csv\", column = 'g, \"direct\" ' }\n[run]"));
  const step_function& carbon = *s.points.front().model.price->carbon;
  ASSERT_EQ(carbon.steps.size(), 2u);
  EXPECT_EQ(carbon.steps[0].value, 1.5);
  EXPECT_EQ(carbon.steps[1].from, 10.0);
  EXPECT_EQ(said_of("time,g\n0,\"1\"\n\"1\"\"0\",2\n"),
            "grid.csv:3:2: price.carbon.file: column time: expected a number >= 0, in units of time, found '1\"0'");
}

TEST_F(mistakes_in_files_of_carbon, are_none_of_a_complete_one) {
  write("grid.csv", "time,g\n0,1\n10,2\n");
  const study s = read_here(
      replaced(governed, "[run]",
               "[price]\ncarbon = { file = \"grid.csv\", column = \"g\" }\nenergy = { prices = [1, 2], period = "
               "86400 }\n[run]"));
  EXPECT_EQ(s.files.count("grid.csv"), 1u) << "a results directory has it";
}

TEST(prices_of_energy, have_no_effect_without_power) {
  EXPECT_EQ(complaints(replaced(sample, "[run]", "[price]\nenergy = 1\ncarbon = 1\n[run]")),
            "f.toml:19:10: price.energy: has no effect without power; expected servers, or resources of the cluster, "
            "with power\n"
            "f.toml:20:10: price.carbon: has no effect without power; expected servers, or resources of the cluster, "
            "with power");
}

TEST(frequencies_of_slotted_jobs, are_refused) {
  EXPECT_EQ(complaints(replaced(slotted_sample, "count = 100",
                                "count = 100, frequencies = [{ frequency = 1e9, watts = 3, speed = 0.5 }]")),
            "f.toml:3:60: platform.servers.machine.frequencies: a core does one unit in a slot; expected no "
            "frequencies with slotted jobs");
}

}  // namespace
}  // namespace muster
