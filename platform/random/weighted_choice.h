#pragma once

#include <cstdint>
#include <vector>

namespace muster {

/// Numbers 0, 1, .. with given weights: the very numbers that boost::random::discrete_distribution draws, without its
/// divisions. Its table of aliases is computed from draws of that class.
class weighted_choice {
 public:
  /// @param weights two or more, not negative, some > 0
  explicit weighted_choice(const std::vector<double>& weights);

  /// @param bits of 64 bits each
  template <class Bits>
  std::uint32_t operator()(Bits& bits) const {
    const row& drawn = rows_[row_number(bits)];
    std::uint64_t share = bits();
    while (share >= rounded_to_one) share = bits();
    return share < drawn.below ? drawn.own : drawn.other;
  }

 private:
  struct row {
    std::uint64_t below = 0;  ///< for shares below it, as multiples of 2^-64, it is the first number
    std::uint32_t own = 0, other = 0;
  };
  // The least share that becomes 1.0 as a double.
  static constexpr std::uint64_t rounded_to_one = ~std::uint64_t{0} - 1023;

  // The row of a drawn number: the number divided by bucket_. The upper half of its product with the number of rows is
  // that or one less.
  template <class Bits>
  std::size_t row_number(Bits& bits) const {
    __extension__ using product = unsigned __int128;
    for (;;) {
      const std::uint64_t drawn = bits();
      auto number = static_cast<std::uint64_t>(static_cast<product>(drawn) * count_ >> 64);
      if (drawn - number * bucket_ >= bucket_) ++number;
      if (number < count_) return number;
    }
  }

  std::vector<row> rows_;
  std::uint64_t count_;   // number of rows
  std::uint64_t bucket_;  // count of the numbers of 64 bits that give one row
};

}  // namespace muster
