#pragma once

#include <cstddef>
#include <cstdint>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/network/network_observer.h"

namespace muster {

/// How the messages of a network share its edges.
class edge_sharing {
 public:
  edge_sharing() = default;
  edge_sharing(const edge_sharing&) = delete;
  edge_sharing& operator=(const edge_sharing&) = delete;
  virtual ~edge_sharing() = default;

  /// Sends bytes from one vertex to another one, to which there is a path.
  /// @param at when they are sent, not before now
  /// @param receiver its expired() is called with the cookie when all bytes have arrived
  virtual void send(ticks at, std::size_t from, std::size_t to, std::uint64_t bytes, timer_observer& receiver,
                    std::uint32_t cookie) = 0;

  /// Shows the occupation of edges to an observer. @param observer outlives the simulation
  void observe(network_observer& observer) { observer_ = &observer; }

 protected:
  network_observer* observer_ = nullptr;  // null: nobody observes
};

}  // namespace muster
