#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "muster/modules/kernel/timekeeper.h"
#include "platform/metrics/replication_result.h"
#include "platform/model/platform_spec.h"
#include "platform/simulation/cluster_energy.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// A step function while time passes, in ticks.
class step_cursor {
 public:
  step_cursor(const step_function& of, const time_unit& unit)
      : period_(of.period ? std::max<ticks>(1, unit.to_ticks(*of.period)) : end_of_clock) {
    for (const step_function::step& s : of.steps) steps_.push_back({unit.to_ticks(s.from), s.value});
  }

  /// Goes to the step of a time, not before that of the call before.
  void go_to(ticks now) {
    if (period_ < end_of_clock) begin_ = now / period_ * period_;
    const auto after = std::upper_bound(steps_.begin(), steps_.end(), now - begin_,
                                        [](ticks time, const step& s) { return time < s.from; });
    at_ = after == steps_.begin() ? 0 : static_cast<std::size_t>(after - steps_.begin()) - 1;
    const ticks end = after == steps_.end() ? period_ : after->from;
    next_ = end < end_of_clock - begin_ ? begin_ + end : end_of_clock;
  }
  double value() const { return steps_[at_].value; }
  /// When the next step begins; end_of_clock: never.
  ticks next() const { return next_; }

 private:
  struct step {
    ticks from;
    double value;
  };

  std::vector<step> steps_;
  ticks period_;     // end_of_clock: there is none
  ticks begin_ = 0;  // of the present period
  ticks next_ = 0;
  std::size_t at_ = 0;
};

/// Measures what energy costs and emits. The energy that the cluster has spent is known exactly at any time, so that it
/// is read at each step of a price and at the ends of the window, and the energy between two readings is multiplied
/// with the price that holds there: the integral of power times price, whatever power does between the steps.
class priced_energy final : public instrument, private timer_observer {
 public:
  explicit priced_energy(const observed_replication& replication)
      : replication_(replication),
        time_(replication.simulated.time),
        timer_(time_.add_recurring(timer_rank::observation, *this, 0)) {
    const price_spec& price = *replication.point.price;
    if (price.energy) integrals_.push_back({"energy_cost", {*price.energy, replication.point.unit}});
    if (price.carbon) integrals_.push_back({"carbon", {*price.carbon, replication.point.unit}});
  }

  void window_opens(ticks now) override {
    for (integral& one : integrals_) one.price.go_to(now);
    find_next();
    spent_ = spent(now);
    open_ = true;
    wait_for_step();
  }
  void window_closes(ticks now) override {
    settle(now);
    if (open_) take(now);
    open_ = false;
    time_.set(timer_, timer_tournament::never);
  }
  /// Goes on after a time in which nothing was left to do, and no timer was set.
  void job_arrives(ticks now, const job_extension&) override {
    if (!open_ || !rests_) return;
    rests_ = false;
    settle(now);
    wait_for_step();
  }
  void add_to(replication_result& result) override {
    const time_unit& unit = replication_.point.unit;
    constexpr double joules_of_kwh = 3.6e6;
    const std::uint64_t left = replication_.jobs.counts().left();
    for (const integral& one : integrals_) {
      const double sum = one.sum / static_cast<double>(unit.ticks) * unit.seconds / joules_of_kwh;
      result.add("all", one.metric, sum / static_cast<double>(left), left, left > 0);
    }
  }

 private:
  struct integral {
    const char* metric;
    step_cursor price;
    double sum = 0.0;  // of watts times ticks times price
  };

  void expired(ticks now, std::uint32_t) override {
    settle(now);
    rests_ = time_.armed() == 0;  // steps alone keep no simulation going
    if (!rests_) wait_for_step();
  }

  double spent(ticks now) const { return cluster_energy{replication_.point, replication_.simulated}.spent(now); }

  // Adds what has been spent since the latest reading.
  void take(ticks now) {
    const double before = std::exchange(spent_, spent(now));
    for (integral& one : integrals_) one.sum += one.price.value() * (spent_ - before);
  }

  // Passes the steps that have begun until now. Nothing has changed since the first of them that is passed late.
  void settle(ticks now) {
    while (open_ && next_ <= now) {
      const ticks begins = next_;
      take(begins);
      for (integral& one : integrals_)
        if (one.price.next() <= begins) one.price.go_to(begins);
      find_next();
    }
  }

  void find_next() {
    next_ = end_of_clock;
    for (const integral& one : integrals_) next_ = std::min(next_, one.price.next());
  }

  void wait_for_step() {
    if (next_ < end_of_clock) time_.set(timer_, next_);
  }

  const observed_replication& replication_;
  timekeeper& time_;
  timekeeper::recurring timer_;
  std::vector<integral> integrals_;
  double spent_ = 0.0;  // watts times ticks, until the latest reading
  ticks next_ = end_of_clock;
  bool open_ = false;   // whether the window is
  bool rests_ = false;  // whether the timer waits for a job
};

bool prices_energy(const observed_replication& replication) {
  return (replication.measures("energy_cost") || replication.measures("carbon")) &&
         replication.simulated.has_all_servers();
}

}  // namespace

extern const instrument_entry priced_energy_instrument{instrument_order::power_rows, prices_energy,
                                                       add_instrument<priced_energy>};

}  // namespace muster
