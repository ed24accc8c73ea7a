#include "platform/metrics/control_variates.h"

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "platform/inference/paired_differences.h"
#include "platform/metrics/estimate.h"
#include "platform/metrics/sample.h"

namespace muster {
namespace {

constexpr std::size_t parts_of_one = 4;

/// Replications of one mean with control variates, made by hand.
struct sample {
  std::vector<replication_result> made;

  /// @param value,deviations of each part, of a replication
  void add(const std::array<double, parts_of_one>& value,
           const std::vector<std::array<double, parts_of_one>>& deviations) {
    replication_result r;
    r.measurements.push_back({"all", "response_time", true, mean(value), 10});
    r.measurements.back().parts.assign(value.begin(), value.end());
    for (const auto& d : deviations) r.controls.push_back({"control", mean(d), {d.begin(), d.end()}});
    made.push_back(std::move(r));
  }
  static double mean(const std::array<double, parts_of_one>& v) { return (v[0] + v[1] + v[2] + v[3]) / 4.0; }
  estimate found() const { return measured_point(made).estimates().at(0); }
};

/// Values 5 + slope times a control variate + noise.
sample linear(std::size_t replications, double slope, double noise, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  sample s;
  for (std::size_t r = 0; r < replications; ++r) {
    std::array<double, parts_of_one> value{}, control{};
    for (std::size_t p = 0; p < parts_of_one; ++p) {
      control[p] = normal(bits);
      value[p] = 5.0 + slope * control[p] + noise * normal(bits);
    }
    s.add(value, {control});
  }
  return s;
}

TEST(control_variates, take_out_all_that_they_explain) {
  const estimate found = linear(10, 3.0, 0.0, 1).found();
  EXPECT_NEAR(*found.mean, 5.0, 1e-9);
  EXPECT_NEAR(found.variance_factor, 1e6, 1.0) << "the most that is claimed";
}

TEST(control_variates, narrow_the_interval_by_what_they_explain) {
  sample with = linear(40, 3.0, 1.0, 2), without = with;
  for (replication_result& r : without.made) r.controls.clear();
  const estimate a = with.found(), b = without.found();
  EXPECT_NEAR(a.variance_factor, 10.0, 2.0) << "1 + 3^2";
  EXPECT_EQ(b.variance_factor, 1.0);
  EXPECT_LT(*a.ci_high - *a.ci_low, 0.5 * (*b.ci_high - *b.ci_low));
}

TEST(control_variates, stay_out_where_they_explain_less_than_a_fifth) {
  sample with = linear(40, 0.3, 1.0, 3), without = with;
  for (replication_result& r : without.made) r.controls.clear();
  EXPECT_EQ(with.found().variance_factor, 1.0);
  EXPECT_EQ(with.found().mean, without.found().mean);
  EXPECT_EQ(with.found().ci_low, without.found().ci_low);
}

TEST(control_variates, leave_nine_replications_as_they_are) {
  sample with = linear(9, 3.0, 1.0, 4), without = with;
  for (replication_result& r : without.made) r.controls.clear(), r.measurements[0].parts.clear();
  const estimate a = with.found(), b = without.found();
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.ci_low, b.ci_low);
  EXPECT_EQ(a.ci_high, b.ci_high);
  EXPECT_EQ(a.variance_factor, 1.0);
}

TEST(control_variates, that_only_some_replications_have_are_not_used) {
  sample s = linear(10, 3.0, 1.0, 5);
  s.made[7].controls.clear();
  EXPECT_EQ(s.found().variance_factor, 1.0);
}

TEST(control_variates, that_never_vary_are_not_used) {
  sample s;
  std::mt19937_64 bits(6);
  std::normal_distribution<double> normal;
  for (int r = 0; r < 10; ++r) s.add({normal(bits), normal(bits), normal(bits), normal(bits)}, {{0.0, 0.0, 0.0, 0.0}});
  EXPECT_EQ(s.found().variance_factor, 1.0);
}

// Where a window is too short, the coupled queue has not reached its mean in any replication.
TEST(control_variates, whose_mean_lies_many_standard_errors_off_are_not_used) {
  sample with = linear(10, 3.0, 0.1, 8), without = with;
  for (replication_result& r : with.made)
    for (control_variate& c : r.controls) {
      c.deviation -= 20.0;
      for (double& part : c.parts) part -= 20.0;
    }
  for (replication_result& r : without.made) r.controls.clear();
  EXPECT_EQ(with.found().mean, without.found().mean);
  EXPECT_EQ(with.found().variance_factor, 1.0);
}

/// A mean that is the sum of two, of which the control variate explains one only.
std::vector<replication_result> sums(std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  std::vector<replication_result> made;
  for (int r = 0; r < 12; ++r) {
    std::array<double, parts_of_one> first{}, second{}, sum{}, control{};
    for (std::size_t p = 0; p < parts_of_one; ++p) {
      control[p] = normal(bits);
      first[p] = 9.0 + 2.0 * control[p];
      second[p] = 5.0 + 0.5 * normal(bits);
      sum[p] = first[p] + second[p];
    }
    sample s;
    s.add(sum, {control});
    for (const auto& [metric, parts] : {std::pair{"time_running", first}, {"wait_no_core", second}, {"slowdown", sum}})
      s.made[0].measurements.push_back(
          {"all", metric, true, sample::mean(parts), 10, {}, {}, {parts.begin(), parts.end()}});
    made.push_back(s.made[0]);
  }
  return made;
}

TEST(control_variates, leave_the_parts_of_a_time_such_that_they_add_up_to_it) {
  const std::vector<estimate> found = measured_point(sums(9)).estimates();
  EXPECT_GT(found[0].variance_factor, 5.0);
  EXPECT_LT(found[2].variance_factor, 1.2) << "wait_no_core has nothing to do with it";
  EXPECT_NEAR(*found[0].mean, *found[1].mean + *found[2].mean, 1e-12);
}

// The control variate explains what one class has, and nothing of the other.
TEST(control_variates, leave_the_jobs_of_the_classes_such_that_they_add_up_to_those_of_all) {
  std::vector<replication_result> made = sums(13);
  for (replication_result& r : made)
    for (std::size_t of : {3u, 1u, 2u}) {
      r.measurements.push_back(r.measurements[of]);
      r.measurements.back().metric = "jobs_in_system";
      r.measurements.back().class_name = of == 3 ? "all" : of == 1 ? "steered" : "free";
    }
  const measured_point point(made);
  const auto mean = [&](const char* name) { return *point.find(name, "jobs_in_system")->to_estimate().mean; };
  EXPECT_GT(point.find("all", "jobs_in_system")->to_estimate().variance_factor, 5.0);
  EXPECT_NEAR(mean("all"), mean("steered") + mean("free"), 1e-12);
}

TEST(control_variates, leave_the_difference_of_two_estimates_as_the_estimate_of_the_difference) {
  std::vector<replication_result> other = sums(11);
  for (replication_result& r : other) r.controls.clear();
  const measured_point a(sums(10)), b(other);
  const std::vector<estimate> of_a = a.estimates(), of_b = b.estimates(), apart = differences(a, b);
  ASSERT_EQ(apart.size(), 4u);
  for (std::size_t m = 0; m < apart.size(); ++m) {
    EXPECT_NEAR(*apart[m].mean, *of_a[m].mean - *of_b[m].mean, 1e-12) << apart[m].metric;
    EXPECT_LT(*apart[m].ci_low, *apart[m].mean);
  }
}

TEST(control_variates, are_left_out_of_all_times_where_one_would_be_negative) {
  std::vector<replication_result> made = sums(12);
  double mean = 0.0;
  for (const replication_result& r : made) mean += r.controls[0].deviation / 12.0;
  for (replication_result& r : made) {
    r.controls[0].deviation += 0.1 - mean;
    r.measurements[1].value = 0.01;  // time_running, of which 0.2 would be taken
  }
  for (const estimate& e : measured_point(made).estimates()) {
    EXPECT_GE(*e.mean, 0.0) << e.metric;
    if (e.metric == "slowdown") continue;  // none of them
    EXPECT_EQ(e.variance_factor, 1.0) << e.metric;
  }
}

// Values that bend: 5 + 3 c + (c^2 - 1) / 2 + noise, where c is exponential less its mean. The largest controls decide
// on the coefficient, and what regression leaves is largest there: the same parts make both.
sample bent(std::mt19937_64& bits) {
  std::exponential_distribution<double> skewed(1.0);
  std::normal_distribution<double> noise(0.0, 0.5);
  sample s;
  for (std::size_t r = 0; r < 10; ++r) {
    std::array<double, parts_of_one> value{}, control{};
    for (std::size_t p = 0; p < parts_of_one; ++p) {
      const double c = control[p] = skewed(bits) - 1.0;
      value[p] = 5.0 + 3.0 * c + 0.5 * (c * c - 1.0) + noise(bits);
    }
    s.add(value, {control});
  }
  return s;
}

// Residuals alone say too little of how much the mean varies: with them 88 % of these intervals cover. In 6,000
// experiments that is seen as 90.5 % or more in 1 of 10 million cases, and the 92.5 % of the jackknife as less in 1 of
// 10 million.
TEST(control_variates, whose_coefficient_rests_on_their_largest_deviations_widen_the_interval_by_its_error) {
  constexpr int experiments = 6000;
  std::mt19937_64 bits(14);
  int covered = 0;
  double factors = 0.0;
  for (int e = 0; e < experiments; ++e) {
    const estimate found = bent(bits).found();
    covered += *found.ci_low <= 5.0 && 5.0 <= *found.ci_high;
    factors += found.variance_factor / experiments;
  }
  EXPECT_GE(covered, 0.905 * experiments);
  EXPECT_GT(factors, 10.0);
}

// The mean at the control's expectation by regression over all parts but those of one replication. @param left_out the
// number of replications: none
double mean_without(const sample& s, std::size_t left_out) {
  std::vector<double> value, control, values, deviations;
  for (std::size_t r = 0; r < s.made.size(); ++r) {
    if (r == left_out) continue;
    const measurement& m = s.made[r].measurements[0];
    const control_variate& c = s.made[r].controls[0];
    value.insert(value.end(), m.parts.begin(), m.parts.end());
    control.insert(control.end(), c.parts.begin(), c.parts.end());
    values.push_back(m.value);
    deviations.push_back(c.deviation);
  }
  return mean_of(values) - covariance_of(value, control) / variance_of(control) * mean_of(deviations);
}

TEST(control_variates, leave_values_that_scatter_as_the_means_without_each_replication_tell) {
  std::mt19937_64 bits(15);
  for (int e = 0; e < 20; ++e) {
    const sample s = bent(bits);
    const auto n = static_cast<double>(s.made.size());
    std::vector<double> pseudo_values;
    for (std::size_t r = 0; r < s.made.size(); ++r)
      pseudo_values.push_back(n * mean_without(s, s.made.size()) - (n - 1.0) * mean_without(s, r));
    const measured_point point(s.made);
    const replicated_values& left = point.series().at(0).estimated;
    ASSERT_EQ(left.fitted, 1u);
    EXPECT_NEAR(mean_of(left.values), mean_without(s, s.made.size()), 1e-12);
    EXPECT_NEAR(variance_of(left.values), variance_of(pseudo_values), 1e-9);
    EXPECT_NEAR(left.bias, mean_of(left.values) - mean_of(pseudo_values), 1e-9);
  }
}

// Two queues that see the same jobs: M/M/2, whose mean is estimated, and M/M/1 of twice the speed, whose mean is known.
sample coupled_queues(std::size_t replications, double load, int jobs, std::mt19937_64& bits) {
  std::exponential_distribution<double> gap(2.0 * load), size(1.0);
  sample s;
  for (std::size_t r = 0; r < replications; ++r) {
    std::array<double, 2> left{};
    double work = 0.0;
    std::array<double, parts_of_one> response{}, gaps{}, sizes{}, works{};
    const int warm_up = jobs / 10, length = (jobs - warm_up) / 4;
    for (int j = 0; j < warm_up + 4 * length; ++j) {
      const double g = gap(bits), x = size(bits);
      for (double& l : left) l = std::max(0.0, l - g);
      work = std::max(0.0, work - 2.0 * g);
      double& shortest = *std::min_element(left.begin(), left.end());
      shortest += x;
      if (j >= warm_up) {
        const auto p = static_cast<std::size_t>((j - warm_up) / length);
        response[p] += shortest / length;
        gaps[p] += (g - 0.5 / load) / length;
        sizes[p] += (x - 1.0) / length;
        works[p] += (work / 2.0 - load / (2.0 * (1.0 - load))) / length;
      }
      work += x;
    }
    s.add(response, {gaps, sizes, works});
  }
  return s;
}

// With 400 experiments a coverage of 95 % is seen as one below 92 or above 98 % in 1 of 150 cases.
TEST(control_variates, of_a_coupled_queue_keep_the_coverage_at_92_to_98_percent) {
  constexpr int experiments = 400;
  std::mt19937_64 bits(7);
  for (const double load : {0.5, 0.8}) {
    int covered = 0, used = 0;
    double factors = 0.0;
    for (int e = 0; e < experiments; ++e) {
      const estimate found = coupled_queues(10, load, 5000, bits).found();
      const double truth = 1.0 / (1.0 - load * load);
      covered += *found.ci_low <= truth && truth <= *found.ci_high;
      used += found.variance_factor > 1.0;
      factors += found.variance_factor / experiments;
    }
    EXPECT_GE(covered, 0.92 * experiments) << load;
    EXPECT_LE(covered, 0.98 * experiments) << load;
    EXPECT_EQ(used, experiments) << load;
    EXPECT_GT(factors, 10.0) << load;
  }
}

}  // namespace
}  // namespace muster
