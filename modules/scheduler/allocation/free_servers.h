#pragma once

#include <cstdint>
#include <vector>

namespace muster {

/// Counts the idle cores of each server in a group, and finds the first server with an idle core in time logarithmic in
/// the number of servers.
class free_servers {
 public:
  free_servers(std::uint32_t servers, std::uint32_t cores_each) : cores_(servers, cores_each) {
    for (std::size_t words = servers; words > 1 || levels_.empty();) {
      const std::size_t bits = words;
      words = (bits + 63) / 64;
      std::vector<std::uint64_t> level(words, cores_each > 0 ? ~std::uint64_t{0} : 0);
      if (cores_each > 0 && bits % 64 != 0) level.back() = (std::uint64_t{1} << (bits % 64)) - 1;
      levels_.push_back(std::move(level));
    }
  }

  std::uint32_t cores(std::uint32_t server) const { return cores_[server]; }

  /// The lowest server with an idle core. Some server must have one.
  std::uint32_t first() const {
    std::uint32_t at = 0;
    for (std::size_t level = levels_.size(); level-- > 0;)
      at = at * 64 + static_cast<std::uint32_t>(__builtin_ctzll(levels_[level][at]));
    return at;
  }

  void take(std::uint32_t server, std::uint32_t cores) {
    if ((cores_[server] -= cores) > 0) return;
    std::uint32_t at = server;
    for (auto& level : levels_) {
      if (level[at / 64] &= ~(std::uint64_t{1} << (at % 64))) return;
      at /= 64;
    }
  }

  void give_back(std::uint32_t server, std::uint32_t cores) {
    const bool was_full = cores_[server] == 0;
    cores_[server] += cores;
    if (!was_full) return;
    std::uint32_t at = server;
    for (auto& level : levels_) {
      level[at / 64] |= std::uint64_t{1} << (at % 64);
      at /= 64;
    }
  }

 private:
  std::vector<std::uint32_t> cores_;
  std::vector<std::vector<std::uint64_t>> levels_;  // a bit per server, then a bit per word of the level below
};

}  // namespace muster
