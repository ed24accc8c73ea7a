#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <queue>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/iterator/iterator_facade.hpp>

#include "platform/model/spool_file.h"

namespace muster {

/// A list of plain values that is mostly read from its beginning to its end. A short one is in memory. Of a long one a
/// few blocks are in memory, and the rest in a temporary file.
///
/// A reference to a value that is not in memory is valid until values of `cached` other blocks have been read. Reading
/// changes which blocks are in memory: only one thread may read at a time.
template <class Value>
class spooled_list {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  static constexpr std::size_t of_block = 4096;       ///< values of a block
  static constexpr std::size_t cached = 4;            ///< blocks that are in memory
  static constexpr std::size_t usual_most = 1 << 18;  ///< values in memory, before there is a file

  /// Reads the values one after the other.
  class const_iterator : public boost::iterator_facade<const_iterator, const Value, boost::single_pass_traversal_tag> {
   public:
    const_iterator(const spooled_list& list, std::size_t at) : list_(&list), at_(at) {}

   private:
    friend class boost::iterator_core_access;
    const Value& dereference() const { return (*list_)[at_]; }
    void increment() { ++at_; }
    bool equal(const const_iterator& other) const { return at_ == other.at_; }

    const spooled_list* list_;
    std::size_t at_;
  };

  spooled_list() = default;
  /// @param most values that are in memory before there is a file, at least one
  explicit spooled_list(std::size_t most) : most_(most) {}
  /// A list that is in memory, however long it is.
  explicit spooled_list(std::vector<Value> values) : latest_(std::move(values)) {}

  std::size_t size() const { return written_ + latest_.size(); }
  bool empty() const { return size() == 0; }
  /// How many values are in memory beside those of blocks that have been read.
  std::size_t in_memory() const { return latest_.size(); }
  const Value& operator[](std::size_t at) const {
    return at >= written_ ? latest_[at - written_] : block_of(at)[at % of_block];
  }
  const Value& front() const { return (*this)[0]; }
  const Value& back() const { return (*this)[size() - 1]; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, size()}; }

  /// @throws std::runtime_error where there is no room for a temporary file
  void push_back(const Value& value) {
    if (latest_.size() == (file_ ? of_block : most_)) write_latest();
    if (latest_.size() == of_block && latest_.capacity() < most_) latest_.reserve(most_);  // room costs no memory yet
    latest_.push_back(value);
  }
  /// Sorts the values; equal ones stay in their order. @throws std::runtime_error as push_back()
  template <class Less>
  void sort(const Less& less) {
    if (!file_)
      std::stable_sort(latest_.begin(), latest_.end(), less);
    else
      *this = merged(sorted_runs(less), less);
  }

 private:
  struct block {
    std::size_t number = ~std::size_t{0};
    std::vector<Value> values{};
  };
  /// A sorted part of the file, and the values of it that are read.
  struct run {
    std::size_t next, end;
    std::vector<Value> values{};
    std::size_t at = 0;
  };

  // Appends the latest values to the file.
  void write_latest() {
    if (!file_) file_ = std::make_unique<spool_file>();
    file_->write(written_ * sizeof(Value), latest_.data(), latest_.size() * sizeof(Value));
    written_ += latest_.size();
    latest_ = {};
    latest_.reserve(of_block);
    blocks_ = {};  // the last one may have been a part of what it is now
  }

  std::vector<Value> values_of(std::size_t first, std::size_t count) const {
    std::vector<Value> values(count);
    file_->read(first * sizeof(Value), values.data(), count * sizeof(Value));
    return values;
  }

  // The values of the block of a value that is in the file.
  const std::vector<Value>& block_of(std::size_t at) const {
    const std::size_t number = at / of_block;
    if (blocks_[latest_block_].number == number) return blocks_[latest_block_].values;
    return other_block(number);
  }
  [[gnu::noinline]] const std::vector<Value>& other_block(std::size_t number) const {
    const auto found = std::find_if(blocks_.begin(), blocks_.end(), [&](const block& b) { return b.number == number; });
    latest_block_ = found != blocks_.end() ? static_cast<std::size_t>(found - blocks_.begin()) : oldest_++ % cached;
    block& here = blocks_[latest_block_];
    if (here.number == number) return here.values;
    const std::size_t first = number * of_block;
    here = {number, values_of(first, std::min(of_block, written_ - first))};
    return here.values;
  }

  // Sorts parts of the file that fit into memory, each by itself.
  template <class Less>
  std::vector<run> sorted_runs(const Less& less) {
    write_latest();
    std::vector<run> runs;
    for (std::size_t first = 0; first < written_; first += most_) {
      std::vector<Value> values = values_of(first, std::min(most_, written_ - first));
      std::stable_sort(values.begin(), values.end(), less);
      file_->write(first * sizeof(Value), values.data(), values.size() * sizeof(Value));
      runs.push_back({first, first + values.size()});
    }
    return runs;
  }

  template <class Less>
  spooled_list merged(std::vector<run> runs, const Less& less) const {
    const auto value_of = [&](std::size_t r) -> const Value& { return runs[r].values[runs[r].at]; };
    const auto after = [&](std::size_t a, std::size_t b) {
      return less(value_of(b), value_of(a)) || (!less(value_of(a), value_of(b)) && a > b);
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(after)> heads(after);
    // Makes the next value of a run known, if there is one.
    const auto enter = [&](std::size_t number) {
      run& r = runs[number];
      if (r.at == r.values.size()) {
        r.values = values_of(r.next, std::min(of_block, r.end - r.next));
        r.next += r.values.size();
        r.at = 0;
      }
      if (!r.values.empty()) heads.push(number);
    };
    for (std::size_t number = 0; number < runs.size(); ++number) enter(number);
    spooled_list all(most_);
    while (!heads.empty()) {
      const std::size_t number = heads.top();
      heads.pop();
      all.push_back(value_of(number));
      ++runs[number].at;
      enter(number);
    }
    return all;
  }

  std::size_t most_ = usual_most;
  std::unique_ptr<spool_file> file_;  // null: all values are the latest ones
  std::size_t written_ = 0;           // values in the file
  std::vector<Value> latest_;         // behind them
  mutable std::array<block, cached> blocks_{};
  mutable std::size_t latest_block_ = 0, oldest_ = 0;  // the next one to be replaced, modulo `cached`
};

}  // namespace muster
