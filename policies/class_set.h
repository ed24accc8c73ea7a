#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// A set of job classes. Its members are found in the order of their ids, among the first 64 classes in one step.
///
/// Policies look for members several times for each job, for which boost::dynamic_bitset needs a call out of line.
class class_set {
 public:
  /// The result of first(), next() and from() if there is no member.
  static constexpr auto none = static_cast<class_id>(~std::uint32_t{0});

  /// @param classes number of classes; ids of members are below it
  explicit class_set(std::size_t classes = 0) : others_(classes / bits) {}

  void insert(class_id id) { word_of(id) |= bit(id); }
  void erase(class_id id) { word_of(id) &= ~bit(id); }

  bool contains(class_id id) const { return ((at(id) < bits ? first_ : others_[at(id) / bits - 1]) & bit(id)) != 0; }
  bool empty() const { return first_ == 0 && (others_.empty() || from_others(bits) == none); }
  std::size_t count() const {
    auto members = static_cast<std::size_t>(__builtin_popcountll(first_));
    for (const std::uint64_t word : others_) members += static_cast<std::size_t>(__builtin_popcountll(word));
    return members;
  }
  /// Whether some class is a member of both. @param other of as many classes
  bool intersects(const class_set& other) const {
    return (first_ & other.first_) != 0 || (!others_.empty() && others_intersect(other));
  }

  /// The member of the lowest id.
  class_id first() const { return from(0); }
  /// The next member behind a class, member or not.
  class_id next(class_id after) const { return from(at(after) + 1); }
  /// The first member among the classes from a number on, which may be that of the classes.
  class_id from(std::size_t number) const {
    const std::uint64_t rest = number < bits ? first_ >> number << number : 0;
    if (rest != 0) return static_cast<class_id>(static_cast<std::uint32_t>(__builtin_ctzll(rest)));
    return others_.empty() ? none : from_others(std::max(number, bits));
  }

 private:
  static constexpr std::size_t bits = 64;
  static std::size_t at(class_id id) { return static_cast<std::size_t>(id); }
  static std::uint64_t bit(class_id id) { return std::uint64_t{1} << at(id) % bits; }
  std::uint64_t& word_of(class_id id) { return at(id) < bits ? first_ : others_[at(id) / bits - 1]; }
  [[gnu::noinline]] bool others_intersect(const class_set& other) const {
    for (std::size_t n = 0; n < others_.size(); ++n)
      if ((others_[n] & other.others_[n]) != 0) return true;
    return false;
  }
  // The first member from a number on, behind the first word.
  [[gnu::noinline]] class_id from_others(std::size_t number) const {
    std::uint64_t below = (std::uint64_t{1} << number % bits) - 1;  // bits before the number, in its word
    for (std::size_t n = number / bits; n <= others_.size(); ++n, below = 0)
      if (const std::uint64_t word = others_[n - 1] & ~below; word != 0)
        return static_cast<class_id>(
            static_cast<std::uint32_t>(n * bits + static_cast<std::size_t>(__builtin_ctzll(word))));
    return none;
  }

  std::uint64_t first_ = 0;            // bits of the first 64 classes
  std::vector<std::uint64_t> others_;  // bits of the classes behind them
};

}  // namespace muster
