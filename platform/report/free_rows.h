#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace muster {

/// Which rows of a picture are free, a bit each: to find some takes a step for each run of free ones, not for each row.
class free_rows {
 public:
  /// All are free. @param size number of rows
  explicit free_rows(std::uint32_t size) : size_(size), words_(size / bits + 1, ~std::uint64_t{0}) {}

  std::uint32_t size() const { return size_; }
  /// The first free row from one on; size() if there is none.
  std::uint32_t next_free(std::uint32_t from) const { return next(from, 0); }
  /// The first row from one on that is not free; size() if there is none.
  std::uint32_t next_held(std::uint32_t from) const { return next(from, ~std::uint64_t{0}); }
  /// The first of so many neighbouring free rows; size() if there are nowhere so many.
  std::uint32_t first_run(std::uint32_t count) const {
    for (std::uint32_t begin = next_free(0); begin < size_;) {
      const std::uint32_t end = next_held(begin);
      if (end - begin >= count) return begin;
      begin = next_free(end);
    }
    return size_;
  }

  void take(std::uint32_t first, std::uint32_t count) {
    for_words(first, count, [](std::uint64_t& word, std::uint64_t mask) { word &= ~mask; });
  }
  void give_back(std::uint32_t first, std::uint32_t count) {
    for_words(first, count, [](std::uint64_t& word, std::uint64_t mask) { word |= mask; });
  }

 private:
  static constexpr std::uint32_t bits = 64;

  // The first row from one on whose bit differs from those of `others`.
  std::uint32_t next(std::uint32_t from, std::uint64_t others) const {
    if (from >= size_) return size_;
    std::uint32_t at = from / bits;
    std::uint64_t word = (words_[at] ^ others) & (~std::uint64_t{0} << (from % bits));
    while (word == 0 && ++at < words_.size()) word = words_[at] ^ others;
    return word == 0 ? size_ : std::min(size_, at * bits + static_cast<std::uint32_t>(__builtin_ctzll(word)));
  }

  // Calls a function with each word that has some of the rows, and a mask of them.
  template <class Change>
  void for_words(std::uint32_t first, std::uint32_t count, const Change& change) {
    while (count > 0) {
      const std::uint32_t from = first % bits, here = std::min(count, bits - from);
      change(words_[first / bits], (~std::uint64_t{0} >> (bits - here)) << from);
      first += here;
      count -= here;
    }
  }

  std::uint32_t size_;
  std::vector<std::uint64_t> words_;
};

}  // namespace muster
