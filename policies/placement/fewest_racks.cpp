#include <cstdint>

#include "muster/policies/placement.h"

namespace muster {

namespace {

// The rack with the fewest idle cores that hold all that is missing, else the one with the most: then no other choice
// of racks needs fewer of them. Of equal racks the lowest.
std::uint32_t next_rack(const candidate_servers& idle, unsigned cores) {
  std::uint32_t best = 0;
  std::uint64_t in_best = 0;
  for (std::uint32_t rack = 0; rack < idle.racks(); ++rack) {
    const std::uint64_t here = idle.idle_in(rack);
    const bool holds_all = here >= cores, best_holds_all = in_best >= cores;
    if (holds_all != best_holds_all ? holds_all : holds_all ? here < in_best : here > in_best) {
      best = rack;
      in_best = here;
    }
  }
  return best;
}

// A rack is used up before the job goes on in another one.
idle_server fewest_racks(const candidate_servers& idle, unsigned cores, random_numbers&) {
  const auto latest = idle.latest_rack();
  return idle.best_fit(cores, latest && idle.idle_in(*latest) > 0 ? *latest : next_rack(idle, cores));
}

}  // namespace

extern const placement_entry fewest_racks_placement{
    "fewest_racks",
    8,
    "The rack with the fewest idle cores, or room for tasks, that hold the whole job, else that with the most, and so "
    "on with the rest, so that the job is in as few racks as possible; there as in `best_fit`; of equal racks the "
    "lowest; only in networks that have racks",
    fewest_racks,
    nullptr,
    false,
    false,
    true};

}  // namespace muster
