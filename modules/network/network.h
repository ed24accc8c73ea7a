#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/network/network_observer.h"
#include "muster/modules/network/network_settings.h"
#include "muster/modules/network/routes.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// Edges and switches between the scheduler and the servers, over which links send their messages and servers fetch the
/// state of migrating jobs and the input of jobs.
///
/// A message takes the shortest path, whole from vertex to vertex (store and forward). An edge of finite bandwidth
/// carries one message at a time in each direction, first come, first served: a message occupies it for the time that
/// its bytes take, and arrives the latency later. On a path without an edge of finite bandwidth a message costs one
/// timer, as with a plain link; otherwise one more for each such edge that is not the first of the path.
class network final : private timer_observer {
 public:
  using message = std::uint32_t;
  enum class towards { server, scheduler };
  /// An end of a transfer: the place of a server among all servers, or one of the two below.
  using place = std::uint32_t;
  static constexpr place at_scheduler = ~place{0}, at_storage = ~place{0} - 1;

  /// Invalid settings are a SystemC error of type /muster/network.
  network(timekeeper& time, const network_settings& given);

  const network_settings& settings() const { return settings_; }
  std::uint32_t server_count() const { return static_cast<std::uint32_t>(servers_.size()); }
  timekeeper& time() const { return time_; }
  /// The latency of one way between the scheduler and a server, without transmission times.
  /// @param server place among all servers
  ticks latency(std::uint32_t server) const { return servers_[server].latency; }

  /// Sends a message between the scheduler and a server.
  /// @param at when it is sent, not before now
  /// @param receiver its expired() is called with the cookie when the message has arrived
  void send(ticks at, std::uint32_t server, towards end, std::uint64_t size, timer_observer& receiver,
            std::uint32_t cookie);

  /// Whether there is a place at_storage.
  bool has_storage() const { return storage_ < num_vertices(settings_.graph); }
  /// The latency of the way from one place to another, without transmission times.
  ticks latency(place from, place to);
  /// Fetches data from one place to another, such as the state of a job from a server: a request of the size of a
  /// message, then the data.
  /// @param receiver its expired() is called with the cookie when the data have arrived
  /// @return the transfer, for forget(), until the data have arrived
  message fetch(place from, place to, std::uint64_t bytes, timer_observer& receiver, std::uint32_t cookie);
  /// Sends data from one place to another, without a request.
  /// @param at when they are sent, not before now
  /// @param receiver its expired() is called with the cookie when the data have arrived
  /// @return the transfer, for forget(), until the data have arrived
  message transfer(ticks at, place from, place to, std::uint64_t bytes, timer_observer& receiver, std::uint32_t cookie);
  /// Lets the arrival of data go unreported. The transfer continues.
  void forget(message m) { messages_[m].receiver = nullptr; }

  /// Shows the occupation of edges to an observer. @param observer outlives the simulation
  void observe(network_observer& observer) { observer_ = &observer; }

 private:
  struct way {
    ticks latency;
    double ticks_per_byte;
    ticks busy_until = 0;
  };
  struct endpoint {
    std::size_t vertex = 0;
    ticks latency = 0;
    bool queues = false;  // whether an edge between it and the scheduler has a finite bandwidth
  };
  struct under_way {
    timer_observer* receiver = nullptr;
    std::uint32_t cookie = 0;
    std::uint64_t bytes = 0;
    std::vector<network_arc> path;
    std::size_t passed = 0;  // arcs of the path that it has passed
    bool asks = false;       // whether it requests `state` bytes, which `from` then sends to `to`
    std::uint64_t state = 0;
    place from = 0, to = 0;
  };

  message new_message(timer_observer& receiver, std::uint32_t cookie, std::uint64_t size);
  void expired(ticks now, std::uint32_t cookie) override;
  void go_on(message m, ticks now);
  ticks occupy(network_arc a, ticks now, std::uint64_t bytes);
  void arrive(message m, ticks now);
  void begin(message m, ticks at);
  std::size_t vertex_of(place p) const {
    return p == at_scheduler ? scheduler_ : p == at_storage ? storage_ : servers_[p].vertex;
  }
  void find_path(under_way& m, place from, place to);

  timekeeper& time_;
  const network_settings settings_;
  routes routes_;
  std::vector<way> ways_;  // one for each arc
  std::vector<endpoint> servers_;
  std::size_t scheduler_ = 0;  // vertex of the scheduler
  index_pool<under_way> messages_;
  network_observer* observer_ = nullptr;
  std::size_t storage_ = ~std::size_t{0};  // vertex of the storage, if there is one
};

}  // namespace muster
