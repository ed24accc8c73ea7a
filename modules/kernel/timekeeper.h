#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include "muster/modules/kernel/kernel_time.h"
#include "muster/modules/kernel/parameter_list.h"
#include "muster/modules/kernel/prefetch_step.h"
#include "muster/modules/kernel/timer_tournament.h"
#include "muster/policies/algorithms/index_pool.h"
#include "muster/policies/algorithms/prefetch.h"
#include "muster/policies/ticks.h"

namespace muster {

/// Receives the expirations of timers.
class timer_observer {
 public:
  /// @param now the timer's time; timekeeper::now() answers the same during the call
  /// @param cookie what arm() was given
  virtual void expired(ticks now, std::uint32_t cookie) = 0;
  /// Prefetches what expired() will access, as the timer will likely expire soon.
  virtual void prefetch_for_expiration([[maybe_unused]] std::uint32_t cookie, [[maybe_unused]] prefetch_step step) {}

 protected:
  ~timer_observer() = default;
};

/// Receives that a timekeeper has come to rest.
class rest_observer {
 public:
  /// Called when the last timer has expired and none is set, from the timekeeper's process. New ones may be set.
  virtual void nothing_is_left() = 0;

 protected:
  ~rest_observer() = default;
};

/// The order of timers that expire at the same instant, over all modules: completions in the order of the jobs'
/// numbers, then interruptions likewise, then failures and repairs, then exchanges with models beside the cluster, then
/// what controls the cluster, then messages, then deadlines, then arrivals (from outside the cluster: by submitter,
/// behind those of its sources), then looks of a front end at its schedulers, then the policy's own timers, then slots,
/// then governors of frequencies, then caps on power, then the rates of flows that share edges, then observers.
namespace timer_rank {
inline constexpr std::uint64_t interruption = std::uint64_t{1} << 61;
inline constexpr std::uint64_t fault = interruption | interruption >> 1;
/// The rank of an exchange with a model beside the cluster: behind failures and repairs of all servers, and before what
/// controls the cluster. @param model number of the model, below 2^32
inline constexpr std::uint64_t exchange(std::uint64_t model) { return (fault | std::uint64_t{1} << 39) + model; }
/// The rank of what controls the cluster: behind failures and repairs of all servers. @param count of such calls so far
inline constexpr std::uint64_t control(std::uint64_t count) { return (fault | std::uint64_t{1} << 40) + count; }
inline constexpr std::uint64_t travel = std::uint64_t{1} << 62;
inline constexpr std::uint64_t arrival = std::uint64_t{1} << 63;
inline constexpr std::uint64_t deadline = travel | interruption;
inline constexpr std::uint64_t slot = arrival | travel;
inline constexpr std::uint64_t governor = slot | interruption >> 1;
inline constexpr std::uint64_t power = slot | interruption;
inline constexpr std::uint64_t rates = power | interruption >> 1;
/// The rank of the arrival of a job from outside the cluster.
/// @param submitter number of the socket, below 2^20 @param count jobs of that submitter so far
inline constexpr std::uint64_t outside_arrival(std::uint64_t submitter, std::uint64_t count) {
  return arrival | (submitter + 1) << 41 | (count & ((std::uint64_t{1} << 41) - 1));
}
/// The rank of a front end's look at its schedulers: behind all that has come to them.
inline constexpr std::uint64_t look = (arrival | fault) - 1;
/// The rank of a time requested by the policy: behind all other events of the instant but the beginning of a slot.
/// @param count times requested so far
inline constexpr std::uint64_t wake(std::uint64_t count) { return (arrival | fault) + count; }
/// The rank of the policy's call for cores that slices have left whose jobs go on: behind its own timers.
inline constexpr std::uint64_t cores_freed = slot - 1;
inline constexpr std::uint64_t observation = ~std::uint64_t{0};

/// The number of the job whose timer has the rank; none if the timer belongs to no job.
inline constexpr std::optional<std::uint64_t> job_of(std::uint64_t rank) {
  constexpr std::uint64_t kinds = ~(interruption - 1);
  if (rank < interruption) return rank;
  if (rank >= deadline && rank < arrival) return rank & ~kinds;
  if (rank >= interruption && rank < fault) return rank & ~kinds;
  return std::nullopt;
}
}  // namespace timer_rank

/// Whether something that takes effect at `at` and lasts `duration` leaves the range of simulated time.
inline constexpr bool beyond_clock(ticks at, ticks duration) {
  return at >= end_of_clock || duration >= end_of_clock - at;
}

/// All timers of a cluster behind one kernel event.
///
/// Temporal decoupling as in TLM-2.0: within the global quantum timers run one after the other in local time, ahead of
/// the kernel, and modules hand that lead on in the delay argument of their calls. Local time never reaches the next
/// activity that waits in the kernel, and timers of an instant expire when the kernel has nothing else left to do at
/// it, so the order of events, and every result, is the same as without it.
class timekeeper : public sc_core::sc_module, public listed_module, public simulated_clock {
 public:
  using timer = timer_tournament::slot;

  explicit timekeeper(const sc_core::sc_module_name& name);

  /// Local time: that of the latest timer that has expired, or the kernel's where that is later.
  ticks now() const final { return running_ ? local_ : std::max<ticks>(local_, sc_core::sc_time_stamp().value()); }
  /// Declares that nothing but the timers of this timekeeper ever waits in the kernel, so that its queue need not be
  /// checked before each timer.
  void assume_exclusive_kernel() { kernel_is_exclusive_ = true; }
  /// Reports each time that no timer is left. Called before the simulation. @param observer outlives the timekeeper
  void observe_rest(rest_observer& observer) { at_rest_ = &observer; }
  /// Whether a timer is expiring. A call then comes from within the cluster, in the order of its timers, and not from a
  /// foreign process.
  bool at_work() const { return running_; }
  /// How far local time leads the kernel's: the delay argument of a call made now.
  sc_core::sc_time lead() const {
    sc_core::sc_time ahead;
    if (running_) set_ticks(ahead, local_ - kernel_);
    return ahead;
  }

  /// When a call with that delay argument takes effect: not before now(). A delay that leaves the range of the kernel's
  /// own clock ends with it, beyond end_of_clock.
  ticks effective(const sc_core::sc_time& delay) const {
    const ticks kernel = running_ ? kernel_ : sc_core::sc_time_stamp().value();
    const ticks at = kernel + delay.value();
    return std::max<ticks>(local_, at < kernel ? never : at);
  }
  /// The next rank among messages: of those that arrive at one instant, the first sent is the first received.
  std::uint64_t travel_rank() { return timer_rank::travel + travellers_++; }

  /// Sets a timer.
  /// @param at not before now(), and below end_of_clock. A later time is a SystemC error of type /muster/timekeeper,
  ///   which names the job if the timer belongs to one
  /// @param rank order among the timers of an instant, see timer_rank
  timer arm(ticks at, std::uint64_t rank, timer_observer& observer, std::uint32_t cookie) {
    check_range(at, rank);
    if (!top_is_spent_) return arm_anew(at, rank, observer, cookie);
    top_is_spent_ = false;
    const timer t = pending_.next_slot();
    owners_[t] = {&observer, cookie};
    pending_.replace_next(at, rank);
    return t;
  }
  void cancel(timer t);

  /// A timer that is set again and again, such as the one for a source's next arrival. Recurring timers are few and
  /// kept out of the tournament, so that an arrival costs no match.
  using recurring = std::size_t;
  recurring add_recurring(std::uint64_t rank, timer_observer& observer, std::uint32_t cookie);
  /// Sets a recurring timer.
  /// @param at not before now(), and at most end_of_clock. At end_of_clock its observer reports that time has left its
  ///   range
  void set(recurring r, ticks at);

  /// Reports a SystemC error of the cluster. The text ends with now(): the kernel's time, which SystemC itself adds
  /// to a report, may be earlier.
  void report_error(const char* type, const std::string& message) const;
  /// Reports that simulated time leaves its range, as a SystemC error.
  /// @param cause what would be beyond it; may be empty
  [[noreturn]] void leave_clock(const std::string& cause) const;

  /// Ends the simulation when the present instant is complete: the timers of that instant expire, later ones do not.
  void stop();
  /// Whether stop() has been called.
  bool stopped() const { return stopped_; }
  /// Timers that are set now, the one that is expiring left out.
  std::size_t armed() const {
    return pending_.size() - (top_is_spent_ ? 1 : 0) +
           static_cast<std::size_t>(
               std::count_if(recurring_.begin(), recurring_.end(), [](const auto& r) { return r.at != never; }));
  }
  /// Timers expired so far.
  std::uint64_t expirations() const { return expirations_; }
  /// Lists the present time, the range of simulated time, and counts, see list_parameters().
  void list_into(parameter_list& all) const override;

 private:
  struct owner {
    timer_observer* observer = nullptr;
    std::uint32_t cookie = 0;
  };

  struct recurring_timer {
    ticks at;
    std::uint64_t rank;
    owner who;
  };
  static constexpr ticks never = timer_tournament::never;
  static constexpr ticks last_of_all = never - 1;
  // Number of timers from which on the memory that a timer needs has left the cache when it expires.
  static constexpr std::size_t many = 1000;

  void check_range(ticks at, std::uint64_t rank) const {
    if (at >= end_of_clock) refuse_range(rank);
  }
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_range(std::uint64_t rank) const;
  [[gnu::noinline]] timer arm_anew(ticks at, std::uint64_t rank, timer_observer& observer, std::uint32_t cookie);
  [[gnu::flatten]] void run();
  void expire_pending();
  [[gnu::noinline]] void prefetch_soon(timer expired);
  void expire_recurring();
  [[gnu::noinline]] void find_soonest();
  [[gnu::noinline]] bool must_wait(ticks next);
  bool kernel_waits_until(ticks t) const;
  ticks next_time() const { return std::min(pending_.next_time(), recurs_at_); }
  [[gnu::noinline]] void wake();

  timer_tournament pending_;
  index_pool<owner> owners_;
  std::vector<recurring_timer> recurring_;
  recurring soonest_ = 0;    // number of the recurring timer that expires first
  ticks recurs_at_ = never;  // when that timer expires
  sc_core::sc_event event_;
  ticks kernel_ = 0;
  ticks local_ = 0;
  ticks last_ = last_of_all;  // the last instant that is simulated
  ticks until_ = 0;           // the last instant to which local time may go now
  std::uint64_t expirations_ = 0;
  std::uint64_t travellers_ = 0;
  unsigned yields_ = 0;  // delta cycles left to other processes since the latest timer expired
  bool running_ = false;
  bool kernel_is_exclusive_ = false;
  bool stopped_ = false;
  bool top_is_spent_ = false;         // the expiring timer is still pending, to be set anew by the first one armed
  bool soonest_is_spent_ = false;     // the recurring timer that expires has not been set again
  rest_observer* at_rest_ = nullptr;  // null: nobody is told
};

}  // namespace muster
