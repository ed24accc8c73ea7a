#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <boost/align/aligned_allocator.hpp>

#include "muster/policies/ticks.h"

namespace muster {

/// Pending timers in an indexed 4-ary heap: the next one is found in constant time, any one cancelled in logarithmic
/// time.
///
/// Timers of one instant expire in the order of their ranks, whatever the order in which they were armed. Timers of
/// equal rank belong to slices of one job; their order is the same in every run and has no other meaning. Four children
/// lie in one cache line. The ranks are read at ties only, and are stored separately.
class timer_heap {
 public:
  using slot = std::uint32_t;

  static constexpr ticks never = std::numeric_limits<ticks>::max();

  std::size_t size() const { return end_ - root; }
  /// When the next timer is due; `never` if none is pending, and then next_rank() and next_slot() have no meaning.
  ticks next_time() const { return nodes_[root].at; }
  std::uint64_t next_rank() const { return rank_[next_slot()]; }
  slot next_slot() const { return nodes_[root].owner; }

  /// The number of levels from the top that upcoming() covers.
  static constexpr std::size_t top = 4;
  /// For each of the top levels below the root, the timer that moves up from it when the next timer is removed, unless
  /// an earlier one is armed before. Most timers leave the fourth level some 60 expirations before their own, the
  /// others 14, 3 and 1 before. There must be 341 or more timers.
  std::array<slot, top> upcoming() const {
    std::array<slot, top> found;
    std::size_t at = root;
    for (slot& owner : found) {
      at = least_of(first_child(at)).number;
      owner = nodes_[at].owner;
    }
    return found;
  }

  /// Adds a timer.
  /// @param at below never
  /// @param rank order within one instant, lowest first
  /// @param owner number that names the timer; must not be pending
  void push(ticks at, std::uint64_t rank, slot owner) {
    enter(rank, owner);
    ++end_;
    if (nodes_.size() < end_ + 3) nodes_.push_back({});
    rise(end_ - 1, {at, owner});
  }

  /// Replaces the next timer by one of the same number: cheaper than pop and push.
  void replace_next(ticks at, std::uint64_t rank) {
    const slot owner = next_slot();
    rank_[owner] = rank;
    sink(root, {at, owner});
  }

  void pop() { erase_at(root); }
  /// Removes a pending timer.
  void cancel(slot owner) { erase_at(position_[owner]); }

 private:
  struct node {
    ticks at = never;
    slot owner = 0;
  };
  static_assert(sizeof(node) == 16);

  // With the root as the fourth node of its cache line, every four children have a line of their own.
  static constexpr std::size_t root = 3;
  static std::size_t first_child(std::size_t at) { return 4 * at - 8; }
  static std::size_t parent(std::size_t at) { return at / 4 + 2; }

  bool before(const node& a, const node& b) const {
    return a.at != b.at ? a.at < b.at : rank_[a.owner] < rank_[b.owner];
  }

  struct child {
    std::size_t number;
    ticks at;
  };

  // The least of four children, the first of which exists. The comparisons do without branches: which of two pending
  // timers is the earlier one cannot be predicted, and a misprediction costs more.
  child least_of(std::size_t first) const {
    const node* const n = nodes_.data() + first;
    const ticks a = n[0].at, b = n[1].at, c = n[2].at, d = n[3].at;
    std::size_t left = b < a, right = 2 + (d < c);
    apart(left);
    apart(right);
    const ticks left_at = std::min(a, b), right_at = std::min(c, d);
    const bool tie =
        static_cast<bool>(static_cast<int>(a == b) | static_cast<int>(c == d) | static_cast<int>(left_at == right_at));
    if (__builtin_expect(tie, 0)) return least_by_rank(first);
    std::size_t from_right = right_at < left_at;
    apart(from_right);
    return {first + (left ^ ((left ^ right) & (0 - from_right))), std::min(left_at, right_at)};
  }

  // Keeps the compiler from joining what depends on one comparison behind a branch.
  static void apart(std::size_t& value) { asm("" : "+r"(value)); }

  // Whether a node follows a timer that is due at the same instant.
  [[gnu::noinline]] bool follows(std::size_t at, slot owner) const { return rank_[nodes_[at].owner] >= rank_[owner]; }

  [[gnu::noinline]] child least_by_rank(std::size_t first) const {
    std::size_t least = first;
    for (std::size_t other = first + 1; other < std::min(first + 4, end_); ++other)
      if (before(nodes_[other], nodes_[least])) least = other;
    return {least, nodes_[least].at};
  }

  void enter(std::uint64_t rank, slot owner) {
    if (owner >= position_.size()) {
      position_.resize(owner + 1);
      rank_.resize(owner + 1);
    }
    rank_[owner] = rank;
  }

  void place(std::size_t at, const node& n) {
    nodes_[at] = n;
    position_[n.owner] = static_cast<std::uint32_t>(at);
  }

  void rise(std::size_t at, node n) {
    while (at > root && before(n, nodes_[parent(at)])) {
      place(at, nodes_[parent(at)]);
      at = parent(at);
    }
    place(at, n);
  }

  // Moves a node down to its place. Not inlined, as in its callers the loop would lack registers.
  [[gnu::noinline]] void sink(std::size_t at, const node n) {
    for (std::size_t first = first_child(at); first < end_; first = first_child(at)) {
      const child least = least_of(first);
      if (least.at >= n.at && (least.at > n.at || follows(least.number, n.owner))) break;
      place(at, {least.at, nodes_[least.number].owner});
      at = least.number;
    }
    place(at, n);
  }

  void erase_at(std::size_t at) {
    const node last = std::exchange(nodes_[--end_], node{});
    if (at == end_) return;
    if (at > root && before(last, nodes_[parent(at)]))
      rise(at, last);
    else
      sink(at, last);
  }

  using nodes = std::vector<node, boost::alignment::aligned_allocator<node, 64>>;
  nodes nodes_ = nodes(root + 4);  // filled up with nodes that are never due, so that every parent has four children
  std::size_t end_ = root;         // place behind the last timer
  std::vector<std::uint32_t> position_;  // place in nodes_ of each owner
  std::vector<std::uint64_t> rank_;      // rank of each owner
};

}  // namespace muster
