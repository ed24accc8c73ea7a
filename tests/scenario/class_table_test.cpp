#include "platform/model/class_table.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

scenario three_classes() {
  return read(R"(name = "graph"
platform.servers = [ { name = "a", cores = 4 }, { name = "b", cores = 4, count = 2 }, { name = "c", cores = 4 } ]
classes = [
  { name = "zebra", need = 2, rate = 1.0, size = { distribution = "exponential", mean = 1.0 }, servers = ["b", "a"] },
  { name = "ant", need = 2, rate = 1.0, size = { distribution = "exponential", mean = 1.0 } },
  { name = "whale", need = 8, rate = 1.0, size = { distribution = "exponential", mean = 1.0 }, servers = ["b", "c"] },
]
policy = { name = "static_quickswap", order = ["ant", "whale", "zebra"] }
)")
      .points.front()
      .model;
}

TEST(class_table, lists_classes_by_descending_need_and_name) {
  const scenario model = three_classes();
  EXPECT_EQ(by_descending_need(model), (std::vector<std::size_t>{2, 1, 0}));
  const auto classes = class_table(model);
  EXPECT_EQ(classes[class_id{0}].name, "whale");
  EXPECT_EQ(classes[class_id{1}].name, "ant");
  EXPECT_EQ(classes[class_id{2}].name, "zebra");
  EXPECT_EQ(classes[class_id{0}].need, 8u);
}

TEST(class_table, takes_cores_first_from_the_servers_that_the_fewest_classes_can_use) {
  const auto classes = class_table(three_classes());
  // Users: a 2, b 3, c 2.
  EXPECT_EQ(classes[class_id{0}].groups, (std::vector<group_id>{group_id{2}, group_id{1}}));
  EXPECT_EQ(classes[class_id{1}].groups, (std::vector<group_id>{group_id{0}, group_id{2}, group_id{1}}));
  EXPECT_EQ(classes[class_id{2}].groups, (std::vector<group_id>{group_id{0}, group_id{1}}));
}

TEST(class_table, has_what_the_scenario_declares_of_each_class) {
  const auto classes = class_table(first_point(sample));
  const scenario model = first_point(sample);
  const std::vector<std::size_t> order = by_descending_need(model);
  for (const class_id id : id_range<class_id>{classes.size()}) {
    const class_spec& spec = model.classes[order[static_cast<std::size_t>(id)]];
    EXPECT_EQ(classes[id].mean_size, spec.size.mean());
    EXPECT_EQ(classes[id].arrival_rate, spec.rate);
    EXPECT_EQ(classes[id].arrival_share, spec.share);
  }
}

TEST(group_cores, count_all_servers_of_a_group) {
  const auto cores = group_cores(three_classes());
  EXPECT_EQ(cores[group_id{0}], 4u);
  EXPECT_EQ(cores[group_id{1}], 8u);
}

TEST(policy_settings, name_classes_by_id) {
  const settings given = policy_settings(three_classes());
  EXPECT_EQ(given.order("order"), (std::vector<class_id>{class_id{1}, class_id{0}, class_id{2}}));
  EXPECT_EQ(given.integer("threshold"), 15);
  EXPECT_EQ(given.choice("drain"), "if_other_waits");
}

TEST(work_between_interruptions, is_what_the_policy_says) {
  const auto of = [](const std::string& text) { return work_between_interruptions(first_point(text)); };
  EXPECT_EQ(of(pooled_sample), 0.5);
  EXPECT_EQ(of(replaced(pooled_sample, "theta = 0.5", "interruptions_per_job = 0")),
            std::numeric_limits<double>::infinity());
  const std::string four = replaced(pooled_sample, "theta = 0.5", "interruptions_per_job = 4");
  const scenario model = first_point(four);
  double mean = 0.0;
  for (const class_spec& c : model.classes) mean += c.share * c.size.mean();
  EXPECT_EQ(of(four), mean / 4.0) << "to the last bit";
  EXPECT_EQ(of(sample), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace muster
