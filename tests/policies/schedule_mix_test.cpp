#include "muster/policies/algorithms/schedule_mix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

namespace muster {
namespace {

// All feasible schedules, the empty one included.
std::vector<schedule> all_schedules(const std::vector<unsigned>& needs, unsigned cores) {
  std::vector<schedule> found;
  schedule jobs(needs.size());
  const std::function<void(std::size_t, unsigned)> choose = [&](std::size_t i, unsigned left) {
    if (i == needs.size()) {
      found.push_back(jobs);
      return;
    }
    for (jobs[i] = 0; jobs[i] * needs[i] <= left; ++jobs[i]) choose(i + 1, left - jobs[i] * needs[i]);
    jobs[i] = 0;
  };
  choose(0, cores);
  return found;
}

// Weights with which the chosen schedules add up to the loads, by elimination; nothing if there are none, or several.
std::optional<std::vector<double>> mix_weights(const std::vector<const schedule*>& chosen, std::vector<double> loads) {
  const std::size_t n = loads.size();
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) a[i][j] = (*chosen[j])[i];
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r)
      if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
    if (std::abs(a[pivot][c]) < 1e-12) return std::nullopt;
    std::swap(a[c], a[pivot]);
    std::swap(loads[c], loads[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double f = a[r][c] / a[c][c];
      for (std::size_t j = c; j < n; ++j) a[r][j] -= f * a[c][j];
      loads[r] -= f * loads[c];
    }
  }
  for (std::size_t i = 0; i < n; ++i) loads[i] /= a[i][i];
  return loads;
}

// The factor by its definition: a point on the border of the convex hull is a mix of as many schedules as there are
// classes (Caratheodory), so that all such choices are tried.
double factor_by_enumeration(const std::vector<unsigned>& needs, const std::vector<double>& loads, unsigned cores) {
  const std::vector<schedule> all = all_schedules(needs, cores);
  double best = 0.0;
  std::vector<const schedule*> chosen;
  const std::function<void(std::size_t)> choose = [&](std::size_t from) {
    if (chosen.size() == needs.size()) {
      const auto found = mix_weights(chosen, loads);
      if (found && *std::min_element(found->begin(), found->end()) >= -1e-12)
        best = std::max(best, 1.0 / std::accumulate(found->begin(), found->end(), 0.0));
      return;
    }
    for (std::size_t at = from; at < all.size(); ++at) {
      chosen.push_back(&all[at]);
      choose(at + 1);
      chosen.pop_back();
    }
  };
  choose(0);
  return best;
}

// What holds of each mix: feasible schedules, shares that add up to 1, and the factor that they attain.
void expect_whole_mix(const schedule_mix& mix, const std::vector<unsigned>& needs, const std::vector<double>& loads,
                      unsigned cores) {
  ASSERT_EQ(mix.schedules.size(), mix.shares.size());
  EXPECT_LE(mix.schedules.size(), needs.size() + 1);
  EXPECT_NEAR(std::accumulate(mix.shares.begin(), mix.shares.end(), 0.0), 1.0, 1e-12);
  std::vector<double> served(needs.size());
  for (std::size_t at = 0; at < mix.shares.size(); ++at) {
    EXPECT_GT(mix.shares[at], 0.0);
    unsigned busy = 0;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      busy += needs[i] * mix.schedules[at][i];
      served[i] += mix.shares[at] * mix.schedules[at][i];
      EXPECT_TRUE(loads[i] > 0.0 || mix.schedules[at][i] == 0);
    }
    ASSERT_LE(busy, cores);
    for (std::size_t i = 0; i < needs.size(); ++i)
      EXPECT_TRUE(loads[i] == 0.0 || needs[i] > cores - busy) << "there is room for a job of class " << i;
  }
  for (std::size_t i = 0; i < needs.size(); ++i) EXPECT_GE(served[i], mix.factor * loads[i] * (1.0 - 1e-12));
  EXPECT_GE(mix.bound, mix.factor);
  EXPECT_LE(mix.bound, mix.factor * (1.0 + 1e-9));
}

TEST(schedule_mix, has_the_factor_of_an_enumeration_of_all_mixes) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    const unsigned cores = 2 + static_cast<unsigned>(random() % 5);
    const std::size_t classes = 1 + random() % 4;
    std::vector<unsigned> needs;
    std::vector<double> loads;
    for (std::size_t i = 0; i < classes; ++i) {
      needs.push_back(1 + static_cast<unsigned>(random() % cores));
      loads.push_back(std::uniform_real_distribution<>{0.01, 2.0}(random));
    }
    const schedule_mix mix = largest_mix(needs, loads, cores);
    expect_whole_mix(mix, needs, loads, cores);
    EXPECT_NEAR(mix.factor, factor_by_enumeration(needs, loads, cores), 1e-9 * mix.factor)
        << "round " << round << ", " << cores << " cores";
  }
}

TEST(schedule_mix, of_one_or_all_divides_the_time_between_all_and_one) {
  // A heavy job takes all cores for a unit of time, 32 light ones do.
  const double heavy = 0.1, light = 0.9;
  const schedule_mix mix = largest_mix({32, 1}, {heavy, light}, 32);
  expect_whole_mix(mix, {32, 1}, {heavy, light}, 32);
  EXPECT_NEAR(mix.factor, 1.0 / (heavy + light / 32), 1e-12);
  ASSERT_EQ(mix.schedules.size(), 2u);
  for (std::size_t at = 0; at < 2; ++at)
    EXPECT_NEAR(mix.shares[at], mix.factor * (mix.schedules[at][0] == 1 ? heavy : light / 32), 1e-12);
}

TEST(schedule_mix, of_needs_that_divide_each_other_uses_every_core) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<unsigned> needs;
    std::vector<double> loads;
    double busy = 0.0;
    for (unsigned need = 1; need <= 64; need *= 2) {
      needs.push_back(need);
      loads.push_back(std::exp(std::uniform_real_distribution<>{-6.0, 3.0}(random)));
      busy += need * loads.back();
    }
    const schedule_mix mix = largest_mix(needs, loads, 64);
    expect_whole_mix(mix, needs, loads, 64);
    EXPECT_NEAR(mix.factor, 64.0 / busy, 1e-11 * mix.factor);
  }
}

TEST(schedule_mix, leaves_cores_idle_where_needs_do_not_fill_them) {
  EXPECT_NEAR(largest_mix({3}, {1.0}, 8).factor, 2.0, 1e-12);
  // Needs 2 and 3 on 5 cores: one of each fills them.
  EXPECT_NEAR(largest_mix({2, 3}, {1.0, 1.0}, 5).factor, 1.0, 1e-12);
  // Mostly 2: a share x of (1, 1), the rest of (2, 0); 2 - x = 3 s, x = s.
  EXPECT_NEAR(largest_mix({2, 3}, {3.0, 1.0}, 5).factor, 0.5, 1e-12);
}

TEST(schedule_mix, ignores_classes_without_load) {
  const schedule_mix mix = largest_mix({4, 3, 1}, {0.0, 0.5, 0.0}, 7);
  expect_whole_mix(mix, {4, 3, 1}, {0.0, 0.5, 0.0}, 7);
  EXPECT_NEAR(mix.factor, 4.0, 1e-12);
  EXPECT_EQ(mix.schedules, (std::vector<schedule>{{0, 2, 0}}));
  const schedule_mix nothing = largest_mix({4, 3}, {0.0, 0.0}, 7);
  EXPECT_EQ(nothing.factor, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(nothing.schedules.empty());
}

// The largest multiple of the other loads, to one part in 10^9.
TEST(schedule_mix, is_found_where_a_class_has_next_to_no_load) {
  const double without = largest_mix({5, 3, 1}, {0.0, 1.0, 2.0}, 16).factor;
  for (const double load : {1e-6, 1e-9, 1e-12, 1e-30, 1e-300, 4.9e-324})
    for (const std::size_t at : {0, 1, 2}) {
      std::vector<unsigned> needs{3, 1};
      std::vector<double> loads{1.0, 2.0};
      needs.insert(needs.begin() + static_cast<std::ptrdiff_t>(at), 5);
      loads.insert(loads.begin() + static_cast<std::ptrdiff_t>(at), load);
      const schedule_mix mix = largest_mix(needs, loads, 16);
      EXPECT_NEAR(mix.factor, without, (3.0 * load + 1e-9) * without) << load;
      EXPECT_GE(mix.bound, std::max(mix.factor, (1.0 - 3.0 * load) * without)) << load;
      EXPECT_LE(mix.bound, (1.0 + 1e-6) * mix.factor) << load;
      EXPECT_TRUE(std::any_of(mix.schedules.begin(), mix.schedules.end(), [at](const schedule& s) {
        return s[at] > 0;
      })) << load;
    }
}

TEST(schedule_mix, of_given_schedules_is_found_where_a_class_has_next_to_no_load) {
  for (const double load : {1e-12, 1e-300})
    EXPECT_NEAR(mix_of({{0, 4}, {1, 0}}, {load, 2.0}).factor, 2.0, 1e-8) << load;
}

TEST(schedule_mix, does_not_depend_on_the_unit_of_time) {
  const std::vector<unsigned> needs{7, 5, 3, 2};
  const double factor = largest_mix(needs, {0.2, 0.1, 0.4, 0.3}, 16).factor;
  EXPECT_NEAR(largest_mix(needs, {0.2e9, 0.1e9, 0.4e9, 0.3e9}, 16).factor, factor / 1e9, 1e-9 * factor / 1e9);
  EXPECT_NEAR(largest_mix(needs, {0.2e-9, 0.1e-9, 0.4e-9, 0.3e-9}, 16).factor, factor * 1e9, 1e-9 * factor * 1e9);
}

TEST(schedule_mix, of_26_classes_on_2048_cores_takes_little_processor_time) {
  std::mt19937 random(5);
  for (int round = 0; round < 3; ++round) {
    std::vector<unsigned> needs;
    std::vector<double> loads;
    for (int i = 0; i < 26; ++i) {
      needs.push_back(1 + static_cast<unsigned>(2047 * std::pow(std::uniform_real_distribution<>{}(random), 3.0)));
      loads.push_back(std::exp(std::uniform_real_distribution<>{-9.0, 5.0}(random)));
    }
    const std::clock_t before = std::clock();
    const schedule_mix mix = largest_mix(needs, loads, 2048);
    const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;  // of processor time
    expect_whole_mix(mix, needs, loads, 2048);
    EXPECT_LT(seconds, 5.0);  // as measured: a hundredth
  }
}

TEST(schedule_mix, of_classes_with_hardly_any_load_has_the_factor_of_the_others) {
  std::mt19937 random(11);
  for (const double least : {1e-9, 1e-12, 1e-20, 1e-100, 1e-300}) {
    for (int round = 0; round < 20; ++round) {
      std::vector<unsigned> needs;
      std::vector<double> loads;
      for (int i = 0; i < 6; ++i) {
        needs.push_back(1 + static_cast<unsigned>(random() % 32));
        loads.push_back(i < 3 ? std::uniform_real_distribution<>{0.1, 2.0}(random) : least);
      }
      const schedule_mix mix = largest_mix(needs, loads, 32);
      const schedule_mix others =
          largest_mix({needs.begin(), needs.begin() + 3}, {loads.begin(), loads.begin() + 3}, 32);
      EXPECT_NEAR(mix.factor, others.factor, 1e-7 * others.factor) << least << ", round " << round;
      EXPECT_GE(mix.bound, mix.factor);
      EXPECT_LE(mix.bound, mix.factor * (1.0 + 1e-7));
      for (std::size_t i = 0; i < needs.size(); ++i) {
        const auto has = [i](const schedule& jobs) { return jobs[i] > 0; };
        EXPECT_TRUE(std::any_of(mix.schedules.begin(), mix.schedules.end(), has))
            << "class " << i << " is never served";
      }
    }
  }
}

TEST(schedule_mix, refuses_needs_and_loads_that_cannot_be) {
  EXPECT_THROW(largest_mix({1, 2}, {1.0}, 4), std::invalid_argument);
  EXPECT_THROW(largest_mix({0}, {1.0}, 4), std::invalid_argument);
  EXPECT_THROW(largest_mix({5}, {1.0}, 4), std::invalid_argument);
  EXPECT_THROW(largest_mix({1}, {-1.0}, 4), std::invalid_argument);
  EXPECT_THROW(largest_mix({1}, {std::nan("")}, 4), std::invalid_argument);
}

}  // namespace
}  // namespace muster
