#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace muster {

/// Objects known by number. A number that was given back is used again, the latest first, so that nothing is allocated
/// once as many have been in use before.
template <class T>
class index_pool {
 public:
  /// @return a number that is not in use; the object is as it was left
  std::uint32_t take() {
    if (unused_.empty()) {
      all_.emplace_back();
      return static_cast<std::uint32_t>(all_.size() - 1);
    }
    const std::uint32_t index = unused_.back();
    unused_.pop_back();
    return index;
  }
  std::uint32_t take(T value) {
    const std::uint32_t index = take();
    all_[index] = std::move(value);
    return index;
  }
  void give_back(std::uint32_t index) { unused_.push_back(index); }

  T& operator[](std::uint32_t index) { return all_[index]; }
  const T& operator[](std::uint32_t index) const { return all_[index]; }
  /// Whether there is an object of that number, in use or not.
  bool has(std::uint32_t index) const { return index < all_.size(); }

  /// @name All objects, in use or not, by number
  /// @{
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  /// @}

 private:
  std::vector<T> all_;
  std::vector<std::uint32_t> unused_;
};

}  // namespace muster
