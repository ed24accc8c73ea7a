#include <gtest/gtest.h>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

const std::string rest =
    ".size\" = [{ distribution = \"exponential\", mean = 2.0 }, { distribution = \"erlang\", phases = "
    "4, mean = 3.0 }]\n";
const std::string swept = sample + "[sweep]\n\"classes.*" + rest;

TEST(wildcard, in_a_sweep_means_every_class) {
  const study s = read(swept);
  EXPECT_EQ(s.keys, std::vector<std::string>{"classes.*.size"});
  ASSERT_EQ(s.points.size(), 2u);
  EXPECT_EQ(s.points[1].values, std::vector<std::string>{"erlang(phases=4 mean=3)"});
  for (const class_spec& c : s.points[0].model.classes) EXPECT_EQ(c.size.mean(), 2.0);
  for (const class_spec& c : s.points[1].model.classes) EXPECT_EQ(c.size.mean(), 3.0);
}

TEST(wildcard, in_an_override_means_every_class) {
  const scenario model = first_point(sample, {"classes.*.size.mean=2.5"});
  for (const class_spec& c : model.classes) EXPECT_EQ(c.size.mean(), 2.5);
}

TEST(wildcard, means_every_server_too) {
  const scenario model = first_point(pooled_sample, {"platform.servers.*.capacity=2.5"});
  for (const server_spec& s : model.servers) EXPECT_EQ(s.capacity, 2.5);
}

TEST(wildcard, may_give_what_the_file_leaves_out) {
  const std::string size = "size = { distribution = \"exponential\", mean = 1.0 }\n";
  const study s = read(replaced(replaced(swept, size, ""), size, ""));
  EXPECT_EQ(s.points[1].model.classes[1].size.mean(), 3.0);
}

TEST(wildcard, reaches_names_with_dots) {
  EXPECT_EQ(read(replaced(swept, "heavy", "he.avy")).points[1].model.classes[1].size.mean(), 3.0);
}

TEST(wildcard, goes_into_the_swept_whole) {
  const study s = read(swept + "\"classes.*.size.mean\" = [7.0]\n\"classes.light.size.mean\" = [8.0]\n");
  EXPECT_EQ(s.points[1].model.classes[0].size.mean(), 8.0);
  EXPECT_EQ(s.points[1].model.classes[1].size.mean(), 7.0);
}

TEST(wildcard, gives_way_to_single_elements_whatever_their_order) {
  const std::string one = "\"classes.light.size\" = [{ distribution = \"deterministic\", value = 5.0 }]\n";
  for (const std::string& text : {swept + one, sample + "[sweep]\n" + one + "\"classes.*" + rest}) {
    const study s = read(text);
    EXPECT_EQ(s.points[0].model.classes[0].size.mean(), 5.0);
    EXPECT_EQ(s.points[0].model.classes[1].size.mean(), 2.0);
  }
  const scenario model = first_point(sample, {"classes.light.size.mean=5", "classes.*.size.mean=2"});
  EXPECT_EQ(model.classes[0].size.mean(), 5.0);
  EXPECT_EQ(model.classes[1].size.mean(), 2.0);
}

TEST(wildcard, in_an_override_ends_the_sweeps_of_single_elements_and_of_all) {
  const study s = read(swept + "\"classes.light.size\" = [{ distribution = \"deterministic\", value = 5.0 }]\n",
                       {"classes.*.size={ distribution = \"exponential\", mean = 9 }"});
  EXPECT_TRUE(s.keys.empty());
  for (const class_spec& c : s.points[0].model.classes) EXPECT_EQ(c.size.mean(), 9.0);
}

TEST(wildcard, in_an_override_goes_into_swept_tables) {
  const study s = read(swept, {"classes.*.size.mean=9"});
  EXPECT_EQ(s.points[1].values, std::vector<std::string>{"erlang(phases=4 mean=9)"});
}

TEST(wildcard, is_written_alike_when_the_resolved_text_is_read_back) {
  const study once = read(swept + "\"classes.*.state\" = [1.0, 2.0]\n");
  EXPECT_NE(once.resolved.find("\"classes.*.size\" = ["), std::string::npos);
  EXPECT_EQ(read(once.resolved).resolved, once.resolved);
  EXPECT_EQ(read(once.resolved).points.size(), 4u);
}

TEST(wildcard, does_not_hide_nonsense_in_the_values_that_it_replaces) {
  EXPECT_EQ(complaints(replaced(swept, "mean = 1.0", "mean = -1.0")),
            "f.toml:8:8: classes.light.size: mean: expected a number > 0, found -1");
}

struct wrong_wildcard {
  const char* line;
  const char* message;
};

TEST(wildcard, that_is_wrong_is_reported_word_for_word) {
  const wrong_wildcard cases[] = {
      {"\"arrivals.*.rate\" = [1]",
       "f.toml:21:1: arrivals.*.rate: '*' stands for every element of an array of tables, as in classes.*.size; found "
       "none at arrivals"},
      {"\"*.rate\" = [1]",
       "f.toml:21:1: *.rate: '*' stands for every element of an array of tables, as in classes.*.size; found none at "
       "the top"},
      {"\"nothing.*.x\" = [1]",
       "f.toml:21:1: nothing.*.x: '*' stands for every element of an array of tables, as in classes.*.size; found none "
       "at nothing"},
      {"\"classes.*.*.mean\" = [1]",
       "f.toml:21:1: classes.*.*.mean: '*' stands for every element of an array of tables, as in classes.*.size; found "
       "none at classes.light"},
      {"\"classes.*\" = [1]", "f.toml:21:1: classes.*: classes is an array of tables; expected classes.NAME.KEY"},
      {"\"classes.*.sise\" = [1]",
       "f.toml:21:1: classes.heavy.sise: unknown key; did you mean 'size'?\n"
       "f.toml:21:1: classes.light.sise: unknown key; did you mean 'size'?"},
      {"\"classes.*.state\" = [-1]",
       "f.toml:21:22: classes.heavy.state: expected a number >= 0, found -1\n"
       "f.toml:21:22: classes.light.state: expected a number >= 0, found -1"},
      {"\"classes.*.state\" = [1]\n\"classes.'*'.state\" = [2]",
       "f.toml:22:1: sweep.\"classes.'*'.state\": is swept twice"},
  };
  for (const wrong_wildcard& wrong : cases) EXPECT_EQ(complaints(sample + "[sweep]\n" + wrong.line), wrong.message);
}

TEST(wildcard, that_is_swept_takes_no_override_of_a_single_element) {
  EXPECT_EQ(complaints(swept, {"classes.light.size.mean=2"}),
            "--set classes.light.size.mean=2:1:1: classes.light.size.mean: is swept by classes.*.size; expected an "
            "override of classes.*.size");
}

TEST(wildcard, in_an_override_that_finds_nothing_is_wrong) {
  EXPECT_EQ(complaints(sample, {"policy.*.x=2"}),
            "--set policy.*.x=2:1:1: policy.*.x: '*' stands for every element of an array of tables, as in "
            "classes.*.size; found none at policy");
}

}  // namespace
}  // namespace muster
