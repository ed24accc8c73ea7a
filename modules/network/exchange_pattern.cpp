#include "muster/modules/network/exchange_pattern.h"

namespace muster {

namespace {

// Streams between tasks on different servers. Tasks that follow each other are on one server, or one is the last of a
// server and the other the first of the next server.
std::uint64_t count_of(exchange_pattern pattern, const std::vector<std::uint32_t>& tasks, std::size_t from,
                       std::size_t to) {
  switch (pattern) {
    case exchange_pattern::all_to_all: return std::uint64_t{tasks[from]} * tasks[to];
    case exchange_pattern::ring: return (from + 1) % tasks.size() == to ? 1 : 0;
    case exchange_pattern::neighbours: return from + 1 == to || to + 1 == from ? 1 : 0;
    case exchange_pattern::root: return from == 0 ? tasks[to] : to == 0 ? tasks[from] : 0;
  }
  return 0;
}

}  // namespace

std::vector<server_streams> streams_of(exchange_pattern pattern, const std::vector<std::uint32_t>& tasks) {
  std::vector<server_streams> all;
  const auto servers = static_cast<std::uint32_t>(tasks.size());
  for (std::uint32_t from = 0; from < servers; ++from)
    for (std::uint32_t to = 0; to < servers; ++to)
      if (const std::uint64_t count = from == to ? 0 : count_of(pattern, tasks, from, to); count > 0)
        all.push_back({from, to, count});
  return all;
}

}  // namespace muster
