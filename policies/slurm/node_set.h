#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster {

/// A set of nodes, by number: a bit for each.
class node_set {
 public:
  /// A set without nodes. @param nodes of the cluster
  explicit node_set(std::size_t nodes = 0) : words_((nodes + 63) / 64) {}

  void insert(std::size_t node) { words_[node / 64] |= std::uint64_t{1} << (node % 64); }
  void erase(std::size_t node) { words_[node / 64] &= ~(std::uint64_t{1} << (node % 64)); }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }
  bool contains(std::size_t node) const { return (words_[node / 64] >> (node % 64) & 1) != 0; }

  node_set& operator&=(const node_set& other) {
    for (std::size_t n = 0; n < words_.size(); ++n) words_[n] &= other.words_[n];
    return *this;
  }
  node_set& operator|=(const node_set& other) {
    for (std::size_t n = 0; n < words_.size(); ++n) words_[n] |= other.words_[n];
    return *this;
  }
  /// Removes the nodes of another set.
  node_set& operator-=(const node_set& other) {
    for (std::size_t n = 0; n < words_.size(); ++n) words_[n] &= ~other.words_[n];
    return *this;
  }
  bool operator==(const node_set& other) const { return words_ == other.words_; }

  std::size_t count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::size_t>(__builtin_popcountll(word));
    return sum;
  }
  /// Whether all nodes of another set are in this one.
  bool includes(const node_set& other) const {
    for (std::size_t n = 0; n < words_.size(); ++n)
      if ((other.words_[n] & ~words_[n]) != 0) return false;
    return true;
  }
  /// Whether what two sets have in common is in what two others have in common.
  friend bool common_is_within(const node_set& a, const node_set& b, const node_set& c, const node_set& d) {
    for (std::size_t n = 0; n < a.words_.size(); ++n)
      if ((a.words_[n] & b.words_[n] & ~(c.words_[n] & d.words_[n])) != 0) return false;
    return true;
  }
  /// Calls visit(node) for each node, in ascending order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t n = 0; n < words_.size(); ++n) visit_word(n, words_[n], visit);
  }
  /// Calls visit(node) for each node that is in another set, too, in ascending order.
  template <class Visit>
  void for_each_common(const node_set& other, const Visit& visit) const {
    for (std::size_t n = 0; n < words_.size(); ++n) visit_word(n, words_[n] & other.words_[n], visit);
  }
  /// Whether test(node) holds for a node that is in another set, too. Nodes are tested in ascending order, up to the
  /// first one for which it holds.
  template <class Test>
  bool any_common(const node_set& other, const Test& test) const {
    for (std::size_t n = 0; n < words_.size(); ++n)
      for (std::uint64_t word = words_[n] & other.words_[n]; word != 0; word &= word - 1)
        if (test(n * 64 + static_cast<std::size_t>(__builtin_ctzll(word)))) return true;
    return false;
  }

 private:
  template <class Visit>
  static void visit_word(std::size_t number, std::uint64_t word, const Visit& visit) {
    for (; word != 0; word &= word - 1) visit(number * 64 + static_cast<std::size_t>(__builtin_ctzll(word)));
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace muster
