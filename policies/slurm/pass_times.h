#pragma once

#include <algorithm>
#include <utility>

#include "muster/policies/ticks.h"

namespace muster {

/// The first of the instants base, base + step, .. that is not before another one. @param step > 0
inline ticks first_of_grid(ticks base, ticks step, ticks at) {
  return at <= base ? base : base + (at - base + step - 1) / step * step;
}

/// When the backfill scheduler makes passes: `interval` after the latest one while jobs wait. While none waits, it
/// looks once a second from then on whether anything has changed since the latest pass.
class backfill_times {
 public:
  backfill_times(ticks interval, ticks second) : interval_(interval), second_(second) {}

  /// Notes that something changes now. Called before jobs join the queue or leave it.
  void change(ticks now) {
    if (!waits_ && !changed_) due_ = first_of_grid(latest_ + interval_, second_, now);
    changed_ = true;
  }
  /// Notes whether jobs wait from now on: each pass changes what is known of those that do.
  void wait(bool waits) {
    waits_ = waits;
    changed_ = changed_ || waits;
  }
  /// Notes that a pass is made now, which is the time of one. Called before its starts are noted as changes.
  void make(ticks now) {
    latest_ = now;
    due_ = now + interval_;
    changed_ = false;
  }
  /// The time of the first pass that is not before an instant, from the present one on, while jobs wait.
  ticks due(ticks at) const { return first_of_grid(due_, interval_, at); }

  /// Goes through the passes before now. Called first at each event.
  void advance(ticks now) {
    if (due_ >= now) return;
    if (waits_) {
      due_ = due(now);
      latest_ = due_ - interval_;
    } else if (changed_) {
      latest_ = due_;
      changed_ = false;
    }
  }

 private:
  ticks interval_, second_;
  ticks latest_ = 0;
  ticks due_ = 0;  // of the next pass, while jobs wait or something has changed
  bool changed_ = false, waits_ = false;
};

/// When the main scheduler makes passes. A job that ends asks for one at the next full second, as was measured, and not
/// before `least` after the latest pass. A job that was preempted asks for one as soon as its nodes are cleaned up, as
/// was measured. A job that is submitted asks for one of the background, which looks once a second, and makes it
/// `delay` after its latest one at the earliest. Every `interval` the background makes a pass of all jobs.
class main_times {
 public:
  static constexpr ticks never = end_of_clock;

  /// @param phase of its passes, which are so long after full seconds; less than a second
  main_times(ticks interval, ticks delay, ticks least, ticks second, ticks phase)
      : interval_(interval), delay_(delay), least_(least), second_(second), phase_(phase) {}

  void ask_at_once(ticks now) {
    at_once_ =
        std::min(at_once_, first_of_grid(phase_, second_, latest_ == never ? now : std::max(now, latest_ + least_)));
  }
  void ask_at(ticks at) { at_once_ = std::min(at_once_, at); }
  void ask_background(ticks now) {
    const ticks earliest = background_ == never ? now : std::max(now, background_ + delay_);
    asked_ = std::min(asked_, first_of_grid(phase_, second_, earliest));
    ask_full(now);
  }
  /// Asks for the first pass of all jobs that is not before an instant.
  void ask_full(ticks at) { asked_ = std::min(asked_, full(at)); }

  /// The time of the next pass that is asked for; never: none is.
  ticks next() const { return std::min(at_once_, asked_); }
  /// Whether a pass that is made now tests all jobs.
  bool is_full(ticks now) const { return full(now) == now; }
  /// Notes that the pass that is due now is made.
  void make(ticks now) {
    if (asked_ <= now) {
      background_ = now;
      asked_ = never;
    }
    if (at_once_ <= now) at_once_ = never;
    latest_ = now;
  }
  /// Goes through the passes before now. Called first at each event.
  void advance(ticks now) {
    if (asked_ < now) background_ = std::exchange(asked_, never);
    if (at_once_ < now) latest_ = std::exchange(at_once_, never);
    if (now <= phase_) return;
    const ticks before = phase_ + (now - 1 - phase_) / interval_ * interval_;
    if (background_ == never || before > background_) background_ = before;
  }

 private:
  ticks full(ticks at) const { return first_of_grid(phase_, interval_, at); }

  ticks interval_, delay_, least_, second_, phase_;
  ticks latest_ = never, background_ = never;
  ticks at_once_ = never, asked_ = never;
};

}  // namespace muster
