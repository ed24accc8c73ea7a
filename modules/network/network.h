#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/network/network_observer.h"
#include "muster/modules/network/network_settings.h"
#include "muster/modules/network/routes.h"
#include "muster/modules/network/sharing/edge_sharing.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

class max_min;

/// Edges and switches between the scheduler and the servers, over which links send their messages and servers fetch the
/// state of migrating jobs.
///
/// What a message to or from a server costs where no edge between it and the scheduler has a finite bandwidth is one
/// timer, as with a plain link. Other messages share edges by the rule of the settings: see fifo_sharing and max_min.
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
  void forget(message m) { fetches_[m].receiver = nullptr; }

  /// Shows the occupation of edges to an observer. @param observer outlives the simulation
  void observe(network_observer& observer) { sharing_->observe(observer); }

  /// The vertex of a server in the graph. @param server place among all servers
  std::size_t vertex_of(std::uint32_t server) const { return servers_[server].vertex; }
  /// The rule by which messages share edges, to send other messages and flows over them.
  edge_sharing& sharing() { return *sharing_; }
  /// The same rule if it is max_min; null: it is another one.
  max_min* fair_sharing() { return fair_; }

 private:
  struct endpoint {
    std::size_t vertex = 0;
    ticks latency = 0;
    bool queues = false;  // whether an edge between it and the scheduler has a finite bandwidth
  };
  /// A state on its way, or the request for it.
  struct state_fetch {
    timer_observer* receiver = nullptr;
    std::uint32_t cookie = 0;
    std::uint32_t from = 0, to = 0;
    std::uint64_t state = 0;
    bool asks = false;  // whether the request is under way
  };

  void choose_sharing();
  void find_ways();
  void expired(ticks now, std::uint32_t cookie) override;

  timekeeper& time_;
  const network_settings settings_;
  routes paths_;
  std::vector<endpoint> servers_;
  std::size_t scheduler_ = 0;  // vertex of the scheduler
  std::unique_ptr<edge_sharing> sharing_;
  max_min* fair_ = nullptr;
  index_pool<state_fetch> fetches_;
};

}  // namespace muster
