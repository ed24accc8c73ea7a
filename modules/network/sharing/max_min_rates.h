#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "muster/modules/network/routes.h"
#include "muster/policies/algorithms/index_pool.h"

namespace muster {

/// The max-min fair rates of flows that share the arcs of a network: the rates of all flows rise together until an arc
/// is full or a flow has reached its cap; the flows concerned keep their rates, and the others rise further. No flow
/// can then get more without taking from one that has no more than it. These rates are unique.
///
/// A change is worked out among the flows that it concerns: those with a common full arc, and from these on to others
/// as long as one of them has no longer a full arc on which no flow is faster. The rates are the max-min fair ones
/// within a part in 10^9, and no errors add up over time.
class max_min_rates {
 public:
  using flow = std::uint32_t;
  /// What a flow takes of an arc.
  struct use {
    network_arc arc = 0;
    double share = 1.0;  ///< bytes on the arc for each of the flow; above 0; > 1: equal streams, < 1: split over paths
  };
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  /// @param capacities of the arcs in bytes per tick, at least 0; unlimited: an arc is never full
  explicit max_min_rates(const std::vector<double>& capacities);

  /// Adds a flow. Its rate is 0 until the next update().
  /// @param uses shares of the same arc are added up
  /// @param cap the highest rate that it takes, in bytes per tick, at least 0
  /// @return a number, the number of a flow that was removed may be used again
  flow add(const std::vector<use>& uses, double cap = unlimited);
  void remove(flow f);
  void set_cap(flow f, double cap);
  void set_capacity(network_arc a, double capacity);

  /// Works out the rates anew after any number of changes.
  /// @return the flows whose rate is another than after the last update(), in no particular order; valid until the next
  ///   call
  const std::vector<flow>& update();

  /// Bytes per tick as of the last update(); unlimited for a flow without a cap on unlimited arcs alone.
  double rate(flow f) const { return flows_[f].rate; }
  /// The bytes per tick on an arc: the sum of share times rate over its flows.
  double load(network_arc a) const;
  double capacity(network_arc a) const { return arcs_[a].capacity; }

 private:
  // A flow on an arc, and which of the flow's uses it is.
  struct passing {
    flow who;
    std::uint32_t number;
  };
  struct arc_state {
    double capacity = 0.0;
    double scale = 0.0;  // parts of the load for each byte per tick
    std::int64_t load = 0;
    std::vector<passing> flows;
    bool binds = false;         // whether it is taken into account as long as no flow exceeds it
    std::uint32_t local = none;  // its place among the arcs of an update
  };
  // A use of a flow, and its place among the flows of the arc.
  struct placed_use {
    network_arc arc;
    double share;
    std::uint32_t place;
  };
  struct flow_state {
    std::vector<placed_use> uses;
    double cap = 0.0;
    double most = 0.0;  // the cap, or what the flow could have alone
    double rate = 0.0;
    double before = 0.0;           // its rate after the last update
    network_arc bottleneck = none;  // the full arc on which no flow is faster; none: it has the most that it can have
    bool concerned = false;        // whether it is among the flows of an update
  };
  // An arc that binds, among flows of an update.
  struct local_arc {
    network_arc arc;
    double left = 0.0;          // capacity for flows that still rise
    double shares = 0.0;        // sum of shares of the flows that still rise
    std::uint32_t rising = 0;   // these flows
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void concern(flow f);
  void limit(flow_state& f) const;
  void collect_arcs();
  void fill();
  void settle(flow f, double rate, network_arc bottleneck);
  bool apply();
  bool find_concerned();
  void load_arcs(flow_state& f, double rate);

  std::vector<arc_state> arcs_;
  index_pool<flow_state> flows_;
  std::vector<flow> concerned_;
  std::vector<network_arc> relieved_;  // full arcs that flows have left
  std::vector<local_arc> local_;
  std::vector<flow> changed_;
};

}  // namespace muster
