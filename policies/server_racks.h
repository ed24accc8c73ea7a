#pragma once

#include <cstdint>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/table.h"

namespace muster {

/// The rack of each server: all that rules of placement see of the network. Racks do not change.
struct server_racks {
  std::uint32_t count = 0;                                   ///< racks are numbered from 0; 0: they are not known
  table<group_id, std::vector<std::uint32_t>> of_servers{};  ///< of each server of each group; empty: not known
};

}  // namespace muster
