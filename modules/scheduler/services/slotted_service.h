#pragma once

#include <optional>
#include <vector>

#include "muster/modules/scheduler/services/service_for.h"
#include "muster/modules/scheduler/services/slot_cores.h"
#include "muster/policies/slotted_policy.h"

namespace muster {

/// The service of slotted jobs. A job has single cores, a slice each, which change at the beginnings of slots. A core
/// that a job keeps works on without interruption. New cores are taken from servers that hold the job's state, where
/// these have an idle one, first from the server that the job has left last, which holds the newest state. A job whose
/// deadline passes is answered with a generic error, and its extension holds its utility. A job that arrives after the
/// beginning of the last slot in which it may be served is answered in the same way; the policy is not told of it.
///
/// When a server fails, a job there loses the core, and the work that the core has done in the slot.
///
/// A slot is an interval between two decisions. In it a core does work of its speed times the time for which it works
/// for the job; overhead takes the time that it takes. A unit is what a core does in a slot at speed 1. It is complete
/// when all cores of its job together have done so much, whatever part of it was done by which of them, in which slot,
/// and a job is complete within a slot, at the tick nearest to the instant at which its work is done. So a slow core
/// may take several slots for a unit, and a fast one may leave a part of the slot idle. The policy gives a job at most
/// as many cores as it has units that are not complete, and is not told of speeds. The core time that the rest of a job
/// takes, see unit_progress::left, is at the speed that its cores had last.
class slotted_service final : public service_for<slotted_policy>, private timer_observer {
 public:
  /// @param slot length of a slot, > 0
  slotted_service(const scheduler_parts& parts, slotted_policy& rules, ticks slot);

  /// Bytes of the deadline and, where the class leaves it to its jobs, of the gain of each unit.
  bool has_length(const job_descriptor& work, std::uint64_t behind) const override;
  bool accepts(const tlm::tlm_generic_payload& p, const job_descriptor& work) const override;
  const std::vector<const job_extension*>& jobs_too_late() const override { return too_late_; }

 private:
  // Marks a job's deadline as expired, when its timer expires: from then on there is no timer to cancel, only an event
  // that may wait.
  struct deadline_timers final : event_observer {
    explicit deadline_timers(slotted_service& whose) : service(whose) {}
    void happens(scheduler_event kind, tlm::tlm_generic_payload* transaction) override;
    slotted_service& service;
  };

  void job_arrives(job_extension& j) override;
  [[gnu::flatten]] void slice_ends(tlm::tlm_generic_payload& p) override;
  void deadline_passed(job_extension& j) override;
  void leave_unserved(job_extension& j) override;
  void slot_begins() override;
  void cores_change() override;
  void serve(const job& slotted, double units) override;
  void expired(ticks now, std::uint32_t cookie) override;

  /// The number, from 1, of the slot that begins at an instant or is under way then.
  std::uint64_t slot_of(ticks at) const { return (at + length_ - 1) / length_ + 1; }
  void begin_progress(job_extension& j);
  bool comes_too_late(const job_extension& j) const;
  void turn_away(job_extension& j);
  void wait_for_slot(job_extension& j);
  unsigned collect_progress(ticks now);
  bool note_progress(job_extension& j, ticks now);
  void note_overhead(job_extension& j, const slice_extension& ended);
  void check_for_progress(bool any);
  std::uint32_t units_done(const job_extension& j, ticks work_left) const;
  void carry_out_plan();
  void check_for_idle_slots();
  void await_change();
  void core_failed(job_extension& j, ticks ran, std::optional<ticks> done);
  void depart(job_extension& j, bool expired);
  void answer_if_left(job_extension& j);

  allocations allocations_;
  deadline_timers deadlines_{*this};
  ticks length_;
  slot_cores slot_;
  bool deadlines_visible_;
  timekeeper::recurring next_, next_change_;
  bool planning_ = false;
  bool next_awaited_ = false;
  std::vector<job_extension*> served_;  // jobs served in the previous slot, while the next one is planned
  std::uint64_t idle_slots_ = 0;        // slots in a row in which jobs waited and none was served
  std::uint64_t stalled_slots_ = 0;     // slots in a row in which cores were held in vain and no job made progress
  bool in_vain_ = false;                // whether a job lost a core in the present slot before it came to work there
  std::uint64_t departed_ = 0, departed_before_ = 0;  // jobs that have left, until now and until the slot began
  std::vector<const job_extension*> too_late_;
};

}  // namespace muster
