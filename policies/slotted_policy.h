#pragma once

#include "muster/policies/policy.h"
#include "muster/policies/slotted_view.h"

namespace muster {

/// The orders that a policy of slotted jobs may give.
class slotted_decisions : public decisions {
 public:
  /// Gives a job core time in the slot that begins, in addition to what it has been given for this slot before: each
  /// whole unit is a core, the rest is a part of the slot on a core that the job shares with others.
  /// @param units > 0
  /// @throws scheduling_error outside slotted_policy::slot_begins, or if more is given out than
  /// slotted_view::slot_cores()
  virtual void serve(const job& slotted, double units = 1.0) = 0;

 protected:
  ~slotted_decisions() = default;
};

/// Decides which slotted jobs have cores in each slot; slotted/fifo.cpp is the shortest.
class slotted_policy : public policy {
 public:
  /// @name Types for code that serves all kinds
  /// @{
  using of_kind = slotted_policy;
  using view = slotted_view;
  using orders = slotted_decisions;
  /// @}

  /// Called when a slot begins: the policy decides which jobs have cores in it. Jobs served in the slot before are in
  /// service during the call; those of them that the policy does not serve wait after it.
  virtual void slot_begins(slotted_view cluster, slotted_decisions& decide) = 0;
  /// Called when a job has joined the queue.
  virtual void arrived(const job&, slotted_view, slotted_decisions&) {}
  /// Called when a job is complete; it leaves.
  virtual void completed(const job&, slotted_view, slotted_decisions&) {}
  /// Called when a job's deadline has passed before it was complete; it leaves.
  virtual void expired(const job&, slotted_view, slotted_decisions&) {}
  /// Called when a server of the group has been repaired, and is idle.
  virtual void repaired(group_id, slotted_view, slotted_decisions&) {}
  /// Called at the time requested by decisions::wake_at(). Among the events of an instant this one follows completions,
  /// faults, deadlines and arrivals, so that the policy sees them all, and precedes the beginning of a slot, so that
  /// what is decided here holds for it. Several at one instant come in the order of the requests.
  /// @param cookie as given to wake_at()
  virtual void woken([[maybe_unused]] std::uint32_t cookie, slotted_view, slotted_decisions&) {}
};

}  // namespace muster
