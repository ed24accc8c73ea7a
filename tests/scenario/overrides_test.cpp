#include <gtest/gtest.h>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

const std::string swept =
    sample + "[sweep]\npolicy = [\"msf\", { name = \"msfq\", threshold = 5 }]\n\"arrivals.rate\" = [4, 5]\n";

TEST(overrides, take_toml_values_and_bare_words) {
  EXPECT_EQ(first_point(sample, {"arrivals.rate=3"}).arrivals.rate, 3.0);
  EXPECT_EQ(first_point(sample, {"run.jobs=2_000"}).run.jobs, 2000u);
  EXPECT_EQ(first_point(sample, {"policy.name=\"fcfs\""}).policy.name, "fcfs");
  EXPECT_EQ(first_point(sample, {"policy.name=first_fit"}).policy.name, "first_fit");
  EXPECT_EQ(first_point(sample, {"policy=msf"}).policy.name, "msf");
  EXPECT_EQ(first_point(sample, {"about='a = b'"}).about, "a = b");
  EXPECT_EQ(
      first_point(sample, {"classes.light.size={ distribution = \"exponential\", mean = 2 }"}).classes[0].size.mean(),
      2.0);
}

TEST(overrides, reach_elements_by_name) {
  EXPECT_EQ(first_point(sample, {"policy.name=msf", "classes.heavy.need=16"}).classes[1].need, 16u);
  EXPECT_EQ(first_point(sample, {"policy.name=msf", "platform.servers.node.cores=64"}).servers[0].cores, 64u);
}

TEST(overrides, mean_the_longest_name_where_one_begins_with_another) {
  const std::string text = replaced(replaced(with("msfq", "msf"), "light", "a"), "heavy", "a.b");
  const scenario model = first_point(text, {"classes.a.b.need=16", "classes.a.need=2"});
  EXPECT_EQ(model.classes[0].need, 2u);
  EXPECT_EQ(model.classes[1].need, 16u);
  EXPECT_EQ(first_point(text, {"sweep.\"classes.a.b.need\"=[8, 16]"}).classes[1].need, 8u);
}

TEST(overrides, of_one_key_count_in_their_order) {
  EXPECT_EQ(first_point(sample, {"run.seed=3", "run.seed=4"}).run.seed, 4u);
}

TEST(overrides, of_a_swept_key_end_its_sweep) {
  const study s = read(swept, {"arrivals.rate=3"});
  EXPECT_EQ(s.keys, std::vector<std::string>{"policy"});
  ASSERT_EQ(s.points.size(), 2u);
  EXPECT_EQ(s.points[1].model.arrivals.rate, 3.0);
}

TEST(overrides, of_the_time_unit_make_a_sweep_over_it_readable) {
  const study s = read(sample + "[sweep]\ntime_unit = [\"s\", \"h\"]\n", {"time_unit=h"});
  ASSERT_EQ(s.points.size(), 1u);
  EXPECT_EQ(s.points[0].model.unit.name, "h");
}

TEST(overrides, of_the_policy_name_end_a_sweep_of_policies) {
  const study s = read(swept, {"policy.name=msf"});
  EXPECT_EQ(s.keys, std::vector<std::string>{"arrivals.rate"});
  EXPECT_EQ(s.points[0].model.policy.name, "msf");
}

TEST(overrides, that_name_another_policy_drop_the_parameters_of_the_former) {
  const std::string text = with("\"msfq\"", "\"msfq\"\nthreshold = 3");
  EXPECT_EQ(first_point(text, {"policy.name=msf"}).policy.name, "msf");
  EXPECT_EQ(first_point(text, {"policy.name=msfq"}).policy.settings[0].second, setting_value{std::int64_t{3}});
  EXPECT_EQ(first_point(text, {"policy.threshold=7", "policy.name=static_quickswap"}).policy.settings[0].second,
            setting_value{std::int64_t{7}});
}

TEST(overrides, within_a_swept_table_go_into_each_of_its_values) {
  const std::string two = replaced(swept, "\"msf\"", "\"static_quickswap\"");
  const study s = read(two, {"policy.threshold=9"});
  ASSERT_EQ(s.points.size(), 4u);
  EXPECT_EQ(s.points[0].values[0], "static_quickswap(threshold=9)");
  EXPECT_EQ(s.points[2].values[0], "msfq(threshold=9)");
  EXPECT_EQ(s.points[2].model.policy.settings[0].second, setting_value{std::int64_t{9}});
}

TEST(overrides, may_sweep) {
  EXPECT_EQ(read(sample, {"sweep.\"arrivals.rate\"=[1, 2, 3]"}).points.size(), 3u);
  EXPECT_EQ(read(swept, {"sweep.\"arrivals.rate\"=[1, 2, 3]"}).points.size(), 6u);
}

TEST(overrides, are_in_the_resolved_text) {
  const study s = read(swept, {"arrivals.rate=3", "run.seed=77"});
  EXPECT_EQ(s.resolved.find("\"arrivals.rate\""), std::string::npos);
  EXPECT_NE(s.resolved.find("seed = 77\n"), std::string::npos);
  EXPECT_EQ(read(s.resolved).resolved, s.resolved);
}

struct wrong_override {
  const char* text;
  const char* message;
};

TEST(overrides, that_are_wrong_are_named_in_the_message) {
  const wrong_override cases[] = {
      {"arrivals.rate=-1", "--set arrivals.rate=-1:1:15: arrivals.rate: expected a number > 0, found -1"},
      {"arrivals.rate=fast", "--set arrivals.rate=fast:1:15: arrivals.rate: expected a number, found a string"},
      {"arrivals.rate=nan", "--set arrivals.rate=nan:1:15: arrivals.rate: expected a finite number, found nan"},
      {"arrivals.rte=1", "--set arrivals.rte=1:1:1: arrivals.rte: unknown key; did you mean 'rate'?"},
      {"policy.name=mfs", "--set policy.name=mfs:1:13: policy.name: unknown policy 'mfs'; did you mean 'msf'?"},
      {"policy.threshold=99",
       "--set policy.threshold=99:1:18: policy.threshold: expected an integer from 0 to 31, found 99"},
      {"classes.lihgt.need=1",
       "--set classes.lihgt.need=1:1:1: classes.lihgt.need: unknown name 'lihgt' in classes; did you mean 'light'?"},
      {"name.x=1", "--set name.x=1:1:1: name.x: name is a string; expected a table"},
      {"arrivals.rate", "--set arrivals.rate:1:1: --set: expected dotted.key=value, such as arrivals.rate=7.0"},
      {"", "--set :1:1: --set: expected dotted.key=value, such as arrivals.rate=7.0"},
      {"=1", "--set =1:1:1: --set: expected dotted.key=value, such as arrivals.rate=7.0"},
      {"a..b=1", "--set a..b=1:1:1: --set: expected dotted.key=value, such as arrivals.rate=7.0"},
      {"run.seed=", "--set run.seed=:1:10: run.seed: Error while parsing key-value pair: encountered end-of-file"},
      {"run.seed=[1", "--set run.seed=[1:1:12: run.seed: Error while parsing array: encountered end-of-file"},
      {"arrivals.rate=[1,2]",
       "--set arrivals.rate=[1,2]:1:15: arrivals.rate: expected a number, found an array; a sweep over it is --set "
       "'sweep.\"arrivals.rate\"=[..]'"},
      {"run.jobs=[1, 2]",
       "--set run.jobs=[1, 2]:1:10: run.jobs: expected an integer, found an array; a sweep over it is --set "
       "'sweep.\"run.jobs\"=[..]'"},
      {"platform.servers=[[]]", "--set platform.servers=[[]]:1:19: platform.servers: expected a table, found an array"},
      {"run.jobs=1e6", "--set run.jobs=1e6:1:10: run.jobs: expected an integer, found 1000000.0; write 1000000"},
      {"run.jobs=1e300", "--set run.jobs=1e300:1:10: run.jobs: expected an integer, found 1e+300"},
      {"run.precision=5",
       "--set run.precision=5:1:15: run.precision.half_width: expected a share > 0 and < 1, such as 0.01 or \"1%\", "
       "found 5"},
      {"run.seed=1\nx = 2", "--set run.seed=1\\nx = 2:1:10: run.seed: expected a single value"},
  };
  for (const wrong_override& wrong : cases) EXPECT_EQ(complaints(sample, {wrong.text}), wrong.message);
}

TEST(overrides, within_a_swept_policy_without_that_parameter_are_wrong) {
  EXPECT_EQ(complaints(swept, {"policy.threshold=3"}),
            "--set policy.threshold=3:1:1: policy.threshold: unknown key; expected one of: name");
}

}  // namespace
}  // namespace muster
