#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "muster/policies/ticks.h"

namespace muster {

/// Pending timers in a tournament: the next one is found in constant time, any one is set or cancelled in logarithmic
/// time.
///
/// Each timer has a leaf of a binary tree, by its number, and each node above has the earlier timer of its two
/// children. Setting a timer plays its matches anew, from its leaf up: the places that are read are known beforehand,
/// whatever the outcomes.
///
/// Timers of one instant expire in the order of their ranks, whatever the order in which they were armed. Timers of
/// equal rank belong to slices of one job and expire in the order of their numbers, which has no other meaning. The
/// ranks are read at ties only, and are stored separately.
class timer_tournament {
 public:
  using slot = std::uint32_t;

  static constexpr ticks never = std::numeric_limits<ticks>::max();

  std::size_t size() const { return size_; }
  /// When the next timer is due; `never` if none is pending, and then next_rank() and next_slot() have no meaning.
  ticks next_time() const { return at_[root]; }
  std::uint64_t next_rank() const { return rank_[next_slot()]; }
  slot next_slot() const { return owner_[root]; }

  /// The number of timers that soon_beside() names.
  static constexpr std::size_t named = 4;
  /// The timers that win, once a timer has been set or removed, in 1, 1/4, 1/16 and 1/64 of all leaves around its own;
  /// the next timer for a part where none is pending. Where these parts had the next timer before, most of the named
  /// ones expire 1, some 3, 11 and 44 expirations later. There must be 64 timers or more.
  std::array<slot, named> soon_beside(slot changed) const {
    std::array<slot, named> found;
    const auto levels = static_cast<unsigned>(__builtin_ctzll(leaves_));
    for (unsigned part = 0; part < named; ++part) {
      const std::size_t n = (leaves_ + changed) >> (levels - 2 * part);
      found[part] = at_[n] == never ? next_slot() : owner_[n];
    }
    return found;
  }

  /// Adds a timer.
  /// @param at below never
  /// @param rank order within one instant, lowest first
  /// @param owner number that names the timer; must not be pending
  void push(ticks at, std::uint64_t rank, slot owner) {
    if (owner >= leaves_) grow(owner);
    ++size_;
    rank_[owner] = rank;
    std::size_t n = leaves_ + owner;
    at_[n] = at;
    // Its leaf was empty and had lost all matches: the outcome changes as far as the timer wins.
    while (n > root && before(at, owner, at_[n / 2], owner_[n / 2])) enter(n /= 2, at, owner);
  }

  /// Replaces the next timer by one of the same number: cheaper than pop and push.
  void replace_next(ticks at, std::uint64_t rank) {
    const slot owner = next_slot();
    rank_[owner] = rank;
    play(at, owner);
  }

  void pop() { cancel(next_slot()); }
  /// Removes a pending timer.
  void cancel(slot owner) {
    --size_;
    play(never, owner);
  }

 private:
  // The children of node n are the nodes 2n and 2n + 1; the leaves are the nodes from leaves_ on.
  static constexpr std::size_t root = 1;

  bool before(ticks a, slot owner_of_a, ticks b, slot owner_of_b) const {
    return a != b ? a < b : ranks_before(owner_of_a, owner_of_b);
  }
  bool ranks_before(slot a, slot b) const { return rank_[a] != rank_[b] ? rank_[a] < rank_[b] : a < b; }

  void enter(std::size_t n, ticks at, slot owner) {
    at_[n] = at;
    owner_[n] = owner;
  }

  // Sets a leaf and plays its matches up to the root. The outcomes are not branched on: which of two pending timers is
  // the earlier one cannot be predicted. Not inlined, as in its callers the loop would lack registers.
  [[gnu::noinline]] void play(ticks at, slot owner) {
    std::size_t n = leaves_ + owner;
    at_[n] = at;
    while (n > root) {
      const ticks rival_at = at_[n ^ 1];
      const slot rival = owner_[n ^ 1];
      if (__builtin_expect(rival_at == at, 0) && at != never) {
        play_from_tie(n, at, owner);
        return;
      }
      owner = __builtin_expect_with_probability(rival_at < at, 1, 0.5) ? rival : owner;
      at = std::min(at, rival_at);
      enter(n /= 2, at, owner);
    }
  }
  // Plays the matches of a node and of those above it.
  [[gnu::noinline]] void play_from_tie(std::size_t n, ticks at, slot owner) {
    for (; n > root; enter(n /= 2, at, owner)) {
      if (before(at, owner, at_[n ^ 1], owner_[n ^ 1])) continue;
      at = at_[n ^ 1];
      owner = owner_[n ^ 1];
    }
  }

  // Makes room for a timer of that number: twice as many leaves or more.
  [[gnu::noinline]] void grow(slot owner) {
    const auto fewer = static_cast<std::ptrdiff_t>(leaves_);
    while (owner >= leaves_) leaves_ *= 2;
    const std::vector<ticks> leaves(at_.begin() + fewer, at_.end());
    at_.assign(2 * leaves_, never);
    std::copy(leaves.begin(), leaves.end(), at_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    owner_.resize(2 * leaves_);
    std::iota(owner_.begin() + static_cast<std::ptrdiff_t>(leaves_), owner_.end(), slot{0});
    rank_.resize(leaves_);
    for (std::size_t n = leaves_ - 1; n >= root; --n) {
      const std::size_t left = 2 * n, right = left + 1;
      const std::size_t first = before(at_[right], owner_[right], at_[left], owner_[left]) ? right : left;
      enter(n, at_[first], owner_[first]);
    }
  }

  std::size_t leaves_ = 1;                  // a power of two
  std::vector<ticks> at_ = {never, never};  // when the timer of each node is due; never: all its leaves are empty
  std::vector<slot> owner_ = {0, 0};        // the timer of each node; the leaves have one each
  std::vector<std::uint64_t> rank_ = {0};   // rank of each timer
  std::size_t size_ = 0;
};

}  // namespace muster
