#include <gtest/gtest.h>

#include "platform/model/class_table.h"
#include "platform/scenario/study_warnings.h"
#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

TEST(slotted_values, of_a_population_come_out_as_given) {
  const scenario model = first_point(slotted_sample);
  EXPECT_EQ(model.slot, 0.5);
  EXPECT_EQ(model.costs.epsilon, 0.05);
  EXPECT_EQ(model.arrivals.kind, arrival_spec::process::uniform);
  EXPECT_TRUE(model.arrivals.finite());
  EXPECT_EQ(model.arrivals.slots(), 20u);
  EXPECT_EQ(model.arrivals.rate, 0.0);
  const class_spec& free = model.classes[0];
  EXPECT_EQ(free.need, 1u);
  EXPECT_EQ(free.size.mean(), 25.0);
  EXPECT_EQ(free.size.variance(), 0.0);
  EXPECT_DOUBLE_EQ(free.share, 0.95);
  ASSERT_TRUE(free.slotted);
  EXPECT_EQ(free.slotted->jobs, 380u);
  EXPECT_EQ(free.slotted->value, 1.0);
  ASSERT_TRUE(free.slotted->worth);
  EXPECT_EQ(free.slotted->worth->units(), 50u);
  EXPECT_EQ(free.slotted->worth->of(5), 0.0);
  EXPECT_GT(free.slotted->worth->of(6), 0.0);
  EXPECT_NEAR(static_cast<double>(free.slotted->worth->of(50)), 1.0, 1e-12);
  const deadline_spec& deadline = free.slotted->deadline;
  EXPECT_EQ(deadline.law->name, "two_valued");
  EXPECT_EQ(deadline.values, (std::vector{1.0, 100.0, 0.25}));
  const class_spec& vip = model.classes[1];
  EXPECT_EQ(vip.slotted->deadline.law->name, "uniform");
  EXPECT_EQ(vip.slotted->value, 100.0);
  EXPECT_NEAR(static_cast<double>(vip.slotted->worth->of(20)), 100.0, 1e-9);
}

TEST(slotted_values, of_a_population_measure_every_job) {
  const scenario model = first_point(slotted_sample);
  EXPECT_EQ(model.run.jobs, 400u);
  EXPECT_EQ(model.run.warm_up, 0.0);
}

TEST(slotted_values, take_their_defaults) {
  const scenario model = first_point(slotted_stream);
  EXPECT_EQ(model.slot, 1.0);
  EXPECT_EQ(model.costs.epsilon, 0.0);
  EXPECT_EQ(model.run.jobs, 1'000'000u);
  EXPECT_EQ(model.run.warm_up, 0.1);
  const slotted_spec& slotted = *model.classes[0].slotted;
  EXPECT_EQ(slotted.value, 1.0);
  EXPECT_EQ(slotted.jobs, 0u);
  EXPECT_FALSE(slotted.deadline.law);
  for (unsigned k = 0; k < 50; ++k) EXPECT_EQ(slotted.worth->gain(k), 1.0 / 50.0);
}

TEST(slotted_values, of_an_endless_stream_have_a_rate_that_follows_from_the_load) {
  const scenario model = first_point(slotted_stream);
  EXPECT_FALSE(model.arrivals.finite());
  EXPECT_DOUBLE_EQ(model.arrivals.rate, 0.5 * 100 / 50.0);
  EXPECT_DOUBLE_EQ(first_point(slotted_stream, {"platform.slot=0.25"}).arrivals.rate, 0.5 * 100 / 12.5);
}

TEST(slotted_values, of_deadlines_of_every_kind_come_out_as_given) {
  const auto deadline = [](const std::string& given) {
    return first_point(slotted_sample, {"classes.vip.deadline=" + given}).classes[1].slotted->deadline;
  };
  EXPECT_EQ(deadline("{ distribution = 'constant', slots = 0 }").law->name, "constant");
  EXPECT_EQ(deadline("{ distribution = 'constant', slots = 7 }").values, std::vector{7.0});
  EXPECT_EQ(deadline("{ distribution = 'fixed_slot', slot = 20 }").law->name, "fixed_slot");
  EXPECT_EQ(deadline("{ distribution = 'fixed_slot', slot = 21 }").values, std::vector{21.0});
  EXPECT_EQ(deadline("{ distribution = 'uniform', from = 3, to = 3 }").values, (std::vector{3.0, 3.0}));
  EXPECT_EQ(deadline("{ distribution = 'two_valued', tight = 0, loose = 4 }").values, (std::vector{0.0, 4.0, 0.5}));
}

TEST(slotted_values, follow_a_sweep_over_the_slots_of_arrival) {
  const study s = read(replaced(replaced(slotted_sample, "loose = 100", "loose = \"arrival_slots\""),
                                "\"uniform\", from = 1, to = 10", "\"fixed_slot\", slot = \"arrival_slots\"") +
                       "[sweep]\n\"arrivals.slots\" = [1, 30]\npolicy = [\"ispeed\", \"fifo\"]\n"
                       "\"classes.*.units\" = [2, 3]\n\"platform.costs.epsilon\" = [0.0, 1.0]\n");
  ASSERT_EQ(s.points.size(), 16u);
  for (const std::size_t at : {std::size_t{0}, std::size_t{15}}) {
    const scenario& model = s.points[at].model;
    const double slots = at == 0 ? 1.0 : 30.0;
    EXPECT_EQ(static_cast<double>(model.arrivals.slots()), slots);
    EXPECT_EQ(model.classes[0].slotted->deadline.values, (std::vector{1.0, slots, 0.25}));
    EXPECT_EQ(model.classes[1].slotted->deadline.values, std::vector{slots});
    EXPECT_EQ(model.policy.name, at == 0 ? "ispeed" : "fifo");
    EXPECT_EQ(model.classes[0].slotted->worth->units(), at == 0 ? 2u : 3u);
    EXPECT_EQ(model.costs.epsilon, at == 0 ? 0.0 : 1.0);
  }
}

TEST(slotted_values, reach_the_policy_through_the_table_of_classes) {
  const scenario model = first_point(slotted_sample);
  const auto classes = class_table(model);
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[class_id{0}].worth, model.classes[0].slotted->worth);
  EXPECT_EQ(classes[class_id{1}].worth, model.classes[1].slotted->worth);
  EXPECT_EQ(class_table(first_point(sample))[class_id{0}].worth, nullptr);
}

TEST(slotted_values, may_come_with_timers_and_links) {
  EXPECT_EQ(first_point(slotted_sample, {"platform.link.latency=0.1", "platform.timers.tick=0.1"}).network.link.latency,
            0.1);
}

TEST(study_warnings, name_a_class_that_is_not_concave_where_ispeed_looks_at_the_next_unit_alone) {
  const std::string literal = replaced(slotted_sample, "name = \"ispeed\"", "name = \"ispeed\"\ngain = \"literal\"");
  EXPECT_EQ(study_warnings(read(literal + "[sweep]\n\"arrivals.slots\" = [1, 2]\n")),
            std::vector<std::string>{"class 'free': its utility is not concave, and ispeed with gain 'literal' looks "
                                     "no further than the next unit; gain 'envelope' looks ahead"});
  EXPECT_TRUE(study_warnings(read(slotted_sample)).empty());
  EXPECT_TRUE(study_warnings(read(literal, {"classes.free.initialisation=0.0"})).empty());
  EXPECT_TRUE(study_warnings(read(sample)).empty());
}

}  // namespace
}  // namespace muster
