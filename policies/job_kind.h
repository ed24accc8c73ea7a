#pragma once

#include <cstddef>
#include <cstdint>

namespace muster {

/// The ways in which the jobs of a policy use servers.
enum class job_kind : std::uint8_t {
  rigid,   ///< a job runs on as many cores as it needs, from its start to its completion
  pooled,  ///< a job runs on any number of whole servers, at the sum of their capacities; they join and leave
  slotted  ///< a job's cores are chosen anew for every slot; a core does one unit of work in a slot
};

/// The kind as messages name it: rigid, pooled or slotted.
constexpr const char* word_for(job_kind jobs) {
  constexpr const char* words[] = {"rigid", "pooled", "slotted"};
  return words[static_cast<std::size_t>(jobs)];
}

}  // namespace muster
