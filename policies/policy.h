#pragma once

#include <cstdint>
#include <string_view>

#include "muster/policies/job.h"

namespace muster {

struct policy_entry;
class settings;

/// The orders that a policy of any kind of jobs may give. Each order takes effect at once: the view shows it when the
/// function returns. An order takes a job itself, as the view has it: a copy of one is a scheduling_error.
class decisions {
 public:
  /// Requests one call of the policy's woken() at that time; its place among the events of that instant is stated
  /// there. The request cannot be cancelled.
  /// @param at not before cluster_view::now(). It may equal now(), but time must advance after a finite number of calls
  /// @param cookie passed to woken()
  /// @throws scheduling_error if the time has passed
  virtual void wake_at(ticks at, std::uint32_t cookie) = 0;

 protected:
  ~decisions() = default;
};

/// The base of the policies of all kinds of jobs. A policy derives from rigid_policy, pooled_policy or slotted_policy,
/// which have the functions that the scheduler calls.
///
/// The scheduler calls one function per event, in the order of simulated time; of the events of one instant completions
/// come before arrivals. The view already reflects the event when a function is called.
class policy {
 public:
  policy() = default;
  policy(const policy&) = delete;
  policy& operator=(const policy&) = delete;
  virtual ~policy() = default;

  /// Phase of the policy's cycle after the latest event, from 1 to phases(); 0 while it is in none.
  unsigned phase() const { return phase_; }
  /// The number of phases that have begun so far, which shows a phase that follows one of the same number.
  std::uint64_t phases_begun() const { return phases_begun_; }
  /// The number of phases of the policy; 0: it has none. It is read once, when a scheduler is built.
  virtual unsigned phases() const { return 0; }

  /// Whether replace_parameters() may bring another value of a parameter while the simulation runs. By default none may
  /// be replaced.
  virtual bool can_replace(std::string_view /*parameter*/) const { return false; }
  /// Replaces parameters, between two events. It gives no orders: the new values count from the next event on. The
  /// settings are complete and checked as for the constructor; those for which can_replace() is false are as before.
  virtual void replace_parameters(const settings& /*complete*/) {}

  /// The number of jobs in the system with which a simulation ends early, unless its scenario sets one. A job takes
  /// about a kilobyte of memory; a policy that serves all jobs at every event takes time in proportion and returns
  /// fewer.
  virtual std::uint64_t most_jobs_in_system() const { return 1'000'000; }

  /// The entry of the catalogue that has made the policy, see policy_entry::make(). Null if it was made otherwise: then
  /// no scheduler accepts it.
  const policy_entry* entry() const { return entry_; }

 protected:
  /// @param phase from 1 to phases(); 0: the policy is in none. Another one is a fault when the policy has returned
  void begin_phase(unsigned phase) {
    phase_ = phase;
    ++phases_begun_;
  }

 private:
  friend struct policy_entry;
  const policy_entry* entry_ = nullptr;
  unsigned phase_ = 0;
  std::uint64_t phases_begun_ = 0;
};

}  // namespace muster
