#include "muster/modules/scheduler/services/slotted_service.h"

#include <algorithm>

#include <fmt/format.h>

#include "muster/modules/scheduler/ports/slotted_submission.h"
#include "muster/policies/catalogue.h"

namespace muster {

using namespace tlm;

namespace {

constexpr std::uint32_t next_slot = 0, next_change = 1;  // cookies of the recurring timers

// Slots in a row in which no job is served. A policy may leave cores idle, but with one that never serves a job the run
// would not end.
constexpr std::uint64_t most_idle_slots = 100'000;

// Slots in a row in which no job makes progress. A run would not end with costs that take all the core time that a
// policy gives.
constexpr std::uint64_t most_stalled_slots = 1'000;

// The work that is left of a job, in ticks of one core; at least one until it is complete, as a slow core may need
// several for the last part of a tick.
ticks work_left(const job_extension& j, ticks now) {
  return j.own.allocation->done() ? 0 : std::max<ticks>(1, nearest_ticks(j.own.allocation->remaining_at(now)));
}

}  // namespace

slotted_service::slotted_service(const scheduler_parts& parts, slotted_policy& rules, ticks slot)
    : service_for(parts, rules),
      allocations_(parts),
      length_(slot),
      slot_(parts, allocations_, slot),
      deadlines_visible_(entry_.sees_deadlines),
      next_(time_.add_recurring(timer_rank::slot, *this, next_slot)),
      next_change_(time_.add_recurring(timer_rank::slot, *this, next_change)) {}

bool slotted_service::has_length(const job_descriptor& work, std::uint64_t behind) const {
  const job_class& type = state_.type(static_cast<class_id>(work.type));
  // More units than that are refused; the limit keeps the sum below from overflowing.
  const std::uint64_t gains = type.worth ? 0 : std::min<std::uint64_t>(work.size / length_, ~std::uint32_t{0});
  return behind == sizeof(std::uint64_t) + gains * sizeof(double);
}

bool slotted_service::accepts(const tlm_generic_payload& p, const job_descriptor& work) const {
  const job_class& type = state_.type(static_cast<class_id>(work.type));
  if (work.size % length_ != 0 || work.size / length_ > ~std::uint32_t{0}) return false;
  if (type.worth && work.size / length_ != type.worth->units()) return false;
  return submitted_deadline(p) < end_of_clock / length_ && are_gains_of_a_utility(submitted_gains(p));
}

void slotted_service::expired(ticks, std::uint32_t cookie) {
  events_->happens(cookie == next_slot ? scheduler_event::slot_begins : scheduler_event::cores_change, nullptr);
}

void slotted_service::deadline_timers::happens(scheduler_event kind, tlm_generic_payload* transaction) {
  job_of(*transaction).own.progress->last_slot = 0;
  service.events_->happens(kind, transaction);
}

void slotted_service::job_arrives(job_extension& j) {
  begin_progress(j);
  if (comes_too_late(j)) {
    turn_away(j);
    return;
  }
  wait_for_slot(j);
  ask_policy("arrived()", [&] { policy_.arrived(j, view_, *this); });
}

void slotted_service::begin_progress(job_extension& j) {
  allocations_.begin(j);
  if (!j.own.progress) j.own.progress = std::make_unique<slotted_progress>();
  if (!j.slots) j.slots = std::make_unique<slotted_report>();
  slotted_progress& s = *j.own.progress;
  const job_class& type = state_.type(j.type);
  s = {};
  *j.slots = {};
  s.worth = type.worth ? type.worth.get() : &s.own.emplace(submitted_gains(*j.transaction));
  s.left = s.worth->units();
  s.work_seen = j.descriptor.size;
  s.last_slot = submitted_deadline(*j.transaction);
  s.deadline = deadlines_visible_ ? s.last_slot : 0;
  s.place = slot_plan::nowhere;
  j.units = &s;
}

// Whether the last slot in which the job may be served had begun when the job arrived. A slot whose beginning still
// waits to be processed has not begun.
bool slotted_service::comes_too_late(const job_extension& j) const {
  const std::uint64_t last = j.own.progress->last_slot;
  if (last == 0 || last >= slot_of(time_.now())) return false;
  return last * length_ <= time_.now() || !orders_->slot_waits();
}

// Turns a job away that comes too late. It expires at its deadline or now, whichever is later.
void slotted_service::turn_away(job_extension& j) {
  too_late_.push_back(&j);
  parts_.deferred.defer(std::max(time_.now(), j.own.progress->last_slot * length_), timer_rank::deadline | j.id, *this,
                        scheduler_event::unserved_job_ends, *j.transaction);
}

void slotted_service::leave_unserved(job_extension& j) {
  too_late_.erase(std::find(too_late_.begin(), too_late_.end(), &j));
  j.slots->expired = true;
  ++completed_;
  parts_.submissions.answer(j, TLM_GENERIC_ERROR_RESPONSE);
}

void slotted_service::wait_for_slot(job_extension& j) {
  slotted_progress& s = *j.own.progress;
  state_.join(j);
  const ticks now = time_.now();
  if (s.last_slot != 0)
    s.expiry = parts_.deferred.defer(std::max(now, s.last_slot * length_), timer_rank::deadline | j.id, deadlines_,
                                     scheduler_event::deadline_passes, *j.transaction);
  if (!next_awaited_) {
    next_awaited_ = true;
    time_.set(next_, (slot_of(now) - 1) * length_);
  }
}

// Begins a slot. Where decisions take time, this may be called late, even after the end of the slot.
void slotted_service::slot_begins() {
  const ticks now = time_.now();
  next_awaited_ = false;
  slot_.begin_slot(now / length_ * length_);
  const unsigned cores = collect_progress(now);
  if (!state_.anyone_waits() && state_.in_service() == 0) return;
  slot_.plan().begin(cores);
  state_.set_slot_cores(cores);
  planning_ = true;
  examined_.handed_out_before = state_.jobs_handed_out();
  call_policy("slot_begins()", [&] { policy_.slot_begins(view_, *this); });
  planning_ = false;
  examined_.served = slot_.plan().entries().size();
  after_policy();
  carry_out_plan();
  check_for_idle_slots();
  next_awaited_ = true;
  time_.set(next_, slot_.began() + length_);
}

// Collects the jobs that were served in the slot before, and notes how far each has come.
// @return cores that can be given out: idle ones, and those that these jobs hold
unsigned slotted_service::collect_progress(ticks now) {
  served_.clear();
  for (const class_id id : state_.classes())
    for (const job* j = state_.running(id); j; j = j->behind)
      if (j->where == job::place::in_service) served_.push_back(&extension_of(*j));
  // A job may be complete while the responses of its slices are still on their way.
  const auto complete = std::stable_partition(served_.begin(), served_.end(),
                                              [](const job_extension* j) { return !j->own.allocation->done(); });
  for (auto done = complete; done != served_.end(); ++done) depart(**done, false);
  served_.erase(complete, served_.end());
  bool progress = false;
  unsigned cores = 0;
  for (const group_id group : id_range<group_id>{parts_.groups.size()}) cores += state_.free_in(group);
  for (job_extension* j : served_) {
    progress = note_progress(*j, now) || progress;
    cores += j->own.progress->held;
  }
  check_for_progress(progress);
  return cores;
}

// Counts slots without progress. Those in which no core was taken from a job before it came to work do not count: a
// set-up may take many of them.
void slotted_service::check_for_progress(bool any) {
  if (any || departed_ != departed_before_) {
    stalled_slots_ = 0;
    departed_before_ = departed_;
  } else if (in_vain_ && ++stalled_slots_ == most_stalled_slots) {
    stalls().report(
        fmt::format("all core time that jobs got in {} slots has gone into overhead, and none into work; "
                    "expected slots that are longer than what a new core costs, and than a decision",
                    most_stalled_slots));
  }
  in_vain_ = false;
}

// Notes how far a job has come. Policies give core time as if ticks could be divided: in the view, the job has got all
// core time that was due to it, although a part of a tick may still be missing. A positive amount of work is left, as
// the job is not complete.
// @return whether less work is left than when the slot before began
bool slotted_service::note_progress(job_extension& j, ticks now) {
  const ticks left = work_left(j, now);
  constexpr double least = 1e-3;  // in ticks
  const double core_time = static_cast<double>(left) / j.own.allocation->rate_of_a_worker();
  const double after_due = std::max(core_time - j.own.progress->due, least);
  j.own.progress->left = after_due / static_cast<double>(length_);
  j.own.progress->done = units_done(j, left);
  const bool less = left < j.own.progress->work_seen;
  j.own.progress->work_seen = left;
  return less;
}

// Notes the core time that a slice had and did not work in: until its first work, and after its last. The former is not
// known where the job lost the core before it worked. It is taken as twice as much, so that few attempts suffice. A
// core that a late decision gives and takes at one instant was held in vain, too.
void slotted_service::note_overhead(job_extension& j, const slice_extension& ended) {
  const ticks held = time_.now() - ended.booked;
  if (ended.ended == slice_extension::end::failed) return;
  in_vain_ = in_vain_ || !ended.worked || ended.ran == 0;
  if (held <= ended.ran) return;
  const ticks seen = std::min((held - ended.ran) * (ended.worked ? 1 : 2), length_);
  const double units = static_cast<double>(seen) / static_cast<double>(length_);
  j.own.progress->overhead = std::max(j.own.progress->overhead, units);
}

std::uint32_t slotted_service::units_done(const job_extension& j, ticks work_left) const {
  const ticks under_way_or_to_come = (work_left + length_ - 1) / length_;
  return j.own.progress->worth->units() - static_cast<std::uint32_t>(under_way_or_to_come);
}

void slotted_service::serve(const job& slotted, double units) {
  const auto refuse = [&](const std::string& why) {
    fault(fmt::format("the policy served job {} in a slot, {}", slotted.id, why));
  };
  check_itself(slotted, "served");
  if (!planning_) refuse("but none begins");
  if (slotted.where != job::place::waiting && slotted.where != job::place::in_service) refuse("which has left");
  if (!(units > 0.0)) refuse(fmt::format("with {} units of core time", units));
  if (!slot_.plan().give(extension_of(slotted), units))
    refuse(fmt::format("with {} units of core time more than the slot's {} cores have", units, view_.slot_cores()));
}

// Carries out the plan of the slot: first takes all cores that jobs lose, then gives all cores.
void slotted_service::carry_out_plan() {
  slot_.lay_out();
  for (job_extension* j : served_) {
    if (j->own.progress->place != slot_plan::nowhere) {
      slot_.take_surplus(j->own.progress->place, *orders_);
      continue;
    }
    ++j->preemptions;
    j->own.progress->held = 0;
    allocations_.stop(*j, *orders_);
    state_.preempt_to_tail(*j);
  }
  for (const slot_plan::entry& e : slot_.plan().entries()) {
    if (e.owner->where != job::place::waiting) continue;
    begin_service(*e.owner);
    state_.enter_service(*e.owner);
  }
  slot_.give_missing(*slices_);
  await_change();
}

// Counts slots in which no job is served. A job that has core time may have no core: its share may be less than a tick.
void slotted_service::check_for_idle_slots() {
  if (parts_.dispatches.outstanding() > 0 || cores_.any_down())
    idle_slots_ = 0;
  else if (++idle_slots_ == most_idle_slots)
    fault(fmt::format("the policy has served no job in {} slots while jobs waited", most_idle_slots));
}

void slotted_service::await_change() {
  if (const auto at = slot_.next_change()) time_.set(next_change_, std::max(time_.now(), *at));
}

void slotted_service::cores_change() {
  slot_.make_changes(time_.now(), *slices_, *orders_);
  await_change();
}

// Processes the end of a slice, whose core is idle now.
void slotted_service::slice_ends(tlm_generic_payload& p) {
  const slice_extension& ended = dispatch_port::slice(p);
  cores_.give_back(placement_of(ended));
  job_extension& j = *ended.holder;
  const bool by_itself = !ended.stop_sent;
  const ticks ran = ended.ran;
  const std::optional<ticks> done = ended.done_in_slot ? std::optional{ended.done} : std::nullopt;
  note_overhead(j, ended);
  const allocations::ended_slice slice = allocations_.remove(p);
  if (by_itself && j.own.progress->held > 0) --j.own.progress->held;
  if (by_itself && slice.failed) core_failed(j, ran, done);
  // The job may have been completed by a core that was being stopped, or by one whose response comes late.
  const bool shared = j.own.allocation->done();  // all its slices end by themselves
  if ((slice.completed || shared) && j.where != job::place::leaving) {
    if (!shared) j.own.allocation->declare_done();
    depart(j, false);
    if (!shared) allocations_.stop(j, *orders_, j.own.open_slices, server_register::release);
  }
  if (slice.holds_state &&
      !j.own.allocation->done()) {  // the latest server goes to the end, also where it is listed already
    auto& known = j.own.allocation->state_at;
    known.erase(std::remove(known.begin(), known.end(), slice.server), known.end());
    known.push_back(slice.server);
  }
  --j.own.open_slices;
  answer_if_left(j);
  slot_.core_becomes_idle(*slices_);
}

// Takes back what a failed core has done in the slot. Work of earlier slots is kept. The job may get another idle core.
// @param done what it has done; nothing: as much as it ran for, at speed 1
void slotted_service::core_failed(job_extension& j, ticks ran, std::optional<ticks> done) {
  if (j.where != job::place::in_service || j.own.allocation->done()) return;
  const ticks in_slot = std::min(time_.now() - slot_.began(), length_);
  j.own.allocation->put_back(done.value_or(std::min(ran, in_slot)));
  if (j.times) j.times->lose_last_core(std::min(ran, in_slot));
  slot_.replace_core(j);
}

void slotted_service::deadline_passed(job_extension& j) {
  j.own.progress->last_slot = 0;  // its timer has expired
  const bool in_time = j.own.allocation->done();
  depart(j, !in_time);
  if (j.own.open_slices == 0)
    answer_if_left(j);
  else if (!in_time)
    allocations_.stop(j, *orders_, j.own.open_slices,
                      server_register::release);  // the job is answered when the last one has ended
}

// Lets a job leave the queue; its slices may end later. The policy sees its progress as of the latest slot's beginning.
void slotted_service::depart(job_extension& j, bool expired) {
  slotted_progress& s = *j.own.progress;
  j.slots->expired = expired;
  ++departed_;
  j.slots->earned = s.worth->of(units_done(j, work_left(j, time_.now())));
  if (s.last_slot != 0) parts_.deferred.cancel(s.expiry);
  orders_->forget_deadline(j);
  slot_.plan().forget(j);
  if (j.where == job::place::waiting) state_.enter_service(j);
  j.where = job::place::leaving;
  if (expired)
    ask_policy("expired()", [&] { policy_.expired(j, view_, *this); });
  else
    ask_policy("completed()", [&] { policy_.completed(j, view_, *this); });
  s.held = 0;
}

void slotted_service::answer_if_left(job_extension& j) {
  if (j.where != job::place::leaving || j.own.open_slices > 0) return;
  state_.leave(j);
  ++completed_;
  parts_.submissions.answer(j, j.slots->expired ? TLM_GENERIC_ERROR_RESPONSE : TLM_OK_RESPONSE);
}

}  // namespace muster
