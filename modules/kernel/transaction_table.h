#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tlm>

namespace muster {

/// A value for each transaction in progress at a module, found by its payload object: a hash table in one array, with
/// linear probing. Memory is allocated only when it holds more transactions than ever before.
template <class Value>
class transaction_table {
 public:
  using payload = tlm::tlm_generic_payload;

  std::size_t size() const { return size_; }

  /// The value of a transaction; null if the transaction is not in the table.
  Value* find(const payload& p) {
    cell& at = cells_[place_of(p)];
    return at.key ? &at.value : nullptr;
  }

  /// Adds a transaction, which must not be in the table.
  void insert(const payload& p, const Value& value) {
    if (2 * (size_ + 1) > cells_.size()) grow();
    cells_[place_of(p)] = {&p, value};
    ++size_;
  }

  /// Removes a transaction. Has no effect if it is not in the table.
  void erase(const payload& p) {
    if (size_ == 0) return;
    std::size_t gap = place_of(p);
    if (!cells_[gap].key) return;
    --size_;
    // Entries behind it move up into the gap, but not to before the cell where the search for them begins.
    for (std::size_t at = next(gap); cells_[at].key; at = next(at)) {
      if (distance(home(*cells_[at].key), at) < distance(gap, at)) continue;
      cells_[gap] = cells_[at];
      gap = at;
    }
    cells_[gap].key = nullptr;
  }

 private:
  struct cell {
    const payload* key = nullptr;
    Value value{};
  };

  std::size_t next(std::size_t at) const { return (at + 1) & (cells_.size() - 1); }
  std::size_t distance(std::size_t from, std::size_t to) const { return (to - from) & (cells_.size() - 1); }

  // The cell where a search begins: the upper bits of a product, which depend on all bits of the address.
  std::size_t home(const payload& p) const {
    return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(&p) * 0x9e3779b97f4a7c15 >> (64 - bits_));
  }
  // The cell of the transaction, or the cell where it would be inserted.
  std::size_t place_of(const payload& p) const {
    std::size_t at = home(p);
    while (cells_[at].key && cells_[at].key != &p) at = next(at);
    return at;
  }

  void grow() {
    const std::vector<cell> old = std::move(cells_);
    ++bits_;
    cells_.assign(std::size_t{1} << bits_, {});
    for (const cell& c : old)
      if (c.key) cells_[place_of(*c.key)] = c;
  }

  unsigned bits_ = 4;
  std::vector<cell> cells_ = std::vector<cell>(std::size_t{1} << bits_);  // at most half full
  std::size_t size_ = 0;
};

}  // namespace muster
