#include <gtest/gtest.h>

#include "muster/policies/catalogue.h"
#include "muster/policies/cluster_state.h"
#include "platform/model/class_table.h"
#include "tests/scenario/sample.h"

// What a policy wants to know of each class stands in the class's table.

namespace muster {
namespace {

class does_nothing final : public rigid_policy {};

const policy_entry entry = [] {
  policy_entry weighted;
  weighted.name = "weighted";
  weighted.about = "of a test";
  weighted.construct = without_settings<does_nothing>;
  weighted.class_parameters = {{"weight", number_parameter{"a number > 0", 0.0, true, 1.0}, ""},
                               {"most", integer_parameter{{1}, {0, true}, {0, true}}, ""},
                               {"turn", choice_parameter{{"first", "last"}}, ""},
                               {"due", number_parameter{"a number >= 0", 0.0, false, {}}, ""},
                               {"overdue", number_parameter{"a number >= 0", 0.0, false, {}}, "", "due"}};
  return weighted;
}();

class parameters_of_classes : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_policy("weighted")) add_policy(entry);
  }
};

/// The sample under that policy, with a table for each of the two classes.
std::string with_tables(const std::string& light, const std::string& heavy) {
  std::string text = with("name = \"msfq\"", "name = \"weighted\"");
  text = replaced(text, "share = 0.9", "share = 0.9\npolicy = " + light);
  return replaced(text, "share = 0.1", "share = 0.1\npolicy = " + heavy);
}

using settings_in_order = std::vector<std::pair<std::string, setting_value>>;

TEST_F(parameters_of_classes, are_read_and_completed) {
  const study s = read(with_tables("{ weight = 2, overdue = 3.0 }", "{ due = 0, turn = \"last\", most = 7 }"));
  const scenario& model = s.points.front().model;
  EXPECT_EQ(model.classes[0].policy,
            (settings_in_order{{"weight", 2.0}, {"most", std::int64_t{32}}, {"turn", "first"}, {"overdue", 3.0}}));
  EXPECT_EQ(model.classes[1].policy,
            (settings_in_order{{"weight", 1.0}, {"most", std::int64_t{7}}, {"turn", "last"}, {"due", 0.0}}));
  EXPECT_NE(s.resolved.find("policy = { weight = 2, overdue = 3.0, most = 32, turn = \"first\" }\n"), std::string::npos)
      << s.resolved;
  EXPECT_EQ(read(s.resolved).resolved, s.resolved);
}

TEST_F(parameters_of_classes, are_what_the_view_tells) {
  const scenario model = first_point(with_tables("{ weight = 2, overdue = 3.0 }", "{ due = 0, most = 7 }"));
  const cluster_state cluster{class_table(model), group_cores(model)};
  const class_id heavy{0}, light{1};
  EXPECT_EQ(cluster.parameters(light).number("weight"), 2.0);
  EXPECT_EQ(cluster.parameters(light).integer("most"), 32);
  EXPECT_FALSE(cluster.parameters(light).has("due"));
  EXPECT_EQ(cluster.parameters(heavy).integer("most"), 7);
  EXPECT_EQ(cluster.parameters(heavy).choice("turn"), "first");
  EXPECT_NO_THROW(entry.make(cluster, policy_settings(model)));
}

TEST_F(parameters_of_classes, are_overridden_and_swept_like_other_keys) {
  const std::string text = with_tables("{ due = 1 }", "{ due = 1 }");
  EXPECT_EQ(first_point(text, {"classes.*.policy.weight=3"}).classes[1].policy[0].second, setting_value{3.0});
  const scenario late = first_point(text, {"classes.light.policy.overdue=5"});
  EXPECT_EQ(late.classes[0].policy.back(), (std::pair<std::string, setting_value>{"overdue", 5.0}));
  const study swept = read(text + "[sweep]\n\"classes.light.policy.weight\" = [2, 3]\n");
  ASSERT_EQ(swept.points.size(), 2u);
  EXPECT_EQ(swept.points[1].model.classes[0].policy[0].second, setting_value{3.0});
  EXPECT_EQ(swept.points[1].model.classes[1].policy[0].second, setting_value{1.0});
}

TEST_F(parameters_of_classes, go_with_the_policy_of_the_file_when_an_override_names_another) {
  const std::string text = with_tables("{ due = 1 }", "{ due = 1 }");
  EXPECT_TRUE(first_point(text, {"policy.name=msf"}).classes[0].policy.empty());
  EXPECT_TRUE(first_point(text, {"policy=msf"}).classes[0].policy.empty());
  EXPECT_FALSE(first_point(text, {"policy.name=weighted"}).classes[0].policy.empty());
}

TEST_F(parameters_of_classes, are_refused_word_for_word) {
  const auto said = [](const std::string& light) { return complaints(with_tables(light, "{ due = 1 }")); };
  EXPECT_EQ(said("{ due = 1, weigth = 2 }"),
            "f.toml:8:21: classes.light.policy.weigth: unknown key; did you mean 'weight'?");
  EXPECT_EQ(said("{ due = 1, weight = 0 }"),
            "f.toml:8:30: classes.light.policy.weight: expected a number > 0, found 0");
  EXPECT_EQ(said("{ due = 1, most = 33 }"),
            "f.toml:8:28: classes.light.policy.most: expected an integer from 1 to 32, found 33");
  EXPECT_EQ(said("{ due = 1, turn = \"next\" }"),
            "f.toml:8:28: classes.light.policy.turn: unknown turn 'next'; expected one of: first, last");
  EXPECT_EQ(said("{ due = 1, overdue = 1 }"),
            "f.toml:8:31: classes.light.policy.overdue: found due and overdue; expected one of them");
  EXPECT_EQ(said("{}"), "f.toml:8:10: classes.light.policy.due: missing; expected due or overdue");
  EXPECT_EQ(said("2.0"), "f.toml:8:10: classes.light.policy: expected a table, found a number");
}

TEST_F(parameters_of_classes, are_refused_where_the_policy_has_none) {
  EXPECT_EQ(complaints(with("share = 0.9", "share = 0.9\npolicy = { weight = 2.0 }")),
            "f.toml:8:10: classes.light.policy: policy 'msfq' has no parameters of classes; expected no policy here");
}

}  // namespace
}  // namespace muster
