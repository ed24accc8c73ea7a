#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "muster/modules/network/routes.h"
#include "muster/policies/algorithms/index_pool.h"
#include "muster/policies/ticks.h"

namespace muster {

/// The max-min fair rates of flows that share the arcs of a network: the rates of all flows rise together until an arc
/// is full or a flow has reached its cap; the flows concerned keep their rates, and the others rise further. Then every
/// flow has reached its cap or passes a full arc on which no flow is faster. Such rates are unique.
///
/// A change is worked out among the flows that it concerns: the new ones and those that it leaves without such an arc,
/// and from these on to others, until all have one again. Arcs count as full, and rates as equal, within a part in 10^9
/// of the definition; the deviations do not add up over time.
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
  /// @return its number; that of a flow that was removed is used again
  flow add(const std::vector<use>& uses, double cap = unlimited);
  void remove(flow f);
  void set_cap(flow f, double cap);
  void set_capacity(network_arc a, double capacity);

  /// Works out the rates after any number of changes.
  /// @return the flows whose rate is another than after the last update(), each once, in no particular order; valid
  /// until the next call
  const std::vector<flow>& update();

  /// Bytes per tick as of the last update(); unlimited for a flow without a cap on unlimited arcs alone.
  double rate(flow f) const { return flows_[f].rate; }
  double capacity(network_arc a) const { return arcs_[a].capacity; }
  /// The bytes per tick on an arc as of the last update().
  double load(network_arc a) const;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // A flow on an arc, and which of the flow's uses it is.
  struct passing {
    flow who;
    std::uint32_t number;
  };
  struct arc_state {
    double capacity = 0.0;
    double scale = 0.0;  // parts of the load for each byte per tick; 0 if it is never full
    tick_sum load = 0;   // in parts, of which 2^53 are the capacity: what a flow adds can be taken away exactly
    std::vector<passing> flows;
    bool binds = false;  // whether rates observe it: it has been exceeded, and has been full since
    std::uint32_t local = none;
  };
  struct placed_use {
    network_arc arc;
    double share;
    std::uint32_t place;  // among the flows of the arc
  };
  struct flow_state {
    std::vector<placed_use> uses;
    double cap = 0.0;
    double most = 0.0;  // the cap, or what the flow could have alone where that is less
    double rate = 0.0;
    double before = 0.0;  // the rate after the last update
    double next = 0.0;
    network_arc bottleneck = none;  // a full arc on which no flow is faster; none: its rate is `most`
    bool concerned = false;         // whether the update works out its rate
    bool rises = false;             // whether that rate has not been found yet
  };
  // An arc that binds flows of the update.
  struct local_arc {
    network_arc arc = 0;
    double left = 0.0;         // capacity that no flow has taken yet
    double shares = 0.0;       // the sum of shares of flows that rise
    std::uint32_t rising = 0;  // flows that rise
    double level = unlimited;  // the rate at which it has become full
  };
  // A rate at which a local arc becomes full, or a later one.
  struct filling {
    double level;
    std::uint32_t local;
    bool operator<(const filling& other) const { return level > other.level; }  // the least one on top of a heap
  };

  void concern(flow f);
  void find_most(flow_state& f) const;
  tick_sum parts(const arc_state& a, double share, double rate) const;
  void take_relieved();
  void find_local_arcs();
  void fill();
  void freeze(flow_state& f, double rate, network_arc bottleneck);
  bool apply();
  bool find_concerned();
  void finish();

  std::vector<arc_state> arcs_;
  index_pool<flow_state> flows_;
  std::vector<flow> concerned_;
  std::vector<network_arc> relieved_;  // arcs that bind and that a flow has left
  std::vector<local_arc> local_;
  std::vector<filling> fillings_;  // a heap
  std::vector<flow> by_most_;
  std::vector<flow> changed_;
};

}  // namespace muster
