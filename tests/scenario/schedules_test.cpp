#include <gtest/gtest.h>

#include "muster/policies/settings.h"
#include "platform/model/class_table.h"
#include "tests/scenario/sample.h"

// Schedules and matrices as parameters of a policy, and what a policy says against them.

namespace muster {
namespace {

std::string with_nmsr(const std::string& more) { return with("name = \"msfq\"", "name = \"nmsr\"\n" + more); }

const std::string two_schedules = "schedules = [{ light = 32 }, { heavy = 1, light = 0 }]\n";

TEST(schedules_of_a_scenario, reach_the_policy_in_the_order_of_its_classes) {
  const study s = read(with_nmsr(two_schedules + "rates = [[0, 0.0625], [0.015625, 3]]"));
  const settings given = policy_settings(s.points.front().model);
  EXPECT_EQ(given.schedules("schedules"), (std::vector<schedule>{{0, 32}, {1, 0}}));
  EXPECT_EQ(given.matrix("rates"), (std::vector<std::vector<double>>{{0.0, 0.0625}, {0.015625, 3.0}}));
  EXPECT_EQ(given.choice("timer"), "from_completion");
  EXPECT_NE(s.resolved.find("  { light = 32 },\n  { heavy = 1, light = 0 }\n"), std::string::npos) << s.resolved;
  EXPECT_EQ(read(s.resolved).resolved, s.resolved);
}

TEST(schedules_of_a_scenario, may_be_left_out) {
  const settings given = policy_settings(first_point(with_nmsr("")));
  EXPECT_FALSE(given.has("schedules"));
  EXPECT_FALSE(given.has("rates"));
}

TEST(schedules_of_a_scenario, are_overridden_and_swept_like_other_keys) {
  const std::string text = with_nmsr(two_schedules + "rates = [[0, 0.03], [0.01, 0]]");
  const scenario model = first_point(text, {"policy.schedules=[{ light = 31 }, { heavy = 1 }]"});
  EXPECT_EQ(policy_settings(model).schedules("schedules"), (std::vector<schedule>{{0, 31}, {1, 0}}));
  const study swept = read(replaced(text, "rate = 7.0", "rate = 3.0") +
                           "[sweep]\n\"policy.rates\" = [[[0, 0.01], [0.01, 0]], [[0, 0.02], [0.02, 0]]]\n");
  ASSERT_EQ(swept.points.size(), 2u);
  EXPECT_EQ(policy_settings(swept.points[1].model).matrix("rates")[1][0], 0.02);
}

struct nmsr_mistake {
  const char* text;
  const char* message;
};

TEST(schedules_of_a_scenario, are_checked_word_for_word) {
  const nmsr_mistake all[] = {
      {"schedules = 3", "f.toml:18:13: policy.schedules: expected an array of tables, found an integer"},
      {"schedules = []", "f.toml:18:13: policy.schedules: expected at least one table, found an empty array"},
      {"schedules = [{ light = 32 }, { heavy = 2 }]",
       "f.toml:18:40: policy.schedules[1].heavy: expected an integer from 0 to 1, found 2"},
      {"schedules = [{ light = 1, heavy = 1 }]",
       "f.toml:18:14: policy.schedules[0]: needs 33 cores; expected at most 32"},
      {"schedules = [{ ligth = 1 }]", "f.toml:18:16: policy.schedules[0].ligth: unknown key; did you mean 'light'?"},
      {"rates = [[1]]", "f.toml:18:9: policy.rates: found rates without schedules; expected both"},
      {"rates = 1", "f.toml:18:9: policy.rates: expected an array of as many arrays of numbers >= 0, found an integer"},
      {"rates = []",
       "f.toml:18:9: policy.rates: expected an array of as many arrays of numbers >= 0, found an empty array"},
      {"rates = [[0, 1], [1]]",
       "f.toml:18:18: policy.rates: expected an array of as many arrays of numbers >= 0, found 1 in a row of 2"},
      {"rates = [[0, 1], 2]",
       "f.toml:18:18: policy.rates: expected an array of as many arrays of numbers >= 0, found an integer in a row of "
       "2"},
      {"rates = [[0, -1.5], [1, 0]]", "f.toml:18:14: policy.rates: expected a finite number >= 0, found -1.5"},
      {"rates = [[0, \"x\"], [1, 0]]", "f.toml:18:14: policy.rates: expected a finite number >= 0, found a string"},
  };
  for (const nmsr_mistake& m : all) EXPECT_EQ(complaints(with_nmsr(m.text)), m.message) << m.text;
}

TEST(schedules_that_do_not_carry_the_loads, are_refused_with_what_is_missing) {
  const nmsr_mistake all[] = {
      {"rates = [[0, 1], [1, 0], [0, 0]]",
       "f.toml:19:10: policy.rates: expected an array of as many arrays of numbers >= 0, found 2 in a row of 3"},
      {"rates = [[0]]", "f.toml:19:9: policy.rates: expected as many rows as schedules, 2, found 1"},
      {"rates = [[0, 1], [0, 0]]",
       "f.toml:19:9: policy.rates: from some schedule the chain never comes to schedule 1 again; expected that it "
       "visits all"},
      {"rates = [[0, 1], [1, 0]]\nworking_time = 3",
       "f.toml:20:16: policy.working_time: has no effect with rates; expected no working_time beside them"},
      // Visits of 10 and 1, a switch back of 1, and one of 4.06 (the sum of 1/n up to 32): 2 / 16.06 heavy jobs.
      {"rates = [[0, 0.1], [1, 0]]",
       "f.toml:19:9: policy.rates: of class 'heavy' at most 0.124 jobs are in service on average while its queue is "
       "long, but its load is 0.700; expected more than the load"},
      // Heavy jobs have 0.7 / (0.7 + 6.3 / 32) of this time, and a job completes in a switch: 1.780 / 6.058.
      {"working_time = 1",
       "f.toml:19:16: policy.working_time: of class 'heavy' at most 0.293 jobs are in service on average while its "
       "queue is long, but its load is 0.700; expected more than the load"},
  };
  for (const nmsr_mistake& m : all) EXPECT_EQ(complaints(with_nmsr(two_schedules + m.text)), m.message) << m.text;
  EXPECT_EQ(complaints(with_nmsr("schedules = [{ light = 8 }, { heavy = 1 }]")),
            "f.toml:18:13: policy.schedules: these schedules carry at most 0.672 times the loads, in whatever shares; "
            "expected more than 1: other schedules");
  EXPECT_EQ(
      complaints(with_nmsr("schedules = [{ light = 8 }]\nrates = [[0]]")),
      "f.toml:18:13: policy.schedules: class 'heavy' is in none, so that its jobs would never start; expected it in "
      "at least one");
  EXPECT_EQ(complaints(replaced(with_nmsr(""), "rate = 7.0", "rate = 8.0")),
            "f.toml:17:8: policy.name: schedules of these classes carry at most 0.975 times the loads, in whatever "
            "shares; expected more than 1: a lower arrival rate");
}

TEST(cores_that_are_not_interchangeable, are_no_platform_for_schedules_and_partitions) {
  const std::string two_kinds = replaced(with("cores = 32", "cores = 32 }, { name = \"other\", cores = 8"),
                                         "share = 0.9", "share = 0.9\nservers = [\"node\"]");
  EXPECT_EQ(
      complaints(replaced(two_kinds, "msfq", "nmsr")),
      "f.toml:18:8: policy.name: its schedules are of interchangeable cores, but class 'light' may use 32 of the 40 "
      "cores");
  EXPECT_EQ(complaints(replaced(two_kinds, "msfq", "balanced_splitting")),
            "f.toml:18:8: policy.name: policy 'balanced_splitting' cannot run these classes: it splits interchangeable "
            "cores, but class 'light' may use 32 of the 40 cores");
}

}  // namespace
}  // namespace muster
