#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/modules/server/server_observer.h"
#include "platform/metrics/replication_pictures.h"
#include "platform/simulation/cluster.h"

namespace muster {

/// Records what the cores of the first servers do, for some hundred slices; then it observes no more. The servers are
/// those with 128 cores together; at least one, unless it has more than 1,024 cores.
class core_recorder final : private server_observer {
 public:
  /// @param others who observe the cores without it; null: nobody
  /// @param what, simulated, others outlive it
  core_recorder(const scenario& what, cluster& simulated, server_observer* others);

  /// Begins to record.
  void open(ticks now);
  /// What was recorded; if it still records, until now.
  core_window recorded(ticks now);

 private:
  void slice_begins(ticks now, const slice_view& slice) override;
  void slice_works(ticks now, const slice_view& slice) override;
  void slice_saves(ticks now, const slice_view& slice) override;
  void slice_ends(ticks now, const slice_view& slice) override;

  void close(ticks now);
  void add(const slice_view& slice, std::optional<ticks> ended);

  const scenario& what_;
  cluster& simulated_;
  server_observer* others_;
  std::vector<std::uint64_t> first_server_;  // of each entry of platform.servers
  std::vector<std::string> classes_;         // by id
  std::uint64_t seen_ = 0;                   // slices that ended, on any server
  bool records_ = false;
  core_window window_;
};

}  // namespace muster
