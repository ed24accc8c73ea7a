#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "platform/model/class_table.h"
#include "platform/model/scenario.h"

namespace muster {

/// Rows of a picture of all servers: one for each server, or where they are more than 200, one for as many consecutive
/// ones, counted through platform.servers, that there are 200 rows at most.
class joined_servers {
 public:
  static constexpr std::uint64_t most_rows = 200;

  explicit joined_servers(const scenario& model)
      : servers_(total_servers(model)), each_((servers_ + most_rows - 1) / most_rows), cores_(count()) {
    std::uint64_t server = 0;
    for (const server_spec& s : model.servers)
      for (std::uint32_t n = 0; n < s.count; ++n) cores_[row_of(server++)] += s.cores;
  }

  /// The number of rows.
  std::size_t count() const { return static_cast<std::size_t>((servers_ + each_ - 1) / each_); }
  /// Servers that share a row; the last row may have fewer.
  std::uint64_t each() const { return each_; }
  std::size_t row_of(std::uint64_t server) const { return static_cast<std::size_t>(server / each_); }
  /// The cores of all servers of a row together.
  std::uint64_t cores(std::size_t row) const { return cores_[row]; }
  /// The share of a row's core time, in thousandths.
  std::uint16_t share(std::size_t row, tick_sum core_time, ticks duration) const {
    const auto whole = static_cast<double>(cores_[row]) * static_cast<double>(duration);
    return static_cast<std::uint16_t>(std::lround(1000.0 * static_cast<double>(core_time) / whole));
  }

 private:
  std::uint64_t servers_, each_;
  std::vector<std::uint64_t> cores_;
};

}  // namespace muster
