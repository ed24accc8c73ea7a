#include "platform/report/core_rows.h"

#include <algorithm>
#include <numeric>

namespace muster {

namespace {

/// The rows of one server.
class server_rows {
 public:
  server_rows(std::uint32_t first, std::uint32_t count) : first_(first), busy_until_(count) {}

  void place(std::size_t slice, std::uint32_t count, double begun, double ended, std::vector<row_block>& all) {
    std::vector<std::uint32_t> free;
    std::size_t together = 0;  // where as many neighbours begin
    bool found = false;
    for (std::uint32_t row = 0; row < busy_until_.size(); ++row) {
      if (busy_until_[row] > begun) continue;
      free.push_back(row);
      if (found || free.size() < count) continue;
      together = free.size() - count;
      found = free[together] + count - 1 == row;
    }
    if (!found) together = 0;
    for (std::size_t at = together; at < free.size() && count > 0; ++at, --count) {
      busy_until_[free[at]] = ended;
      const std::uint32_t row = first_ + free[at];
      if (at > together && all.back().first + all.back().count == row)
        ++all.back().count;
      else
        all.push_back({slice, row, 1});
    }
  }

 private:
  std::uint32_t first_;
  std::vector<double> busy_until_;
};

}  // namespace

std::vector<row_block> rows_of(const core_window& window, const std::vector<std::uint32_t>& cores) {
  std::vector<server_rows> servers;
  std::uint32_t first = 0;
  for (const std::uint32_t count : cores) {
    servers.emplace_back(first, count);
    first += count;
  }
  std::vector<std::size_t> order(window.slices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return window.slices[a].begun < window.slices[b].begun; });
  std::vector<row_block> all;
  for (const std::size_t at : order) {
    const core_slice& s = window.slices[at];
    servers.at(s.server).place(at, s.count, s.begun, s.ended.value_or(window.end), all);
  }
  return all;
}

}  // namespace muster
