#include <algorithm>

#include <gtest/gtest.h>

#include "tests/scenario/sample.h"
#include "tests/scenario/slotted_sample.h"

namespace muster {
namespace {

run_spec run_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return first_point(text, overrides).run;
}

TEST(precision, is_given_as_a_share_a_percentage_or_a_table) {
  EXPECT_FALSE(run_of(sample).precision.has_value());
  for (const char* given : {"0.02", "\"2%\"", "{ half_width = \"2%\" }", "{ half_width = 0.02, class = \"all\" }"}) {
    const auto found = run_of(sample + "precision = " + given + "\n").precision;
    ASSERT_TRUE(found.has_value()) << given;
    ASSERT_EQ(found->targets.size(), 1u);
    EXPECT_EQ(found->targets[0].half_width, 0.02);
    EXPECT_EQ(found->targets[0].metric, "response_time");
    EXPECT_EQ(found->targets[0].class_name, "all");
    EXPECT_EQ(found->most_replications, 1000u);
  }
}

TEST(precision, of_the_command_line_keeps_the_metric_of_the_file) {
  const auto found = run_of(sample + "precision = { half_width = 0.1, metric = \"waiting_time\", class = \"heavy\" }\n",
                            {"run.precision.half_width='1%'"})
                         .precision;
  EXPECT_EQ(found->targets[0].half_width, 0.01);
  EXPECT_EQ(found->targets[0].metric, "waiting_time");
  EXPECT_EQ(found->targets[0].class_name, "heavy");
  EXPECT_EQ(run_of(sample + "precision = 0.1\n", {"run.precision.half_width=0.2"}).precision->targets[0].half_width,
            0.2);
}

TEST(precision, is_one_of_several_targets) {
  const std::string two =
      "precision = [{ half_width = 0.1 }, { half_width = \"2%\", metric = \"slowdown\", class = "
      "\"heavy\" }]\n";
  const auto found = run_of(sample + two).precision;
  ASSERT_EQ(found->targets.size(), 2u);
  EXPECT_EQ(found->targets[0].metric, "response_time");
  EXPECT_EQ(found->targets[0].class_name, "all");
  EXPECT_EQ(found->targets[0].half_width, 0.1);
  EXPECT_EQ(found->targets[1].metric, "slowdown");
  EXPECT_EQ(found->targets[1].class_name, "heavy");
  EXPECT_EQ(found->targets[1].half_width, 0.02);
  for (const char* key : {"run.precision.half_width=0.3", "run.precision.*.half_width=0.3"}) {
    const auto both = run_of(sample + two, {key}).precision;
    ASSERT_EQ(both->targets.size(), 2u);
    EXPECT_EQ(both->targets[0].half_width, 0.3) << key;
    EXPECT_EQ(both->targets[1].half_width, 0.3) << key;
    EXPECT_EQ(both->targets[1].metric, "slowdown") << key;
  }
  EXPECT_EQ(run_of(sample + two, {"run.precision=0.2"}).precision->targets.size(), 1u);
}

TEST(precision, resolves_to_all_that_it_was_left_out_of_it) {
  const study s = read(sample + "precision = [{ half_width = 0.1 }, { half_width = 0.2, class = \"heavy\" }]\n", {});
  const std::string run = s.resolved.substr(s.resolved.find("[run]"));
  EXPECT_NE(run.find("precision = [\n  { half_width = 0.1, metric = \"response_time\", class = \"all\" },\n"
                     "  { half_width = 0.2, class = \"heavy\", metric = \"response_time\" }\n]\n"),
            std::string::npos)
      << run;
}

TEST(precision, of_slotted_jobs_is_one_of_utility_if_nothing_else_is_said) {
  EXPECT_EQ(run_of(slotted_sample, {"run.precision=0.1"}).precision->targets[0].metric, "utility");
  EXPECT_EQ(run_of(slotted_stream, {"run.precision=0.1"}).precision->targets[0].metric, "utility_rate");
}

TEST(precision, of_slotted_jobs_by_batch_means_is_one_of_response_times) {
  const auto batches = run_of(slotted_stream, {"run.intervals=batch_means", "run.precision=0.1"});
  EXPECT_EQ(batches.precision->targets[0].metric, "response_time");
}

TEST(precision, may_be_swept) {
  const study s = read(sample + "[sweep]\n\"run.precision\" = [0.1, \"2%\"]\n");
  EXPECT_EQ(s.points.at(0).model.run.precision->targets[0].half_width, 0.1);
  EXPECT_EQ(s.points.at(1).model.run.precision->targets[0].half_width, 0.02);
}

TEST(model_of_a_study, does_not_depend_on_how_many_replications_there_are) {
  const std::string model = read(sample).model_text;
  EXPECT_FALSE(model.empty());
  EXPECT_EQ(read(sample + "replications = 3\n").model_text, model);
  EXPECT_EQ(read(sample + "precision = 0.01\nmost_replications = 50\n").model_text, model);
  EXPECT_NE(read(sample + "seed = 2\n").model_text, model);
  EXPECT_NE(read(sample + "warm_up = \"mser5\"\n").model_text, model);
  EXPECT_NE(read(with("rate = 7.0", "rate = 6.0")).model_text, model);
}

TEST(model_of_a_study, depends_on_the_precision_where_batches_give_the_interval) {
  const std::string batches = sample + "intervals = \"batch_means\"\n";
  const std::string model = read(batches + "precision = 0.1\n").model_text;
  EXPECT_EQ(read(batches + "precision = 0.1\n").model_text, model);
  EXPECT_NE(read(batches + "precision = 0.01\n").model_text, model);
  EXPECT_NE(read(batches + "precision = 0.1\nmost_replications = 50\n").model_text, model);
  EXPECT_NE(read(batches).model_text, model);
  const std::string one_of_two = "precision = 0.1\n[sweep]\n\"run.intervals\" = [\"replications\", \"batch_means\"]\n";
  EXPECT_NE(read(sample + one_of_two).model_text, read(sample + replaced(one_of_two, "0.1", "0.01")).model_text);
}

TEST(warm_up, is_a_share_or_found_by_mser5) {
  EXPECT_FALSE(run_of(sample).warm_up_by_mser5);
  EXPECT_EQ(run_of(sample).unmeasured(), 100u);
  EXPECT_TRUE(run_of(sample + "warm_up = \"mser5\"\n").warm_up_by_mser5);
}

TEST(intervals, by_batch_means_take_one_replication) {
  const run_spec run = run_of(sample + "intervals = \"batch_means\"\n");
  EXPECT_TRUE(run.batch_means);
  EXPECT_EQ(run.replications, 1u);
}

}  // namespace
}  // namespace muster
