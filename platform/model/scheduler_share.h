#pragma once

#include <cstdint>

#include "platform/model/scenario.h"

namespace muster {

/// The servers of an entry that a scheduler owns: `first`, `first` + `step` and so on, counted within the entry.
struct entry_share {
  std::uint32_t first = 0, step = 1, count = 0;
};

/// Servers are dealt out to the schedulers one after the other, in their order in `platform.servers`, unless all of
/// them have all.
/// @param scheduler,entry numbers, below schedulers.count and servers.size()
entry_share share_of_entry(const scenario& model, std::uint32_t scheduler, std::size_t entry);

/// Whether servers stay in service whoever controls the cluster, as several schedulers share them or take jobs from
/// each other: what they know of each other does not tell that one has left.
bool servers_stay(const scenario& model);

/// What one of several schedulers has, as a scenario with one scheduler: its servers, and the rates of the jobs that it
/// gets on average. It is not controlled where servers stay. Entries of which it owns no server are left out. Where
/// jobs are dealt out by class, the rates of the classes of others are 0.
scenario share_of_scheduler(const scenario& model, std::uint32_t scheduler);

/// The cores that a policy decides about: of the cluster, or of the scheduler with the fewest.
std::uint64_t cores_of_scheduler(const scenario& model);

/// Whether all schedulers have as many servers of each entry, and get jobs of the same rates.
bool have_equal_shares(const scenario& model);

}  // namespace muster
