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
    {"watts = 3", "watts = 1", ""},
    {"1e9", "\"1 Ghz\"", ""},
    {"1e9", "2e9", ""},
    {"speed = 0.5", "speed = 1", ""},
    {"speed = 0.5", "speed = 1.5", ""},
    {"speed = 0.5", "speed = 11", ""},
    {"speed = 0.5", "sped = 0.5", ""},
    {"\"fixed\"", "\"ondemand\"", ""},
    {"\"fixed\"", "\"on_demand\"", ""},
    {"frequency = \"2 GHz\", ", "", ""},
    {"\"2 GHz\"", "\"3 GHz\"", ""},
    {"idle = 1 ", "idle = 1, active = 9 ", ""},
    {"frequencies = [\n  { frequency = 2e9, watts = 9, speed = 1 },\n  { frequency = 1e9, watts = 3, speed = 0.5 } ] }",
     "cores = 1 }", ""},
    {"\"1 GHz\"", "\"1.5 GHz\"", ""},
    {"frequency = \"1 GHz\"", "speed = 0.5", ""},
    {"frequency = \"1 GHz\"", "frequency = 1e9\nspeed = 0.5", ""},
    {"frequency = \"1 GHz\"", "frequency = 1e9\naction = \"drain\"", ""},
    {"frequency = \"1 GHz\"", "frequency = 1e9\nrack = 1", ""},
    {"servers = \"node\"\nfrequency = \"1 GHz\"", "rack = 1\npower_cap = 5", ""},
    {"[run]", "[price]\nenergy = -1\ncarbon = \"a\"\n[run]", ""},
    {"[run]", "[price]\nenergy = { prices = [], period = 0 }\n[run]", ""},
    {"[run]", "[price]\nenergy = { prices = [0.1, 0.2, 0.3, 0.4], period = 2e-9 }\n[run]", ""},
    {"[run]", "[price]\nenergy = { price = 0.1 }\n[run]", ""},
    {"[run]", "[price]\ncarbon = { file = \"grid.csv\" }\n[run]", ""},
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
  EXPECT_EQ(said_of(""), "");
  EXPECT_EQ(said_of("time,gram\n"), "");
  EXPECT_EQ(said_of("time,g\n"), "");
  EXPECT_EQ(said_of("time,g\n0,1\n0,2\n-1,3\n2,x\n3\n"), "");
  EXPECT_EQ(said_of("time,g\n2024-01-31,1\n5,2\n"), "");
  EXPECT_EQ(said_of("time,g\n0,1\n10,2\n", R"(, column = "g", period = 10)"), "");
  EXPECT_EQ(said_of("time,g\n0,1\n", R"(, column = "g", time = "hour")"), "");
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
  EXPECT_EQ(complaints(replaced(sample, "[run]", "[price]\nenergy = 1\ncarbon = 1\n[run]")), "");
}

TEST(frequencies_of_slotted_jobs, are_refused) {
  EXPECT_EQ(complaints(replaced(slotted_sample, "count = 100",
                                "count = 100, frequencies = [{ frequency = 1e9, watts = 3, speed = 0.5 }]")),
            "");
}

}  // namespace
}  // namespace muster
