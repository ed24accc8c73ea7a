#pragma once

#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/scheduler/allocation/server_group.h"

namespace muster {

/// The transactions of a scheduler's requests to servers besides dispatches: stops of slices, and watches. A watch is a
/// read that the server answers when it fails or has been repaired. The data of a request are one word.
class server_requests {
 public:
  /// @param locations outlives the requests
  explicit server_requests(const table<group_id, group_location>& locations) : locations_(locations) {}

  /// The transaction of a stop, which ends a slice before its time.
  /// @param how server_register::stop or server_register::release
  tlm::tlm_generic_payload& stop_of(slice_extension& stopped, std::uint64_t how);
  /// The transaction of a watch.
  tlm::tlm_generic_payload& watch_of(group_id group, std::uint32_t server, slice_extension::request change);
  /// Counts a watch less, as its response has come.
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
