#include <gtest/gtest.h>

#include <ctime>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

std::string sweeping(const std::string& lines) { return sample + "[sweep]\n" + lines; }

std::vector<std::vector<std::string>> rows(const study& s) {
  std::vector<std::vector<std::string>> all;
  for (const auto& point : s.points) all.push_back(point.values);
  return all;
}

using table_of_words = std::vector<std::vector<std::string>>;

TEST(sweep, is_a_product_whose_first_key_varies_slowest) {
  const study s = read(sweeping("\"run.seed\" = [9, 8]\n\"arrivals.rate\" = [4.0, 7.25]\n"));
  EXPECT_EQ(s.keys, (std::vector<std::string>{"run.seed", "arrivals.rate"}));
  EXPECT_EQ(rows(s), (table_of_words{{"9", "4"}, {"9", "7.25"}, {"8", "4"}, {"8", "7.25"}}));
  EXPECT_EQ(s.points[2].model.run.seed, 8u);
  EXPECT_EQ(s.points[2].model.arrivals.rate, 4.0);
  EXPECT_EQ(s.points[3].model.arrivals.rate, 7.25);
}

TEST(sweep, shows_values_short) {
  const study s =
      read(sweeping("policy = [ 'msf', { name = \"msfq\", threshold = 31 }, { name = \"msfq\", threshold = 3, "
                    "drain = \"always\" } ]\n\"classes.light.size\" = [ { distribution = \"exponential\", "
                    "mean = 2.50 } ]\n"));
  EXPECT_EQ(rows(s), (table_of_words{{"msf", "exponential(mean=2.5)"},
                                     {"msfq(threshold=31)", "exponential(mean=2.5)"},
                                     {"msfq(threshold=3 drain=always)", "exponential(mean=2.5)"}}));
  EXPECT_EQ(s.points[0].model.classes[0].size.mean(), 2.5);
}

TEST(sweep, replaces_whole_tables) {
  const study s = read(replaced(sweeping("policy = [ { name = \"msf\" }, { name = \"fcfs\" } ]\n"), "name = \"msfq\"",
                                "name = \"msfq\"\nthreshold = 3"));
  EXPECT_EQ(s.points[0].model.policy.name, "msf");
  EXPECT_TRUE(s.points[0].model.policy.settings.empty());
}

TEST(sweep, of_a_part_goes_into_the_swept_whole_whatever_their_order) {
  const study s = read(sweeping("\"policy.threshold\" = [1, 2]\npolicy = [\"msfq\", \"static_quickswap\"]\n"));
  ASSERT_EQ(s.points.size(), 4u);
  EXPECT_EQ(s.points[1].model.policy.name, "static_quickswap");
  EXPECT_EQ(s.points[3].model.policy.settings[0].second, setting_value{std::int64_t{2}});
}

TEST(sweep, reaches_classes_and_servers_by_name) {
  const study s =
      read(replaced(sweeping("\"platform.servers.node.cores\" = [32, 64]\n\"classes.heavy.share\" = [0.1]\n"),
                    "\"msfq\"", "\"msf\""));
  EXPECT_EQ(s.points[1].model.servers[0].cores, 64u);
}

TEST(sweep, reaches_names_with_dots) {
  const study s =
      read(replaced(sweeping("\"classes.he.avy.need\" = [32]\n\"classes.'light'.need\" = [1]\n"), "heavy", "he.avy"));
  EXPECT_EQ(s.points[0].model.classes[1].need, 32u);
}

TEST(sweep, may_give_what_the_file_leaves_out) {
  const study s = read(
      replaced(sweeping("\"arrivals.rate\" = [3, 4]\n\"record.until\" = [2.5]\n"), "[arrivals]\nrate = 7.0\n", ""));
  EXPECT_EQ(s.points[1].model.arrivals.rate, 4.0);
  EXPECT_EQ(s.points[1].model.record.until, 2.5);
}

TEST(sweep, defaults_follow_the_values_of_each_point) {
  const study s =
      read(replaced(sweeping("\"platform.servers.node.cores\" = [32, 64]\n"), "\"msfq\"", "\"static_quickswap\""));
  EXPECT_EQ(s.points[0].model.policy.settings[0].second, setting_value{std::int64_t{31}});
  EXPECT_EQ(s.points[1].model.policy.settings[0].second, setting_value{std::int64_t{63}});
}

TEST(sweep, reports_what_several_points_share_only_once) {
  EXPECT_EQ(complaints(replaced(sweeping("\"run.seed\" = [1, 2, 3]\n\"run.warm_up\" = [0.1, 1.5]\n"), "rate = 7.0",
                                "rate = -7.0")),
            "f.toml:15:8: arrivals.rate: expected a number > 0, found -7\n"
            "f.toml:22:23: run.warm_up: expected a number >= 0 and < 1, found 1.5");
}

TEST(sweep, does_not_hide_nonsense_in_the_values_that_it_replaces) {
  EXPECT_EQ(complaints(replaced(sweeping("policy = [\"msf\"]\n"), "name = \"msfq\"", "name = \"msfq\"\ntreshold = 3")),
            "f.toml:18:1: policy.treshold: unknown key; did you mean 'threshold'?");
}

TEST(sweep, holds_what_it_replaces_against_the_policy_that_an_override_names) {
  const std::string text = R"(name = "base"
platform.servers = [{ name = "node", count = 4, cores = 2 }]
platform.placement = "best_fit"
classes = [{ name = "a", need = 1, rate = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
policy = "tetris"
[sweep]
"platform.placement" = ["first", "best_fit"]
)";
  EXPECT_NE(complaints(text).find("policy 'tetris' places jobs itself"), std::string::npos);
  EXPECT_EQ(read(text, {"policy.name=fcfs"}).points.size(), 2u);
}

TEST(sweep, has_a_largest_size) {
  std::string values = "[0";
  for (int i = 1; i < 400; ++i) values += ", " + std::to_string(i);
  values += "]";
  EXPECT_EQ(complaints(sweeping("\"run.seed\" = " + values + "\n\"run.warm_up\" = [0.0]\n\"record.until\" = " +
                                replaced(values, "[0, ", "[0.5, ") + "\n")),
            "f.toml:21:1: sweep: expected at most 100000 points, found 160000");
}

TEST(sweep, of_200_points_over_26_classes_takes_little_processor_time_to_read) {
  std::string text = "name = \"large\"\n[platform]\nservers = [ { name = \"node\", cores = 2048 } ]\n";
  for (int i = 0; i < 26; ++i)
    text += "[[classes]]\nname = \"c" + std::to_string(i) + "\"\nneed = " + std::to_string(i + 1) +
            "\nrate = 1.5\nsize = { distribution = \"exponential\", mean = 1.0 }\n";
  text += "[policy]\nname = \"fcfs\"\n[sweep]\n\"run.seed\" = [";
  for (int i = 0; i < 200; ++i) text += std::to_string(i) + ",";
  const std::clock_t begin = std::clock();
  EXPECT_EQ(read(text + "]\n").points.size(), 200u);
  EXPECT_LT(std::clock() - begin, 2 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace muster
