#pragma once

#include <vector>

#include "muster/modules/network/sharing/max_min_rates.h"

namespace muster {

/// Receives changes of the rate of a flow.
class rate_observer {
 public:
  /// @param cookie what shared_rates::add() was given @param rate in bytes per tick
  virtual void rate_changes(std::uint32_t cookie, double rate) = 0;

 protected:
  ~rate_observer() = default;
};

/// Max-min fair rates of flows that have different owners: each owner is told when the rate of its flow changes.
class shared_rates final {
 public:
  using flow = max_min_rates::flow;
  using use = max_min_rates::use;

  /// @param capacities see max_min_rates
  explicit shared_rates(const std::vector<double>& capacities) : rates_(capacities) {}

  /// Adds a flow, which has a rate once update() has been called.
  /// @param owner outlives the flow
  flow add(const std::vector<use>& uses, double cap, rate_observer& owner, std::uint32_t cookie) {
    const flow f = rates_.add(uses, cap);
    if (f >= owners_.size()) owners_.resize(f + 1);
    owners_[f] = {&owner, cookie};
    return f;
  }
  /// Removes a flow, whose owner is told no more.
  void remove(flow f) {
    owners_[f].who = nullptr;
    rates_.remove(f);
  }
  void set_cap(flow f, double cap) { rates_.set_cap(f, cap); }
  /// Works out the rates after changes, and tells the owners of flows whose rates have changed. They change no flow
  /// meanwhile.
  void update() {
    for (const flow f : rates_.update())
      if (const owner& o = owners_[f]; o.who) o.who->rate_changes(o.cookie, rates_.rate(f));
  }
  const max_min_rates& rates() const { return rates_; }

 private:
  struct owner {
    rate_observer* who = nullptr;
    std::uint32_t cookie = 0;
  };

  max_min_rates rates_;
  std::vector<owner> owners_;  // by flow
};

}  // namespace muster
