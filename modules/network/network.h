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
/// state of migrating jobs and the input of jobs.
///
/// What a message to or from a server costs where no edge between it and the scheduler has a finite bandwidth is one
/// timer, as with a plain link. Other messages share edges by the rule of the settings: see fifo_sharing and max_min.
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
  void forget(message m) { transfers_[m].receiver = nullptr; }

  /// Shows the occupation of edges to an observer. @param observer outlives the simulation
  void observe(network_observer& observer) { sharing_->observe(observer); }

  /// The vertex of a place in the graph.
  std::size_t vertex_of(place p) const {
    return p == at_scheduler ? scheduler_ : p == at_storage ? storage_ : servers_[p].vertex;
  }
  /// The rule by which messages share edges, to send other messages and flows over them.
  edge_sharing& sharing() { return *sharing_; }
  /// The max-min fair rule of the settings; null: messages share edges by another rule.
  max_min* fair_sharing() { return fair_; }

 private:
  struct endpoint {
    std::size_t vertex = 0;
    ticks latency = 0;
    bool queues = false;  // whether an edge between it and the scheduler has a finite bandwidth
  };
  /// Data on their way, or the request for them.
  struct data_transfer {
    timer_observer* receiver = nullptr;
    std::uint32_t cookie = 0;
    place from = 0, to = 0;
    std::uint64_t bytes = 0;
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
  index_pool<data_transfer> transfers_;
  std::vector<ticks> latencies_;           // of each edge, by its number
  std::size_t storage_ = ~std::size_t{0};  // vertex of the storage, if there is one
};

}  // namespace muster
