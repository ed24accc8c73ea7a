#include "platform/random/weighted_choice.h"

#include <limits>

#include <boost/random/discrete_distribution.hpp>

namespace muster {

namespace {

// A source of two given random numbers.
class given_bits {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  given_bits(result_type first, result_type second) : next_(first), behind_(second) {}
  result_type operator()() {
    const result_type drawn = next_;
    next_ = behind_;
    return drawn;
  }

 private:
  result_type next_, behind_;
};

}  // namespace

weighted_choice::weighted_choice(const std::vector<double>& weights) : rows_(weights.size()), count_(weights.size()) {
  const std::uint64_t most = given_bits::max();
  bucket_ = most / rows_.size() + (most % rows_.size() == rows_.size() - 1 ? 1 : 0);
  const boost::random::discrete_distribution<std::uint32_t> distribution(weights.begin(), weights.end());
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    const auto drawn_at = [&](std::uint64_t share) {
      given_bits bits(n * bucket_, share);
      return distribution(bits);
    };
    row& r = rows_[n];
    r.own = drawn_at(0);
    r.other = drawn_at(rounded_to_one - 1);
    // The least share that gives the other number is above `low` and at most `high`.
    std::uint64_t low = 0, high = rounded_to_one - 1;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (drawn_at(middle) == r.own ? low : high) = middle;
    }
    r.below = high;
  }
}

}  // namespace muster
