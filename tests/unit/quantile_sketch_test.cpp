#include "platform/metrics/quantile_sketch.h"

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace muster {
namespace {

TEST(quantile_sketch, relative_error_stays_below_one_percent_of_a_neighbouring_value) {
  EXPECT_TRUE(rc::check([] {
    const auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<ticks>>(rc::gen::map(
        rc::gen::pair(rc::gen::inRange(0, 60), rc::gen::inRange<ticks>(1, 1u << 20)),
        [](const std::pair<int, ticks>& p) { return (ticks{1} << p.first) + (p.second << p.first >> 20); })));
    quantile_sketch sketch;
    for (const ticks v : values) sketch.add(v);
    auto sorted = values;
    std::sort(sorted.begin(), sorted.end());
    for (const double share : {0.01, 0.5, 0.95, 0.99}) {
      const double exact_rank = share * static_cast<double>(sorted.size());
      const auto at = std::min(sorted.size() - 1, static_cast<std::size_t>(std::max(0.0, exact_rank - 1e-9)));
      const auto truth = static_cast<double>(sorted[at]);
      const double found = sketch.quantile(share);
      RC_ASSERT(found >= truth * 0.992 - 1.0);
      RC_ASSERT(found <= truth * 1.008 + 1.0);
    }
  }));
}

TEST(quantile_sketch, merged_sketches_are_the_sketch_of_all_values) {
  quantile_sketch low, high, all;
  for (ticks v = 1; v < 5000; ++v) {
    (v % 3 ? low : high).add(v * v);
    all.add(v * v);
  }
  low.merge(high);
  EXPECT_EQ(low.total(), all.total());
  for (const double share : {0.1, 0.5, 0.9, 0.999}) EXPECT_EQ(low.quantile(share), all.quantile(share));
}

TEST(quantile_sketch, quantiles_found_in_one_pass_are_those_of_each_share_alone) {
  coarse_sketch sketch;
  for (ticks v = 0; v < 400; ++v) sketch.add(v * v * v, 1 + v % 5);
  const std::vector<double> shares{0.0001, 0.0002, 0.01, 0.25, 0.25, 0.5, 0.75, 0.99, 0.9999};
  const std::vector<double> found = sketch.quantiles(shares);
  ASSERT_EQ(found.size(), shares.size());
  for (std::size_t n = 0; n < shares.size(); ++n) EXPECT_EQ(found[n], sketch.quantile(shares[n])) << shares[n];
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
}

TEST(duration_counts, are_those_of_the_sketch_of_the_same_values) {
  duration_counts counts, other;
  quantile_sketch sketch;
  const auto add = [&](ticks value) {
    (value % 2 ? counts : other).add(value);
    sketch.add(value);
  };
  for (ticks value = 0; value < 600; ++value) add(value);
  for (unsigned power = 10; power < 53; ++power)
    for (const ticks value :
         {(ticks{1} << power) - 1, ticks{1} << power, (ticks{1} << power) + (ticks{77} << power >> 7)})
      add(value);
  counts.merge(other);
  EXPECT_EQ(counts.total(), sketch.total());
  EXPECT_EQ(counts.sketch().counts(), sketch.counts());
  for (double share = 0.0005; share < 1.0; share += 0.001)
    ASSERT_EQ(counts.quantile(share, counts.total()), sketch.quantile(share)) << share;
  counts.clear();
  EXPECT_TRUE(counts.empty());
}

TEST(quantile_sketch, small_values_are_exact_to_one_tick) {
  quantile_sketch sketch;
  for (ticks v = 0; v < 100; ++v) sketch.add(v);
  EXPECT_NEAR(sketch.quantile(0.5), 50.0, 1.0);
  EXPECT_NEAR(sketch.quantile(0.99), 99.0, 1.0);
}

TEST(quantile_sketch, in_wider_buckets_has_the_same_values_and_survives_as_text) {
  quantile_sketch sketch;
  for (ticks v = 1; v < 3000; ++v) sketch.add(v * v * v);
  const coarse_sketch wider = sketch.in_buckets_of<4>(), again = sketch_from_text(to_text(wider));
  EXPECT_EQ(wider.total(), sketch.total());
  EXPECT_EQ(again.total(), sketch.total());
  for (const double share : {0.01, 0.5, 0.99}) {
    EXPECT_NEAR(wider.quantile(share), sketch.quantile(share), sketch.quantile(share) / 16);
    EXPECT_EQ(again.quantile(share), wider.quantile(share));
  }
  EXPECT_EQ(to_text(coarse_sketch{}), "");
  EXPECT_EQ(sketch_from_text("").total(), 0u);
}

TEST(quantile_sketch, text_of_no_sketch_is_refused) {
  for (const char* text : {"x", "-1 2", "99999 1", "3 1 two", "3 1 2,5", "3 1 18446744073709551616"})
    EXPECT_THROW(sketch_from_text(text), std::runtime_error) << text;
}

}  // namespace
}  // namespace muster
