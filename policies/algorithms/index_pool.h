#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace muster {

/// Objects that are addressed by an index. An index that was given back is used again, the latest first; memory is
/// allocated only when more objects are in use than ever before.
template <class T>
class index_pool {
 public:
  /// @return an index that is not in use; the object is as its last user has left it
  std::uint32_t take() {
    if (unused_ == 0) grow();
    return indices_[--unused_];
  }
  std::uint32_t take(T value) {
    const std::uint32_t index = take();
    all_[index] = std::move(value);
    return index;
  }
  void give_back(std::uint32_t index) { indices_[unused_++] = index; }

  T& operator[](std::uint32_t index) { return all_[index]; }
  const T& operator[](std::uint32_t index) const { return all_[index]; }
  /// Whether there is an object of that index, in use or not.
  bool has(std::uint32_t index) const { return index < all_.size(); }

  /// @name All objects, in use or not, by index
  /// @{
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  /// @}

 private:
  // Adds an object. The function is out of line, as it is rare and its callers run for every job.
  [[gnu::noinline]] void grow() {
    indices_.resize(all_.size() + 1);
    indices_[unused_++] = static_cast<std::uint32_t>(all_.size());
    all_.emplace_back();
  }

  std::vector<T> all_;
  std::vector<std::uint32_t> indices_;  // indices with room for all; the first `unused_` are not in use
  std::size_t unused_ = 0;
};

}  // namespace muster
