#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "muster/modules/server/server_observer.h"
#include "platform/metrics/replication_pictures.h"
#include "platform/model/joined_servers.h"
#include "platform/simulation/cluster.h"

namespace muster {

/// Records what the servers do for a while; then it observes no more. Slices are recorded of the first servers, those
/// with 512 cores together (at least one, unless it has more than 1,024 cores): as many as three for each core, 400 at
/// least. Of all servers it records the shares of busy cores, by row of servers, in 64 to 128 bins with as many slices
/// each.
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

  /// Cores of a row of servers that jobs hold.
  struct row_use {
    std::uint64_t cores = 0;
    ticks since = 0;    // they are as many
    tick_sum held = 0;  // core time until then

    void change(ticks now, std::uint64_t more) {
      held += static_cast<tick_sum>(now - since) * cores;
      since = now;
      cores += more;  // modulo 2^64
    }
  };
  struct reading {
    ticks now;
    std::vector<tick_sum> held;  // by row
  };

  std::uint64_t server_of(const slice_view& slice) const { return first_server_[slice.bank] + slice.server; }
  row_use& use_of(const slice_view& slice) { return uses_[rows_.row_of(server_of(slice))]; }
  void read(ticks now);
  void close(ticks now);
  void add_bins();
  void add(const slice_view& slice, std::optional<ticks> ended);

  const scenario& what_;
  cluster& simulated_;
  server_observer* others_;
  std::vector<std::uint64_t> first_server_;  // of each entry of platform.servers
  std::vector<std::string> classes_;         // by id
  joined_servers rows_;
  std::vector<row_use> uses_;  // by row
  std::vector<reading> readings_;
  std::size_t enough_;      // slices
  std::uint64_t every_;     // slices that end, on any server, between readings
  std::uint64_t seen_ = 0;  // slices that have ended, on any server
  bool records_ = false;
  core_window window_;
};

}  // namespace muster
