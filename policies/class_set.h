#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// A set of job classes. Its members are found in the order of their ids, in one step for every 64 classes.
///
/// Policies ask for them several times for each job; with boost::dynamic_bitset, which answers out of line, these
/// queries took twice as many instructions.
class class_set {
 public:
  /// What first() and next() return if there is none.
  static constexpr auto none = static_cast<class_id>(~std::uint32_t{0});

  /// @param classes how many there are; ids of members are below it
  explicit class_set(std::size_t classes = 0) : words_(classes / bits + 1) {}

  void insert(class_id id) { words_[at(id) / bits] |= bit(id); }
  void erase(class_id id) { words_[at(id) / bits] &= ~bit(id); }

  bool contains(class_id id) const { return (words_[at(id) / bits] & bit(id)) != 0; }
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
  }
  std::size_t count() const {
    std::size_t members = 0;
    for (const std::uint64_t word : words_) members += static_cast<std::size_t>(__builtin_popcountll(word));
    return members;
  }
  /// Whether some class is a member of both. @param other of as many classes
  bool intersects(const class_set& other) const {
    for (std::size_t n = 0; n < words_.size(); ++n)
      if ((words_[n] & other.words_[n]) != 0) return true;
    return false;
  }

  /// The member of the lowest id.
  class_id first() const { return from(0); }
  /// The next member behind a class, member or not.
  class_id next(class_id after) const { return from(at(after) + 1); }
  /// The first member among the classes from a number on, which may be that of the classes.
  class_id from(std::size_t number) const {
    std::size_t n = number / bits;
    std::uint64_t word = words_[n] & (~std::uint64_t{0} << number % bits);
    while (word == 0) {
      if (++n == words_.size()) return none;
      word = words_[n];
    }
    return static_cast<class_id>(static_cast<std::uint32_t>(n * bits) +
                                 static_cast<std::uint32_t>(__builtin_ctzll(word)));
  }

 private:
  static constexpr std::size_t bits = 64;
  static std::size_t at(class_id id) { return static_cast<std::size_t>(id); }
  static std::uint64_t bit(class_id id) { return std::uint64_t{1} << at(id) % bits; }

  std::vector<std::uint64_t> words_;  // one more bit than classes at least
};

}  // namespace muster
