#include "platform/command_line/glance_text.h"

#include <gtest/gtest.h>

#include "platform/scenario/scenario_file.h"
#include "tests/scenario/first_point.h"

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
platform.servers = [{ name = "node", cores = 4, count = 10 }]
classes = [
  { name = "short", need = 1, share = 0.9, size = { distribution = "exponential", mean = 0.05 } },
  { name = "long", need = 4, share = 0.1, size = { distribution = "exponential", mean = 20.0 } },
]
arrivals.load = 0.5
policy = "fcfs"
)",
                             "test", {});
  table_document report("arrivals");
  add_class_glance(report, s.points.front().model);
  const std::string text = report.text();
  for (const char* words : {"Arrivals at point 0: 2.48602 per h in all, which is arrivals.load = 0.5.\n", "2.23741",
                            "3 min", "0.6 %\n", "0.248602", "20 h", "99.4 %\n"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in\n" << text;
}

const char* const two_resources = R"(name = "gpus"
[platform]
resources = { gpu = { kind = "devices" }, licence = { kind = "amount", of = "cluster", amount = 4 } }
servers = [{ name = "node", cores = 8, resources = { gpu = 2 } }]
[[classes]]
name = "train"
per_task = { cores = 2, gpu = 1 }
per_job = { licence = 1 }
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "render"
need = 4
share = 0.5
size = { distribution = "exponential", mean = 0.5 }
[arrivals]
rate = 2.0
[policy]
name = "fcfs"
)";

// Rate 1 of each: 2 cores, a GPU and a licence of train, 2 cores of render.
TEST(class_glance, has_the_load_of_the_resource_that_binds_where_jobs_need_tasks) {
  const scenario model = first_point(two_resources);
  table_document report("arrivals");
  add_class_glance(report, model);
  EXPECT_NE(report.text().find("which is arrivals.load = 0.5.\n"), std::string::npos) << report.text();
  EXPECT_NE(report.text().find("50.0 %"), std::string::npos) << report.text();
}

TEST(resource_loads, are_shown_with_the_one_that_binds) {
  const scenario model = first_point(two_resources, {"classes.train.per_task.cores=1"});
  table_document report("resources");
  add_resource_loads(report, model);
  EXPECT_EQ(report.text(),
            "Load of each resource at point 0; arrivals.load is that of the one that binds:\n"
            "resource    load  binds\n"
            "cores     0.3750  -\n"
            "gpu       0.5000  binds\n"
            "licence   0.2500  -\n\n");
  std::string text = two_resources;
  const std::string tasks = "per_task = { cores = 2, gpu = 1 }\nper_job = { licence = 1 }\n";
  text.erase(text.find(tasks), tasks.size());
  table_document none("resources");
  add_resource_loads(none, first_point(text));
  EXPECT_EQ(none.text(), "");
}

}  // namespace
}  // namespace muster
