#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "muster/policies/frequency_table.h"

namespace muster {

/// A server whose governor chooses a frequency for all its cores.
struct governed_server {
  const frequency_table& frequencies;
  std::uint32_t cores;  ///< that it has
  std::uint32_t busy;   ///< that slices hold
  std::size_t fixed;    ///< row that the scenario names
};

/// A policy of servers that chooses the frequency of their cores. A file NAME.cpp of governors/ defines
/// `const governor_entry NAME_governor`.
struct governor_entry {
  std::string_view name;  ///< letters, digits, `_` and `-`
  int order;              ///< in lists, ascending; the first is the default
  std::string_view about;
  std::size_t (*choose)(const governed_server& server);  ///< @return a row of the frequencies
  bool follows_load = false;                             ///< whether the choice depends on governed_server::busy
  bool takes_frequency = false;                          ///< whether it depends on governed_server::fixed
};

/// All governors, in their order.
const std::vector<const governor_entry*>& governor_catalogue();

/// The frequencies of the cores of a server, and what chooses among them.
struct governed_frequencies {
  frequency_table table;
  const governor_entry* governor;
  std::size_t fixed = 0;  ///< row that the scenario names
  bool changes = true;    ///< false: the same row always

  /// The row at which a server works of whose cores so many are busy.
  std::size_t row(std::uint32_t cores, std::uint32_t busy) const {
    return governor->choose({table, cores, busy, fixed});
  }
};

}  // namespace muster
