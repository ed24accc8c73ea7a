#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "policies/job.h"

namespace muster {

/// Pending timers in an indexed 4-ary heap: the next one at once, any one cancelled in logarithmic time.
///
/// Timers of one instant expire by rank, so that the order never depends on who armed first.
class timer_heap {
 public:
  using slot = std::uint32_t;

  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  ticks next_time() const { return nodes_.front().at; }
  std::uint64_t next_rank() const { return nodes_.front().rank; }
  slot next_slot() const { return nodes_.front().owner; }

  /// Levels from the top of which rising() tells.
  static constexpr std::size_t top = 4;
  /// One for each of the top levels: who rises to it when the next timer goes, unless an earlier one comes. Most timers
  /// rise to the fourth level some 60 expirations before their own, then 14, 3 and 1. There must be 341 or more.
  std::array<slot, top> rising() const {
    std::array<slot, top> found;
    std::size_t at = 0;
    for (slot& owner : found) {
      at = least_of(4 * at + 1);
      owner = nodes_[at].owner;
    }
    return found;
  }

  /// @param rank order within one instant, lowest first
  /// @param owner number that names the timer; must not be pending
  void push(ticks at, std::uint64_t rank, slot owner) {
    if (owner >= position_.size()) position_.resize(owner + 1);
    nodes_.push_back({});
    rise(nodes_.size() - 1, {at, rank, owner});
  }

  /// Replaces the next timer: cheaper than pop and push.
  void replace_next(ticks at, std::uint64_t rank, slot owner) {
    if (owner >= position_.size()) position_.resize(owner + 1);
    sink(0, {at, rank, owner});
  }

  void pop() { erase_at(0); }
  /// Removes a pending timer.
  void cancel(slot owner) { erase_at(position_[owner]); }

 private:
  struct node {
    ticks at;
    std::uint64_t rank;
    slot owner;

    // Without a jump: which of two pending timers comes first is a coin's toss, and a wrong guess costs more than this.
    bool operator<(const node& other) const {
      return static_cast<bool>(static_cast<int>(at < other.at) |
                               (static_cast<int>(at == other.at) & static_cast<int>(rank < other.rank)));
    }
  };

  std::size_t least_of(std::size_t first) const {
    const node* const n = nodes_.data() + first;
    const std::size_t left = n[1] < n[0];
    const std::size_t right = 2 + (n[3] < n[2]);
    return first + left + (right - left) * (n[right] < n[left]);
  }

  void place(std::size_t at, const node& n) {
    nodes_[at] = n;
    position_[n.owner] = static_cast<std::uint32_t>(at);
  }

  void rise(std::size_t at, node n) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!(n < nodes_[parent])) break;
      place(at, nodes_[parent]);
      at = parent;
    }
    place(at, n);
  }

  void sink(std::size_t at, const node n) {
    const std::size_t size = nodes_.size();
    const node* const all = nodes_.data();
    std::size_t first = 4 * at + 1;
    for (; first + 3 < size; first = 4 * at + 1) {
      const std::size_t least = least_of(first);
      if (!(all[least] < n)) break;
      place(at, all[least]);
      at = least;
    }
    if (first < size && first + 3 >= size) {  // the last parent may have fewer than four children
      std::size_t least = first;
      for (std::size_t child = first + 1; child < size; ++child)
        if (all[child] < all[least]) least = child;
      if (all[least] < n) {
        place(at, all[least]);
        at = least;
      }
    }
    place(at, n);
  }

  void erase_at(std::size_t at) {
    const node last = nodes_.back();
    nodes_.pop_back();
    if (at == nodes_.size()) return;
    if (at > 0 && last < nodes_[(at - 1) / 4])
      rise(at, last);
    else
      sink(at, last);
  }

  std::vector<node> nodes_;
  std::vector<std::uint32_t> position_;
};

}  // namespace muster
