#include "muster/modules/scheduler/allocation/server_group.h"

namespace muster {

table<group_id, group_location> locations_of(const table<group_id, server_group>& groups) {
  table<group_id, group_location> all;
  group_location at;
  std::uint32_t first = 0;
  for (const server_group& g : groups) {
    if (first > 0 && !g.same_bank) {
      ++at.bank;
      at.first_in_bank = 0;
    }
    at.capacity = g.capacity;
    at.servers = g.count;
    at.cores = g.cores;
    at.first_server = first;
    all.push_back(at);
    first += g.count;
    at.first_in_bank += g.count;
  }
  return all;
}

std::size_t bank_count(const table<group_id, server_group>& groups) {
  std::size_t banks = 0;
  for (const server_group& g : groups)
    if (banks == 0 || !g.same_bank) ++banks;
  return banks;
}

}  // namespace muster
