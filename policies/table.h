#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace muster {

/// A vector indexed by one type of id only, so that the id of a group cannot be used for a class.
/// @tparam Id an `enum class` over an unsigned integer
template <class Id, class T>
class table {
 public:
  table() = default;
  explicit table(std::size_t size, const T& value = T{}) : rows_(size, value) {}

  T& operator[](Id id) { return rows_[static_cast<std::size_t>(id)]; }
  const T& operator[](Id id) const { return rows_[static_cast<std::size_t>(id)]; }

  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

  /// Appends a row. @return its id
  Id push_back(T value) {
    rows_.push_back(std::move(value));
    return static_cast<Id>(rows_.size() - 1);
  }

 private:
  std::vector<T> rows_;
};

/// The ids 0, 1, .. n - 1 of a table, for range-based loops.
template <class Id>
class id_range {
 public:
  class iterator {
   public:
    explicit iterator(std::size_t at) : at_(at) {}
    Id operator*() const { return static_cast<Id>(at_); }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const iterator& other) const { return at_ != other.at_; }

   private:
    std::size_t at_;
  };

  explicit id_range(std::size_t size) : size_(size) {}
  iterator begin() const { return iterator{0}; }
  iterator end() const { return iterator{size_}; }

 private:
  std::size_t size_;
};

}  // namespace muster
