#pragma once

#include "muster/modules/kernel/parts_of_ticks.h"
#include "muster/modules/source/workload.h"

namespace muster {

/// The jobs of another workload, whose own clock goes faster or slower than simulated time: its arrivals come at a
/// multiple of their rate.
///
/// The clock is exact, and each arrival is at the tick that is nearest to its time, halves upwards. So nothing is
/// rounded where the factor changes, and a factor that comes back at one instant changes nothing.
class paced_arrivals final : public workload {
 public:
  static constexpr double least = 0.001, most = 10.0;  ///< of the factor

  /// @param jobs at the factor 1 until the first call of set(); outlives this object
  /// @param next arrival of the job that was made last and has not arrived
  paced_arrivals(workload& jobs, ticks next) : jobs_(jobs), next_(next) {}

  /// Sets the factor from now on.
  void set(ticks now, double factor) {
    passed_ += tick_sum{now - since_} * pace_;
    since_ = now;
    pace_ = parts_per_tick(factor);
  }
  /// When the job arrives that was made last. @return may be beyond the range of the clock
  ticks next_arrival() const {
    const tick_sum own = in_parts(next_);
    return since_ + (own > passed_ ? ticks_for(own - passed_, pace_) : 0);
  }

  bool next(job_request& job) override {
    if (!jobs_.next(job)) return false;
    next_ = job.arrival;
    job.arrival = next_arrival();
    return true;
  }
  bool states_more() const override { return jobs_.states_more(); }
  std::string_view fixes_arrivals() const override { return jobs_.fixes_arrivals(); }

 private:
  workload& jobs_;
  ticks next_;           // by the own clock
  tick_sum passed_ = 0;  // of the own clock until since_, in parts
  ticks since_ = 0;      // when the factor was set
  std::uint64_t pace_ = parts_per_tick(1.0);
};

static_assert(paced_arrivals::most < 16.0);  // see parts_of_ticks.h

}  // namespace muster
