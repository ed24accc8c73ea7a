#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace muster {

/// With which other tasks of its gang a task exchanges data while it works. Tasks are numbered server by server.
enum class exchange_pattern : std::uint8_t {
  all_to_all,  ///< with every other one
  ring,        ///< each task sends to the next one, the last to the first
  neighbours,  ///< each task sends to the one before and to the one behind it; the first and the last have one
  root         ///< each task sends to the first one, and that to each other one
};

/// The words for the patterns, in the order of the enumeration.
inline constexpr std::string_view exchange_pattern_words[] = {"all_to_all", "ring", "neighbours", "root"};

/// Streams of a gang from one of its servers to another.
struct server_streams {
  std::uint32_t from = 0, to = 0;  ///< places in the list of the gang's servers, not the same
  std::uint64_t count = 0;         ///< at least 1

  bool operator==(const server_streams& o) const { return from == o.from && to == o.to && count == o.count; }
};

/// The streams of a gang that leave a server: one from each task to each of its partners on other servers. A partner
/// counts once, also where it is both the task before and the task behind.
/// @param tasks on each server of the gang, each at least 1
/// @return by `from`, then by `to`, each pair at most once
std::vector<server_streams> streams_of(exchange_pattern pattern, const std::vector<std::uint32_t>& tasks);

}  // namespace muster
