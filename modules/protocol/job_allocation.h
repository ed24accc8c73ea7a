#pragma once

#include <boost/container/small_vector.hpp>

#include "muster/modules/protocol/pooled_work.h"
#include "muster/policies/algorithms/prefetch.h"
#include "muster/policies/job.h"

namespace muster {

class job_extension;
class slice_extension;

/// The allocation of a job that may gain or lose slices before it is complete: all its slices, and the work that they
/// share. The scheduler keeps the allocation, see allocations. An extension that is used for another job keeps its
/// allocation for that job.
///
/// The allocation of a job on few servers, which is the common case, is in four consecutive cache lines.
struct alignas(cache_line) job_allocation final : pooled_work {
  explicit job_allocation(const job_extension& job) : owner(job) {}
  const job_extension& owner;
  slice_extension* slices = nullptr;                            ///< list of those that have not ended, the latest first
  boost::container::small_vector<group_id, 4> groups;           ///< groups of servers that a pooled job may use
  boost::container::small_vector<std::uint64_t, few> state_at;  ///< servers that hold its state, the newest copy last
};

}  // namespace muster
