#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "muster/policies/ticks.h"

namespace muster {

/// When holds on servers begin or end, in order, in blocks of at most 128: an operation takes a time proportional to
/// the length of a block and to the number of blocks, which are moved only where one becomes full or empty.
class server_steps {
 public:
  struct step {
    ticks at;
    std::uint32_t server;
    std::uint32_t holds;  ///< that begin or end there
  };

 private:
  using block = std::vector<step>;

 public:
  /// A step, or the end. Valid until the steps change.
  class place {
   public:
    bool is_end() const { return block_ == all_->size(); }
    const step* operator->() const { return &(*all_)[block_][number_]; }
    place& operator++() {
      ++number_;
      leave_block();
      return *this;
    }

   private:
    friend class server_steps;
    place(const std::vector<block>& all, std::size_t block, std::size_t number)
        : all_(&all), block_(block), number_(number) {
      leave_block();
    }
    void leave_block() {
      if (is_end() || number_ < (*all_)[block_].size()) return;
      ++block_;
      number_ = 0;
    }

    const std::vector<block>* all_;
    std::size_t block_, number_;
  };

  void clear() { blocks_.clear(); }
  void add(ticks at, std::uint32_t server) {
    if (blocks_.empty()) blocks_.emplace_back();
    const std::size_t number = block_of(at, server);
    block& in = blocks_[number];
    const auto here = at_number(in, find(in, at, server));
    if (here != in.end() && here->at == at && here->server == server) {
      ++here->holds;
      return;
    }
    in.insert(here, {at, server, 1});
    if (in.size() > most) split(number);
  }
  /// Removes one of the holds that begin or end at a step, which is there.
  void remove(ticks at, std::uint32_t server) {
    const std::size_t number = block_of(at, server);
    block& in = blocks_[number];
    const auto here = at_number(in, find(in, at, server));
    if (--here->holds > 0) return;
    in.erase(here);
    if (in.empty()) blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(number));
  }
  /// Removes the steps until an instant, and calls visit(server) for each.
  template <class Visit>
  void remove_until(ticks last, const Visit& visit) {
    while (!blocks_.empty() && blocks_.front().front().at <= last) {
      block& first = blocks_.front();
      const auto later = at_number(first, find(first, last + 1, 0));
      for (auto here = first.begin(); here != later; ++here) visit(here->server);
      first.erase(first.begin(), later);
      if (first.empty()) blocks_.erase(blocks_.begin());
    }
  }
  /// The first step that is not before an instant.
  place not_before(ticks at) const {
    if (blocks_.empty()) return {blocks_, 0, 0};
    const std::size_t number = block_of(at, 0);
    const block& in = blocks_[number];
    return {blocks_, number, find(in, at, 0)};
  }

 private:
  static constexpr std::size_t most = 128;  // steps of a block

  static bool is_before(const step& s, ticks at, std::uint32_t server) {
    return s.at != at ? s.at < at : s.server < server;
  }
  // The number of the first step of a block that is not before one.
  static std::size_t find(const block& in, ticks at, std::uint32_t server) {
    const auto before = [&](const step& s) { return is_before(s, at, server); };
    return static_cast<std::size_t>(std::partition_point(in.begin(), in.end(), before) - in.begin());
  }
  static block::iterator at_number(block& in, std::size_t number) {
    return in.begin() + static_cast<std::ptrdiff_t>(number);
  }
  // The block that a step is in, or belongs to. There is one.
  std::size_t block_of(ticks at, std::uint32_t server) const {
    const auto later = std::partition_point(blocks_.begin() + 1, blocks_.end(), [&](const block& b) {
      return is_before(b.front(), at, server) || (b.front().at == at && b.front().server == server);
    });
    return static_cast<std::size_t>(later - blocks_.begin()) - 1;
  }
  void split(std::size_t number) {
    block& full = blocks_[number];
    const auto middle = at_number(full, full.size() / 2);
    block second(middle, full.end());
    full.erase(middle, full.end());
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(number) + 1, std::move(second));
  }

  std::vector<block> blocks_;  // none is empty
};

}  // namespace muster
