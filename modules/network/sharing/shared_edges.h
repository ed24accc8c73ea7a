#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/network/sharing/max_min_rates.h"

namespace muster {

/// Receives the rates of flows.
class rate_observer {
 public:
  /// The flow has another rate from now on. Flows may be neither added nor changed nor removed during the call.
  /// @param rate in bytes per tick; max_min_rates::unlimited: no arc limits it
  /// @param cookie what shared_edges::add() was given
  virtual void rate_changes(ticks now, std::uint32_t cookie, double rate) = 0;

 protected:
  ~rate_observer() = default;
};

/// Flows that share the edges of a network. Their rates are the max-min fair ones, see max_min_rates, and are worked
/// out once an instant, after all other events of the instant that may change them (timer_rank::rates).
class shared_edges final : private timer_observer {
 public:
  using flow = max_min_rates::flow;
  using use = max_min_rates::use;

  /// @param capacities of the arcs, see max_min_rates
  shared_edges(timekeeper& time, const std::vector<double>& capacities);

  /// Adds a flow, whose rate is 0 until its observer is called at the end of the present instant.
  /// @param cap see max_min_rates::add()
  /// @param observer outlives the flow
  flow add(const std::vector<use>& uses, double cap, rate_observer& observer, std::uint32_t cookie);
  void remove(flow f);
  void set_cap(flow f, double cap);

  /// The rates as they have last been worked out.
  const max_min_rates& rates() const { return rates_; }

 private:
  struct owner {
    rate_observer* observer = nullptr;
    std::uint32_t cookie = 0;
  };

  void expired(ticks now, std::uint32_t cookie) override;
  void work_out() { time_.set(timer_, time_.now()); }

  timekeeper& time_;
  timekeeper::recurring timer_;
  max_min_rates rates_;
  std::vector<owner> owners_;  // by flow
};

}  // namespace muster
