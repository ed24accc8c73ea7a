#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>

namespace muster {

/// The data sets that the disk of one server holds. What has not been used for the longest time leaves first.
class input_cache {
 public:
  /// @param capacity in bytes
  explicit input_cache(std::uint64_t capacity) : capacity_(capacity) {}

  std::uint64_t used() const { return used_; }
  std::size_t size() const { return places_.size(); }

  /// Uses a data set. @return false: the disk does not hold it
  bool use(std::uint64_t set) {
    const auto found = places_.find(set);
    if (found == places_.end()) return false;
    by_use_.splice(by_use_.begin(), by_use_, found->second);
    return true;
  }
  /// Puts a data set on the disk, if it fits at all, and removes others until there is room for it.
  void keep(std::uint64_t set, std::uint64_t bytes) {
    if (bytes > capacity_ || use(set)) return;
    while (capacity_ - used_ < bytes) {
      used_ -= by_use_.back().bytes;
      places_.erase(by_use_.back().set);
      by_use_.pop_back();
    }
    by_use_.push_front({set, bytes});
    places_.emplace(set, by_use_.begin());
    used_ += bytes;
  }

 private:
  struct entry {
    std::uint64_t set, bytes;
  };

  std::uint64_t capacity_, used_ = 0;
  std::list<entry> by_use_;  // the latest first
  std::unordered_map<std::uint64_t, std::list<entry>::iterator> places_;
};

}  // namespace muster
