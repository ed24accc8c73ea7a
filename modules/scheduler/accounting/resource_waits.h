#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/scheduler/allocation/resource_observer.h"
#include "muster/modules/scheduler/allocation/task_allocator.h"
#include "muster/policies/cluster_state.h"

namespace muster {

/// Tells which resource is short for the waiting jobs of each class, and for how long each one has been, where servers
/// or the cluster have resources beside cores.
///
/// One resource is short for a class whose jobs do not fit: cores, if by cores alone a job would not fit on the servers
/// that it may use, or else the first in the order of declaration by which alone it would not. Where each of them alone
/// would do, none is short: no servers have all together.
///
/// A change of a server takes a time proportional to the number of classes that may use it, times that of resources.
class resource_waits final : private resource_observer {
 public:
  /// @param state outlives the object
  /// @param resources outlives the object, which observes it
  resource_waits(const cluster_state& state, task_allocator& resources);

  /// The cause of waiting of a class from now on: no_core where a resource is short, fragmentation where none is but a
  /// job does not fit, else behind_others.
  time_part examine(ticks now, class_id type);
  /// Lets a job wait from now on.
  void begin_waiting(ticks now, const job_extension& j);
  /// Ends a job's wait, and adds its time to that of the resources that were short.
  void end_waiting(ticks now, const job_extension& j);

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  /// What a class lacks, and for how long each resource has been short, whether or not jobs waited.
  struct class_shortage {
    std::vector<unsigned> fits;      // tasks that a server could hold by one resource alone, by server and resource
    std::vector<std::uint64_t> fit;  // the sum over servers, by resource
    std::vector<ticks> elapsed;      // time for which a resource was short up to `since`, by resource
    ticks since = 0;
    std::size_t resource = none;  // the one that is short

    void run_to(ticks now) {
      if (resource != none) elapsed[resource] += now - since;
      since = now;
    }
  };

  void free_changes(group_id group, std::uint32_t server, const amounts* free) override;
  std::size_t short_resource(class_id type) const;
  const task_need& need(class_id type) const { return *state_.type(type).tasks; }

  const cluster_state& state_;
  const task_allocator& resources_;
  std::size_t count_;                             // of resources
  table<group_id, std::size_t> first_server_;     // number of the first server of a group among all
  table<group_id, std::vector<class_id>> users_;  // classes that may use the group
  table<class_id, class_shortage> shortages_;
};

}  // namespace muster
