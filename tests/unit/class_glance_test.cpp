#include "platform/command_line/class_glance.h"

#include <gtest/gtest.h>

#include "platform/scenario/scenario_file.h"

namespace muster {
namespace {

TEST(readable_time, is_in_the_unit_in_which_it_reads_best) {
  EXPECT_EQ(readable_time(0.0), "0 s");
  EXPECT_EQ(readable_time(2.5e-7), "250 ns");
  EXPECT_EQ(readable_time(0.2), "200 ms");
  EXPECT_EQ(readable_time(1.0), "1 s");
  EXPECT_EQ(readable_time(90.0), "90 s");
  EXPECT_EQ(readable_time(180.0), "3 min");
  EXPECT_EQ(readable_time(72000.0), "20 h");
  EXPECT_EQ(readable_time(259200.0), "3 d");
}

// 20 in a scenario in hours, beside jobs of some minutes, is seen.
TEST(class_glance, shows_sizes_rates_and_the_load_that_the_rates_are) {
  const study s = read_study(R"(name = "units"
time_unit = "h"
[platform]
servers = [{ name = "node", cores = 4, count = 10 }]
[[classes]]
name = "short"
need = 1
share = 0.9
size = { distribution = "exponential", mean = 0.05 }
[[classes]]
name = "long"
need = 4
share = 0.1
size = { distribution = "exponential", mean = 20.0 }
[arrivals]
load = 0.5
[policy]
name = "fcfs"
)",
                             "test", {});
  table_document report("arrivals");
  add_class_glance(report, s.points.front().model);
  const std::string text = report.text();
  for (const char* words : {"Arrivals at point 0: 2.48602 per h in all, which is arrivals.load = 0.5.\n", "2.23741",
                            "3 min", "0.6 %\n", "0.248602", "20 h", "99.4 %\n"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
}

}  // namespace
}  // namespace muster
