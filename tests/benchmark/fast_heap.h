#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <boost/align/aligned_allocator.hpp>

#include "muster/policies/job.h"

namespace muster::bare {

/// Pending completions, each of a small number, such as of its class: a 4-ary heap of words, the time above the number,
/// four children in half a cache line. The top is replaced in place when a completion starts another job.
class fast_heap {
 public:
  /// @param numbers all are below it
  explicit fast_heap(std::uint64_t numbers) {
    while (numbers > std::uint64_t{1} << bits_) ++bits_;
  }

  /// The time of the next completion; of an empty heap beyond all others.
  ticks next() const { return words_[root] >> bits_; }
  std::uint32_t number() const { return static_cast<std::uint32_t>(words_[root] & ((std::uint64_t{1} << bits_) - 1)); }
  /// Marks the top as gone.
  void pop() { hole_ = true; }

  void push(ticks at, std::uint32_t number) {
    const std::uint64_t word = at << bits_ | number;
    if (hole_) {
      hole_ = false;
      sink(word);
      return;
    }
    if (end_ + room > words_.size()) words_.resize(2 * words_.size(), never);
    std::size_t place = end_++;
    for (; place > root && word < words_[parent(place)]; place = parent(place)) words_[place] = words_[parent(place)];
    words_[place] = word;
  }

  /// Closes the gap that pop() has left, if nothing was pushed since.
  void settle() {
    if (!hole_) return;
    hole_ = false;
    const std::uint64_t last = words_[--end_];
    words_[end_] = never;
    if (end_ > root) sink(last);
  }

  /// @throws std::overflow_error if times have left their bits
  void check(ticks now) const {
    if (now >> (64 - bits_) > 0) throw std::overflow_error("fast_heap: times do not fit beside the numbers");
  }

 private:
  // With the root fourth in its line, every four children begin at half a line. Behind the last word there are always
  // as many that never come as make the children of a word four.
  static constexpr std::size_t root = 3, room = 4;
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static std::size_t parent(std::size_t at) { return at / 4 + 2; }

  void sink(std::uint64_t word) {
    std::uint64_t* const words = words_.data();
    std::size_t at = root;
    for (std::size_t child = 4; child < end_; child = 4 * at - 8) {
      const std::size_t left = child + (words[child + 1] < words[child] ? 1 : 0);
      const std::size_t right = child + 2 + (words[child + 3] < words[child + 2] ? 1 : 0);
      const std::size_t least = words[right] < words[left] ? right : left;
      if (word <= words[least]) break;
      words[at] = words[least];
      at = least;
    }
    words[at] = word;
  }

  std::vector<std::uint64_t, boost::alignment::aligned_allocator<std::uint64_t, 64>> words_ =
      decltype(words_)(64, never);
  std::size_t end_ = root;
  unsigned bits_ = 0;
  bool hole_ = false;
};

}  // namespace muster::bare
