#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/network/network.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/server/input_cache.h"
#include "muster/modules/server/job_data.h"
#include "muster/modules/server/server_settings.h"

namespace muster {

/// Receives the instants at which data have come for which a slice waits.
class slice_data_observer {
 public:
  /// The input of a slice that waits for it has arrived, or its output has left.
  virtual void data_moved(ticks now, std::uint32_t slice) = 0;

 protected:
  ~slice_data_observer() = default;
};

/// What the slices of a bank, or of several, have moved so far. Sums of several are those of all of them.
struct moved_data {
  std::uint64_t fetches = 0;  ///< inputs that slices have asked for, of at least a byte
  std::uint64_t hits = 0;     ///< of `fetches`, those that the server's own disk held
  std::uint64_t bytes = 0;    ///< that have arrived over the network, inputs at servers and outputs at the storage
  tick_sum waited = 0;        ///< time for which slices have waited for their data, times their cores

  moved_data& operator+=(const moved_data& other) {
    fetches += other.fetches;
    hits += other.hits;
    bytes += other.bytes;
    waited += other.waited;
    return *this;
  }
};

/// The input and the output of the slices of a bank, and the disks of its servers.
///
/// An input that several jobs read comes from the server's disk if it is there: at the disk's rate, one read after the
/// other. Any other comes from the storage over the network, and is kept on the disk if other jobs may read it and it
/// is whole. The request for it takes the latency of the way to the storage, and occupies no edge. Disks keep what they
/// hold when a server fails.
class slice_data final : private timer_observer {
 public:
  /// @param given with a source of data and a network that has storage
  /// @param observer outlives this object
  slice_data(timekeeper& time, const server_settings& given, slice_data_observer& observer);

  /// Begins to fetch the input of a slice. @param cores of the slice
  /// @return whether the slice waits for it: it has an input, and does not work meanwhile
  bool fetch_input(std::uint32_t slice, std::uint32_t server, const slice_extension& extension, std::uint32_t cores);
  /// Lets a slice that has done its work wait for its input, if that is still on its way, or sends its output.
  /// @return whether the slice waits: else it has neither
  bool settle(std::uint32_t slice);
  /// Forgets what a slice has under way. Data in the network go on. @return whether the slice waited for them
  bool forget(std::uint32_t slice);

  moved_data moved(ticks now) const;

 private:
  enum class way : std::uint8_t { none, storage, disk, out };
  struct part {
    job_data data;
    std::uint64_t input = 0, output = 0;  // bytes of the slice
    std::uint32_t server = 0, cores = 0;
    way under_way = way::none;
    bool waits = false;  // whether the slice waits for what is under way
    ticks since = 0;     // since when it waits
    union {
      network::message message = 0;
      timekeeper::timer timer;  // way::disk
    };
  };
  struct disk {
    input_cache held;
    ticks busy_until = 0;
  };

  void expired(ticks now, std::uint32_t slice) override;
  void read_disk(std::uint32_t slice, const slice_extension& extension);
  void wait(part& p);
  void stop_waiting(part& p, ticks now);

  timekeeper& time_;
  network& network_;
  job_data_source& source_;
  std::uint32_t first_;  // place of the bank's first server in the network
  slice_data_observer& observer_;
  std::vector<ticks> to_storage_;  // latency from each server
  double disk_ticks_per_byte_;
  std::vector<disk> disks_;  // of the servers; empty: they have none
  std::vector<part> parts_;  // by number of the slice
  moved_data moved_;
  std::uint64_t waiting_cores_ = 0;
  tick_sum since_ = 0;  // sum of the instants since which slices wait, times their cores
};

}  // namespace muster
