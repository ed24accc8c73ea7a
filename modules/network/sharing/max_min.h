#pragma once

#include <vector>

#include "muster/modules/network/sharing/edge_sharing.h"
#include "muster/modules/network/sharing/shared_edges.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// Messages share each direction of an edge fairly: a message is a flow over its whole way at once, split equally over
/// all shortest paths, with the max-min fair rate. Rates change where a flow begins or ends only. A message arrives the
/// latency of its way after its last byte has been sent, which is at the tick nearest to the instant at which the
/// integral of its rate has reached its bytes; rates are whole multiples of a part of a byte for each tick, so that the
/// integral is exact.
class max_min final : public edge_sharing, private timer_observer, private rate_observer {
 public:
  /// @param paths of the graph; outlive this object
  /// @param hub a vertex whose ways are the reverse of those that lead to it
  max_min(timekeeper& time, const network_graph& graph, routes& paths, std::size_t hub);

  void send(ticks at, std::size_t from, std::size_t to, std::uint64_t bytes, timer_observer& receiver,
            std::uint32_t cookie) override;

  /// Adds what a flow between two vertices takes of the edges on its way.
  /// @param times bytes on the way for each of the flow, such as the number of equal streams in it
  /// @return the latency of the way
  ticks add_way(std::size_t from, std::size_t to, double times, std::vector<max_min_rates::use>& uses);
  /// The flows on the edges: those of messages, and whatever else is added.
  shared_edges& edges() { return edges_; }

 private:
  using message = std::uint32_t;

  enum class stage { waits, flows, arrives };
  struct under_way {
    timer_observer* receiver = nullptr;
    std::uint32_t cookie = 0;
    stage at{};
    std::size_t from = 0, to = 0;
    std::uint64_t bytes = 0;
    std::uint64_t rank = 0;
    ticks latency = 0;
    std::vector<max_min_rates::use> uses;
    shared_edges::flow flow = 0;
    tick_sum left = 0;  // parts of bytes that have not been sent at `since`
    ticks since = 0;
    tick_sum pace = 0;  // parts in each tick; 0: none
    bool ends = false;  // whether `end` is set
    timekeeper::timer end = 0;
  };
  /// An arc while flows pass it, for the observer.
  struct occupation {
    std::uint32_t flows = 0;
    ticks since = 0;
    double bytes = 0.0;
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void rate_changes(ticks now, std::uint32_t cookie, double rate) override;
  void begin(message m, ticks now);
  void end(message m, ticks now);
  void arrive(message m, ticks now);
  tick_sum in_parts(double bytes) const;
  void occupy(const under_way& m, ticks now);
  void release(const under_way& m, ticks now);

  timekeeper& time_;
  routes& paths_;
  std::size_t hub_;
  shared_edges edges_;
  int bits_of_part_;  // a byte is 2 to this power of parts; may be negative
  index_pool<under_way> messages_;
  std::vector<arc_share> way_;
  std::vector<occupation> occupied_;  // by arc; of use with an observer
};

}  // namespace muster
