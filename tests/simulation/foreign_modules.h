#pragma once

#include <cstdint>
#include <string>

#include <systemc>

#include "platform/experiment/simulation_task.h"
#include "platform/metrics/replication_result.h"

namespace muster {

/// All that a replication has found; the processor time is left out.
inline std::string whole_text(replication_result result) {
  result.seconds = 0.0;
  return to_text(result);
}

/// A module of another clock, which works in each of its periods.
class foreign_clock : public sc_core::sc_module {
 public:
  foreign_clock(const sc_core::sc_module_name& name, const sc_core::sc_time& period)
      : sc_module(name), period_(period) {
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = foreign_clock;
    SC_METHOD(tick);
  }
  std::uint64_t ticks_seen = 0;

 protected:
  /// What it does at the beginning of each period, the first at time 0.
  virtual void work() {}

 private:
  void tick() {
    ++ticks_seen;
    work();
    next_trigger(period_);
  }
  sc_core::sc_time period_;
};

}  // namespace muster
