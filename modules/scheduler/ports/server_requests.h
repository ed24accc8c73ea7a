#pragma once

#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/scheduler/allocation/server_group.h"

namespace muster {

/// Transactions of what a scheduler asks of servers besides dispatches: stops of slices, and watches, which are reads
/// that the server answers when it fails or has been repaired. Their data are one word.
class server_requests {
 public:
  /// @param locations outlives the requests
  explicit server_requests(const table<group_id, group_location>& locations) : locations_(locations) {}

  /// Ends a slice before its time. @param how server_register::stop or server_register::release
  tlm::tlm_generic_payload& stop_of(slice_extension& stopped, std::uint64_t how);
  tlm::tlm_generic_payload& watch_of(group_id group, std::uint32_t server, slice_extension::request change);
  /// The response to a watch has come.
  void end_watch() { --watches_; }

  bool in_progress(const tlm::tlm_generic_payload& p) const { return pool_.in_progress(p); }
  /// Stops that have not returned to the pool.
  std::size_t stops() const { return pool_.outstanding() - watches_; }
  /// Watches that have not been answered.
  std::size_t watches() const { return watches_; }

 private:
  tlm::tlm_generic_payload& request_to(group_id group, std::uint32_t server, std::uint64_t where,
                                       tlm::tlm_command command);

  const table<group_id, group_location>& locations_;
  transaction_pool<slice_extension> pool_;
  std::size_t watches_ = 0;
};

}  // namespace muster
