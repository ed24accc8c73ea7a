#include "platform/metrics/estimate.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "platform/command_line/run_text.h"
#include "platform/inference/paired_differences.h"

namespace muster {
namespace {

replication_result with_value(bool has_value, double value) {
  replication_result r;
  r.measurements.push_back({"all", "response_time", has_value, value, 10});
  return r;
}

TEST(estimate, interval_is_students_t_over_replications) {
  const auto found = measured_point(std::vector{with_value(true, 11.0), with_value(true, 12.0), with_value(true, 13.0)})
                         .estimates()
                         .at(0);
  EXPECT_EQ(found.class_name, "all");
  EXPECT_EQ(found.metric, "response_time");
  EXPECT_DOUBLE_EQ(*found.mean, 12.0);
  const double t = 0.95 * std::sqrt(2.0 / (1.0 - 0.95 * 0.95));  // closed form for 2 degrees of freedom
  EXPECT_NEAR(*found.ci_high - *found.mean, t / std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(*found.mean - *found.ci_low, *found.ci_high - *found.mean, 1e-12);
  EXPECT_EQ(found.replications, 3u);
  EXPECT_EQ(found.jobs, 30u);
}

TEST(estimate, one_value_has_no_interval) {
  const auto found = measured_point(std::vector{with_value(true, 5.0)}).estimates().at(0);
  EXPECT_EQ(found.mean, 5.0);
  EXPECT_FALSE(found.ci_low || found.ci_high);
}

TEST(estimate, replications_without_a_value_do_not_count_as_zero) {
  const auto found = measured_point(std::vector{with_value(false, 0.0), with_value(true, 4.0), with_value(true, 6.0)})
                         .estimates()
                         .at(0);
  EXPECT_EQ(found.mean, 5.0);
  EXPECT_EQ(found.replications, 2u);
}

TEST(estimate, without_any_value_there_is_no_estimate) {
  const auto found = measured_point(std::vector{with_value(false, 0.0), with_value(false, 0.0)}).estimates().at(0);
  EXPECT_FALSE(found.mean || found.ci_low || found.ci_high);
  EXPECT_EQ(found.replications, 0u);
}

TEST(estimate, interval_stays_within_the_range_of_the_metric) {
  replication_result low, high;
  low.measurements = {{"all", "response_time", true, 0.1, 10}, {"all", "utilization", true, 0.7, 10}};
  high.measurements = {{"all", "response_time", true, 9.0, 10}, {"all", "utilization", true, 0.9, 10}};
  const auto found = measured_point(std::vector{low, high}).estimates();
  EXPECT_EQ(found[0].ci_low, 0.0);
  EXPECT_GT(*found[0].ci_high, 9.0);
  EXPECT_EQ(found[1].ci_high, 1.0);
}

TEST(estimate, of_a_fairness_index_is_that_of_the_mean_response_times) {
  std::vector<replication_result> made(4);
  const double a[] = {1.0, 5.0, 2.0, 6.0}, b[] = {5.0, 1.0, 4.0, 2.0};
  for (std::size_t r = 0; r < made.size(); ++r)
    made[r].measurements = {{"all", "fairness_jain", true, 0.7, 10},
                            {"a", "response_time", true, a[r], 5},
                            {"b", "response_time", true, b[r], 5}};
  const estimate found = measured_point(made).estimates().at(0);
  EXPECT_NEAR(*found.mean, 6.5 * 6.5 / (2.0 * (3.5 * 3.5 + 3.0 * 3.0)), 1e-12);
  EXPECT_LE(*found.ci_high, 1.0);
  EXPECT_LT(*found.ci_low, *found.mean);
}

// Response times of two classes whose means are so many standard errors of a mean apart. At the greatest value of the
// index, 1, the classes have the same mean; the index is a square of their difference there.
TEST(estimate, of_a_fairness_index_covers_the_truth_where_the_classes_are_nearly_equal) {
  constexpr std::size_t replications = 10, experiments = 1000;
  constexpr double error = 0.02;
  std::mt19937_64 random{26};
  std::normal_distribution<double> scatter{0.0, error * std::sqrt(double{replications})};
  for (const double apart : {0.5, 2.0, 6.0}) {
    const double a = 1.0 + apart * error, truth = (a + 1.0) * (a + 1.0) / (2.0 * (a * a + 1.0));
    std::size_t covered = 0;
    for (std::size_t e = 0; e < experiments; ++e) {
      std::vector<replication_result> made(replications);
      for (replication_result& r : made)
        r.measurements = {{"all", "fairness_jain", true, 0.7, 10},
                          {"a", "response_time", true, a + scatter(random), 5},
                          {"b", "response_time", true, 1.0 + scatter(random), 5}};
      const estimate found = measured_point(std::move(made)).estimates().at(0);
      covered += *found.ci_low <= truth && truth <= *found.ci_high;
    }
    EXPECT_GT(static_cast<double>(covered) / experiments, 0.92) << apart << " standard errors apart";
  }
}

TEST(measured_point, has_a_series_of_what_any_replication_has_measured_with_gaps_where_others_have_not) {
  replication_result other = with_value(true, 1.0);
  other.measurements.push_back({"light", "slowdown", true, 7.0, 5});
  const std::vector<replication_result> all{with_value(true, 4.0), {}, other};
  const measured_point found(all);
  ASSERT_EQ(found.series().size(), 2u);
  EXPECT_EQ(found.series()[0].values(), (std::vector<double>{4.0, 1.0}));
  EXPECT_EQ(found.estimates()[0].jobs, 20u);
  const metric_series* slowdown = found.find("light", "slowdown");
  ASSERT_TRUE(slowdown);
  ASSERT_EQ(slowdown->measured.size(), 3u);
  EXPECT_FALSE(slowdown->measured[0] || slowdown->measured[1]);
  EXPECT_EQ(slowdown->measured[2]->value, 7.0);
  const auto common = in_common({&found.series()[0], slowdown});
  ASSERT_EQ(common.size(), 1u);
  EXPECT_EQ(common[0][0]->value, 1.0);
  EXPECT_FALSE(found.find("light", "response_time"));
}

TEST(differences, count_the_replications_in_which_both_have_a_value) {
  const std::vector<replication_result> a{with_value(true, 5.0), with_value(false, 0.0), with_value(true, 7.0),
                                          with_value(true, 9.0), with_value(true, 50.0)},
      b{with_value(true, 3.0), with_value(true, 4.0), with_value(false, 0.0), with_value(true, 3.0)};
  const measured_point in_a(a), in_b(b);
  for (const bool turned : {false, true}) {
    const estimate found = (turned ? differences(in_b, in_a) : differences(in_a, in_b)).at(0);
    EXPECT_EQ(found.mean, turned ? -4.0 : 4.0) << "of 5 - 3 and 9 - 3";
    EXPECT_EQ(found.replications, 2u);
    EXPECT_EQ(found.jobs, 40u);
  }
  const std::vector<replication_result> two{a[0], a[1]}, turned_two{b[2], b[0]};
  const estimate none = differences(measured_point(two), measured_point(turned_two)).at(0);
  EXPECT_FALSE(none.mean);
  EXPECT_EQ(none.replications, 0u);
}

// One job in the system at a rate of 0.5, three of them at a rate of 0.1: the work is 0.5 and 0.3, and the ratio of the
// means 0.8 / 4. The mean of the ratios is 0.3.
TEST(estimate, of_a_ratio_is_the_ratio_of_the_means) {
  replication_result few, many;
  few.measurements = {{"all", "jobs_in_system", true, 1.0, 10}, {"all", "service_rate", true, 0.5, 10}};
  many.measurements = {{"all", "jobs_in_system", true, 3.0, 10}, {"all", "service_rate", true, 0.1, 10}};
  const estimate found = measured_point(std::vector{few, many}).find("all", "service_rate")->to_estimate();
  EXPECT_DOUBLE_EQ(*found.mean, 0.2);
  few.measurements.erase(few.measurements.begin());
  EXPECT_DOUBLE_EQ(*measured_point(std::vector{few, many}).find("all", "service_rate")->to_estimate().mean, 0.3)
      << "without the denominator";
}

// Long windows all have 6 or 7 where the truth is one of them.
TEST(estimate, of_a_whole_number_has_an_interval_that_ends_at_whole_numbers) {
  std::vector<replication_result> replications(20);
  for (std::size_t r = 0; r < 20; ++r)
    replications[r].measurements = {{"all", "jobs_in_system_p99", true, r % 4 == 0 ? 6.0 : 7.0, 10}};
  const estimate found = measured_point(replications).find("all", "jobs_in_system_p99")->to_estimate();
  EXPECT_EQ(found.ci_low, 6.0);
  EXPECT_EQ(found.ci_high, 7.0);
}

// The last field of the last line.
std::string corner_of(const std::string& table) {
  const std::size_t end = table.find_last_not_of(" \n");
  return table.substr(0, end + 1).substr(table.find_last_of(' ', end) + 1);
}

// A pilot is one, whatever comes after it, and a class may be without a job in some.
TEST(tables_of_results, count_the_replications_of_the_metric_that_most_have_measured) {
  study s;
  s.keys = {"policy"};
  s.points.resize(2);
  s.points[0].values = {"msf"};
  s.points[1].values = {"msfq"};
  for (study::point& p : s.points) p.model.classes.resize(1);
  const estimate few{"all", "waiting_time", 1.0, {}, {}, 2, 20}, most{"all", "response_time", 2.0, {}, {}, 7, 70},
      pilot{"all", "warm_up_jobs", 200.0, {}, {}, 1, 0};
  for (const std::vector<estimate>& found : {std::vector{few, most, pilot}, {most, few}, {few, most}}) {
    EXPECT_EQ(corner_of(run_text(s, {found}, {{}}).text()), "7");
  }
}

TEST(tables_of_results, have_the_metrics_that_a_study_names_alone_but_for_programs) {
  study s;
  s.points.resize(1);
  s.points[0].model.classes.resize(1);
  s.points[0].model.report.metrics = {{"waiting_time", "heavy"}, {"response_time"}};
  const table_document run = run_text(s,
                                      {{{"all", "response_time", 2.0, {}, {}, 7, 70},
                                        {"all", "utilization", 0.5, {}, {}, 7, 70},
                                        {"heavy", "waiting_time", 1.0, {}, {}, 7, 70}}},
                                      {{}});
  EXPECT_NE(run.text().find("\npoint  waiting_time[heavy]  response_time  replications\n"), std::string::npos)
      << run.text();
  const std::string for_programs = run.in(output_format::csv);
  for (const char* column : {"response_time,", "utilization,", "waiting_time[heavy],"})
    EXPECT_NE(for_programs.find(column), std::string::npos) << for_programs;
}

}  // namespace
}  // namespace muster
