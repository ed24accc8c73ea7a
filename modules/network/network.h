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
/// state of migrating jobs.
///
/// A message takes the shortest path, whole from vertex to vertex (store and forward). An edge of finite bandwidth
/// carries one message at a time in each direction, first come, first served: a message occupies it for the time that
/// its bytes take, and arrives the latency later. On a path without an edge of finite bandwidth a message costs one
/// timer, as with a plain link; otherwise one more for each such edge that is not the first of the path.
class network final : private timer_observer {
 public:
  using message = std::uint32_t;
  enum class towards { server, scheduler };

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

  /// Fetches the state of a job from one server to another: a request of the size of a message, then the state.
  /// @param receiver its expired() is called with the cookie when the state has arrived
  /// @return the transfer, for forget(), until the state has arrived
  message fetch(std::uint32_t from, std::uint32_t to, std::uint64_t state, timer_observer& receiver,
                std::uint32_t cookie);
  /// Lets the arrival of a state go unreported. The transfer continues.
  void forget(message m) { messages_[m].receiver = nullptr; }

  /// @name Ways between servers
  /// @{
  std::size_t arc_count() const { return ways_.size(); }
  /// The bandwidth of each arc in bytes per tick; infinite: max_min_rates::unlimited.
  std::vector<double> bandwidths() const;
  /// Whether an arc has a finite bandwidth.
  bool is_finite(network_arc a) const { return ways_[a].ticks_per_byte > 0.0; }
  /// @param path replaced by the arcs from one server to the other, see routes
  void find_path(std::uint32_t from, std::uint32_t to, std::vector<network_arc>& path) {
    routes_.find(servers_[from].vertex, servers_[to].vertex, path);
  }
  /// @}

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
    std::uint32_t from = 0, to = 0;
  };

  message new_message(timer_observer& receiver, std::uint32_t cookie, std::uint64_t size);
  void expired(ticks now, std::uint32_t cookie) override;
  void go_on(message m, ticks now);
  ticks occupy(network_arc a, ticks now, std::uint64_t bytes);
  void arrive(message m, ticks now);
  void find_path(under_way& m, std::uint32_t from, std::uint32_t to);

  timekeeper& time_;
  const network_settings settings_;
  routes routes_;
  std::vector<way> ways_;  // one for each arc
  std::vector<endpoint> servers_;
  std::size_t scheduler_ = 0;  // vertex of the scheduler
  index_pool<under_way> messages_;
  network_observer* observer_ = nullptr;
};

}  // namespace muster
