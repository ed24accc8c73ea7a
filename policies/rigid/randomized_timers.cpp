#include <algorithm>
#include <cmath>

#include "muster/policies/catalogue.h"

namespace muster {

/// MaxWeight without preemption, by randomized timers. Source: Psychas and Ghaderi, "Randomized algorithms for
/// scheduling multi-resource jobs in the cloud", IEEE/ACM Transactions on Networking 26(5), 2018, reference 27 of the
/// Quickswap paper (its Section 2.2).
///
/// Each class i has a timer of exponential time, at rate `rate` exp(f(Q_i)) with Q_i its jobs that wait. When it goes
/// off, a job of the class starts if it fits, and the timer begins anew. Nothing else starts a job: after a completion
/// the cores stay idle until the timer of a class that fits goes off. As f grows, what is in service is distributed as
/// if schedules n were drawn with weights exp(sum of n_i f(Q_i)), so that those of nearly the largest weight prevail.
///
/// Choices where the source is open:
/// - f must grow without bound, but slower than the logarithm: `weight = "root_log"`, f(Q) = sqrt(log(1 + Q)), is its
///   log^(1 - b) with b = 1/2. `"log"`, f(Q) = log(1 + Q), is the border: rate (1 + Q), faster than the proof allows.
/// - The source has several servers, of which a timer picks one at random; here the rule of placement picks the server,
///   and where only cores count all of them are one server.
/// - The timer of a class stands still while no job of it waits or none fits, and is drawn anew whenever Q_i changes:
///   as exponential times have no memory, the jobs start as if it ran on at the rates of the present queue. No
///   fictitious jobs are put into service for empty queues.
/// - Where decisions take time, a timer that has gone off stays so until the scheduler has come to it.
class randomized_timers final : public rigid_policy {
 public:
  randomized_timers(std::size_t classes, double rate, double power, random_numbers& random)
      : timers_(classes), rate_(rate), power_(power), random_(random) {}

  /// A timer that runs keeps the time that was drawn.
  bool can_replace(std::string_view) const override { return true; }
  void replace_parameters(const settings& complete) override {
    rate_ = complete.number("rate");
    power_ = power_of(complete);
  }
  /// The power of the logarithm in f.
  static double power_of(const settings& complete) { return complete.choice("weight") == "log" ? 1.0 : 0.5; }

 private:
  static constexpr ticks stopped = ~ticks{0};

  struct timer {
    ticks due = stopped;
    std::size_t queue = 0;  // jobs that waited when the timer was drawn
  };

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    for (const class_id id : cluster.classes()) {
      timer& own = timers_[id];
      const std::size_t queue = cluster.waiting(id);
      if (queue == 0 || !cluster.fits(id))
        own.due = stopped;
      else if (own.due == stopped || (own.due >= cluster.now() && own.queue != queue))
        draw(id, queue, cluster, decide);
    }
  }

  void draw(class_id id, std::size_t queue, rigid_view cluster, rigid_decisions& decide) {
    const double rate = rate_ * std::exp(std::pow(std::log1p(static_cast<double>(queue)), power_));
    const double wait = std::round(random_.exponential(1.0 / rate) * static_cast<double>(cluster.ticks_per_unit()));
    timer& own = timers_[id];
    own = {stopped, queue};
    if (wait >= static_cast<double>(end_of_clock - cluster.now())) return;  // the time is beyond the end of the clock
    own.due = cluster.now() + std::max(ticks{1}, static_cast<ticks>(wait));
    decide.wake_at(own.due, static_cast<std::uint32_t>(id));
  }

  // Called when a timer has gone off, before now where decisions take time; if it has been drawn anew since, nothing
  // happens.
  void woken(std::uint32_t cookie, rigid_view cluster, rigid_decisions& decide) override {
    const auto id = static_cast<class_id>(cookie);
    if (timers_[id].due > cluster.now()) return;
    timers_[id].due = stopped;
    if (cluster.waiting(id) && cluster.fits(id)) decide.start(*cluster.first(id));  // a server may have failed since
    schedule(cluster, decide);
  }

  table<class_id, timer> timers_;
  double rate_, power_;
  random_numbers& random_;
};

namespace {

// The rule is Theorem 1 of the source, for exponential sizes. Its queues may be so long that they take years to drain.
stability_rule stability_of_timers(const settings& given) {
  return given.choice("weight") == "root_log" ? stability_rule::best_mix_in_turn : stability_rule::not_known;
}

}  // namespace

extern const policy_entry randomized_timers_entry = [] {
  policy_entry entry;
  entry.name = "randomized_timers";
  entry.about =
      "MaxWeight without preemption: jobs start when random timers of their classes go off, at rates that grow with "
      "the queues (Psychas and Ghaderi, 2018)";
  entry.parameters = {
      {"rate", number_parameter{"a number > 0", 0.0, true, 1.0, "1/time"},
       "rate of a class's timer, per unit of time, but for its factor exp(f(Q)) with Q jobs of the class waiting"},
      {"weight", choice_parameter{{"root_log", "log"}}, "f(Q): the square root of log(1 + Q), or log(1 + Q)"}};
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers& random) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<randomized_timers>(cluster.class_count(), given.number("rate"),
                                               randomized_timers::power_of(given), random);
  };
  entry.any_resources = true;
  entry.stable_with = stability_of_timers;
  return entry;
}();

}  // namespace muster
