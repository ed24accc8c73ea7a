#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/modules/protocol/protocol.h"
#include "muster/policies/job.h"
#include "muster/policies/resources.h"
#include "muster/policies/table.h"

namespace muster {

/// A group of like servers, as declared to the scheduler.
struct server_group {
  std::string name;
  std::uint32_t count = 1;
  std::uint32_t cores = 1;  ///< cores of each server
  double capacity = 1.0;    ///< work that one core does per unit of time
  /// Whether its servers are in the bank of the group before, at the addresses after it, and so share its socket.
  bool same_bank = false;
  bool fails = false;  ///< whether its servers may fail; then the scheduler watches them
  /// What each server has of each resource of the cluster, cores first, of devices their number; empty: cores alone.
  amounts resources{};
};

/// The location and the properties of a group's servers that every slice reads, in half a cache line.
struct alignas(32) group_location {
  double capacity = 1.0;
  std::uint32_t bank = 0;  ///< number of its bank: of the initiator of `dispatches` that is bound to it
  std::uint32_t servers = 1;
  std::uint32_t cores = 1;          ///< cores of each server
  std::uint32_t first_in_bank = 0;  ///< place of its first server among those of the bank
  std::uint32_t first_server = 0;   ///< place of its first server among all of the platform
};

/// The address of a register of one of the group's servers. @param where see server_register
inline std::uint64_t register_address(const group_location& group, std::uint32_t server, std::uint64_t where) {
  return (std::uint64_t{group.first_in_bank} + server) * server_register::stride + where;
}

/// Lays the groups out: banks and servers in the order of the groups.
table<group_id, group_location> locations_of(const table<group_id, server_group>& groups);
/// How many banks the groups make.
std::size_t bank_count(const table<group_id, server_group>& groups);

/// Cores of one server that a job holds, or is to hold.
struct placement {
  group_id group;
  std::uint32_t server;  ///< within the group
  std::uint32_t cores;
};

/// What a job holds, or is to hold, of each of its servers.
using job_places = std::vector<placement>;

/// The group and the number of a server as one number.
constexpr std::uint64_t server_number(group_id group, std::uint32_t server) {
  return std::uint64_t{static_cast<std::uint32_t>(group)} << 32 | server;
}
constexpr group_id group_of(std::uint64_t number) {
  return static_cast<group_id>(static_cast<std::uint32_t>(number >> 32));
}
constexpr std::uint32_t server_of(std::uint64_t number) { return static_cast<std::uint32_t>(number); }

}  // namespace muster
