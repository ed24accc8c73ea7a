#pragma once

#include "muster/modules/server/server.h"

namespace muster {

/// The core time of a bank of servers in each state except down.
struct bank_times {
  tick_sum idle = 0, overhead = 0, running = 0, asleep = 0;

  static bank_times of(const server& bank, ticks now) {
    bank_times sum;
    for (std::uint32_t core = 0; core < bank.core_count(); ++core) {
      const core_times times = bank.times(core, now);
      sum.idle += times.idle;
      sum.overhead += times.overhead;
      sum.running += times.running;
      sum.asleep += times.asleep;
    }
    return sum;
  }
};

}  // namespace muster
