#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "platform/metrics/packed_slices.h"
#include "platform/metrics/replication_pictures.h"
#include "platform/model/joined_servers.h"
#include "platform/model/resource_places.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

/// The core time that jobs have held of each row of servers, see joined_servers.
class row_uses {
 public:
  explicit row_uses(const scenario& point) : rows_(point) {}

  /// Forgets all use. @param now from when on it is counted
  void begin(ticks now) { uses_.assign(rows_.count(), {0, now, 0}); }
  /// The cores of a server that jobs hold become more, or fewer by modulo 2^64.
  void change(std::uint64_t server, ticks now, std::uint64_t more) {
    use& of = uses_[rows_.row_of(server)];
    of.held = of.until(now);
    of.since = now;
    of.cores += more;
  }
  /// The core time of each row until an instant since which nothing has changed.
  std::vector<tick_sum> held_until(ticks now) const {
    std::vector<tick_sum> held;
    held.reserve(uses_.size());
    for (const use& of : uses_) held.push_back(of.until(now));
    return held;
  }
  const joined_servers& rows() const { return rows_; }

 private:
  struct use {
    std::uint64_t cores = 0;
    ticks since = 0;    // time of the latest change of `cores`
    tick_sum held = 0;  // core time until `since`

    tick_sum until(ticks now) const { return held + static_cast<tick_sum>(now - since) * cores; }
  };

  joined_servers rows_;
  std::vector<use> uses_;
};

/// For how long jobs hold what they have of the cluster as a whole: from the begin of their first slice to the end of
/// their last. They run while all of their slices do.
class cluster_tenures {
 public:
  void begin(const slice_view& slice);
  /// Ends a slice, or looks at one that goes on. @param ended none: it goes on
  /// @return for how long the job has held it, at its last slice
  std::optional<core_ledger::tenure> end(const slice_view& slice, std::optional<ticks> ended);

 private:
  struct part {
    unsigned slices = 0;
    core_ledger::tenure held{core_ledger::tenure::never, 0, core_ledger::tenure::never};
  };

  std::unordered_map<std::uint64_t, part> parts_;  // by job
};

/// Makes the slices and bins of a core_window of what an instrument observes.
class recorded_slices {
 public:
  /// The slices of the first servers are recorded, those with 512 cores together (at least one, unless it has more than
  /// 1,024 cores).
  explicit recorded_slices(const observed_replication& replication);

  /// The cores of the servers whose slices are recorded.
  std::uint64_t cores() const { return cores_; }
  /// The number of a slice's server, counted through platform.servers.
  std::uint64_t server_of(const slice_view& slice) const { return first_server_[slice.bank] + slice.server; }
  /// Notes a slice that is added later, as it has begun.
  void begin(const slice_view& slice) {
    if (holds_of_cluster(slice)) of_cluster_.begin(slice);
  }
  /// Adds a slice, if its server is one of those that are recorded and it has lasted; with the last slice of a job the
  /// devices of the cluster that it has held.
  /// @param ended none: it goes on at the end of the window, which is set
  void add(const slice_view& slice, std::optional<ticks> ended);
  /// Adds a slice as add() does, but packed and without its devices.
  void pack(const slice_view& slice, std::optional<ticks> ended);
  /// The number of slices that are added or packed.
  std::uint64_t count() const { return count_; }
  /// Adds the shares of rows of servers, between two instants.
  void add_bin(const joined_servers& rows, ticks from, ticks to, const std::vector<tick_sum>& held_before,
               const std::vector<tick_sum>& held_after);

  core_window window;

 private:
  bool is_recorded(const slice_view& slice, std::optional<ticks> ended) const {
    return slice.holder && server_of(slice) < window.servers && ended != slice.held.begun;
  }
  bool holds_of_cluster(const slice_view& slice) const {
    return shown_of_cluster_ > 0 && slice.holder && slice.holder->own.of_cluster;
  }
  // What is known of each slice. @param held by its job
  core_slice described(const slice_view& slice, const core_ledger::tenure& held, std::optional<ticks> ended) const;
  void add_cores(const slice_view& slice, std::optional<ticks> ended);
  void add_of_cluster(const slice_view& slice, std::optional<ticks> ended);
  void keep(core_slice&& added);

  const observed_replication& replication_;
  const scenario& point_;
  std::vector<std::uint64_t> first_server_;          // number of the first server of each entry of platform.servers
  std::vector<std::vector<resource_place>> places_;  // beside the cores of a server of each entry, then of the cluster
  std::uint64_t servers_ = 0;                        // number of all
  std::size_t shown_of_cluster_ = 0;                 // devices of the cluster
  cluster_tenures of_cluster_;
  std::uint64_t cores_ = 0, count_ = 0;
  packed_slice last_{};  // that is packed
};

}  // namespace muster
