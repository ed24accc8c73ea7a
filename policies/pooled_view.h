#pragma once

#include <boost/range/iterator_range_core.hpp>

#include "muster/policies/cluster_view.h"

namespace muster {

/// The cluster as a policy of pooled jobs sees it.
///
/// Pooled jobs are in one virtual queue from arrival (or interruption) to completion, waiting or in service. The queue
/// shows, for each group of servers, the jobs that may use the group.
class pooled_view : public cluster_view {
 public:
  using cluster_view::cluster_view;
  using cluster_view::first;

  /// The groups that a job may use, to loop over.
  static boost::iterator_range<const group_id*> servers(const job& j) { return {j.groups, j.groups + j.group_count}; }
  /// The first job in the queue that may use the group, or null.
  const job* first(group_id servers) const { return handed_out(data_->pool.first(servers)); }
  /// Whether some server of the group is idle.
  bool idle(group_id servers) const { return data_->free[servers] > 0; }
};

}  // namespace muster
