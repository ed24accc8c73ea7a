#include "platform/random/weighted_choice.h"

#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <boost/random/discrete_distribution.hpp>

#include "platform/random/random_stream.h"

namespace muster {
namespace {

RC_GTEST_PROP(weighted_choice, draws_the_numbers_that_boost_draws_from_the_same_bits, ()) {
  const auto whole = *rc::gen::suchThat(
      rc::gen::resize(40, rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0u, 1000u))),
      [](const std::vector<unsigned>& w) { return w.size() > 1 && std::accumulate(w.begin(), w.end(), 0u) > 0; });
  const std::vector<double> weights(whole.begin(), whole.end());
  random_stream bits(*rc::gen::arbitrary<std::uint64_t>(), 0, "test", "choice");
  random_stream same_bits = bits;
  const weighted_choice tested(weights);
  const boost::random::discrete_distribution<std::uint32_t> reference(weights.begin(), weights.end());
  for (int n = 0; n < 1000; ++n) RC_ASSERT(tested(bits) == reference(same_bits));
  RC_ASSERT(bits() == same_bits());  // it has taken as many
}

/// Bits that lie at the limits: of the rows, of a share, and where a share is rounded to one.
class extreme_bits {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~std::uint64_t{0}; }

  extreme_bits(std::uint64_t bucket, std::uint64_t seed) : bucket_(bucket), chance_(seed, 0, "test", "extremes") {}
  result_type operator()() {
    const std::uint64_t around = chance_() % 3 - 1;
    switch (chance_() % 3) {
      case 0: return chance_() % 8 * bucket_ + around;
      case 1: return ~std::uint64_t{0} - 1023 + around;
      default: return (chance_() % 5 << 62) + around;
    }
  }

 private:
  std::uint64_t bucket_;
  random_stream chance_;
};

TEST(weighted_choice, draws_the_numbers_that_boost_draws_at_the_limits_of_rows_and_shares) {
  for (const std::vector<double>& weights : {std::vector<double>{1.0, 1.0},
                                             {0.9, 0.1},
                                             {0.5, 0.25, 0.25},
                                             {1.0, 0.0},
                                             {3.0, 1.0, 2.0, 4.0, 1.0, 0.0, 7.0}}) {
    const std::uint64_t bucket = ~std::uint64_t{0} / weights.size();
    extreme_bits bits(bucket, weights.size()), same_bits = bits;
    const weighted_choice tested(weights);
    const boost::random::discrete_distribution<std::uint32_t> reference(weights.begin(), weights.end());
    for (int n = 0; n < 20'000; ++n) ASSERT_EQ(tested(bits), reference(same_bits)) << n;
  }
}

}  // namespace
}  // namespace muster
