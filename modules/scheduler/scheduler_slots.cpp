#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "muster/modules/scheduler/policy_call.h"
#include "muster/modules/scheduler/scheduler.h"

// The scheduler and slotted jobs: cores are given out anew for every slot.

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

// A policy may hold jobs back, but one that serves nobody at all would never come to an end.
constexpr std::uint64_t most_idle_slots = 100'000;

std::uint64_t deadline_of(const tlm_generic_payload& p) {
  std::uint64_t slot;
  std::memcpy(&slot, p.get_data_ptr() + sizeof(job_descriptor), sizeof slot);
  return slot;
}

std::vector<double> gains_of(const tlm_generic_payload& p) {
  constexpr std::size_t before = sizeof(job_descriptor) + sizeof(std::uint64_t);
  std::vector<double> gains((p.get_data_length() - before) / sizeof(double));
  if (!gains.empty()) std::memcpy(gains.data(), p.get_data_ptr() + before, gains.size() * sizeof(double));
  return gains;
}

// In ticks of one core.
ticks work_left(const job_extension& j, ticks now) {
  return static_cast<ticks>(std::llround(j.pool->remaining_at(now)));
}

}  // namespace

void scheduler::set_slots(ticks length) {
  check_before_elaboration("set_slots()");
  if (length == 0) misuse("set_slots(): a slot of 0 ticks; expected a length > 0");
  slots_.length = length;
  slots_.set = true;
  slots_.next = time_.add_recurring(timer_rank::slot, *this, slot_cookie);
  slots_.next_change = time_.add_recurring(timer_rank::slot, *this, turn_cookie);
}

bool scheduler::fits_slots(const tlm_generic_payload& p, const job_descriptor& work) const {
  const job_class& type = state_.type(static_cast<class_id>(work.type));
  const std::uint64_t deadline = deadline_of(p);
  if (work.size % slots_.length != 0 || work.size / slots_.length > ~std::uint32_t{0}) return false;
  if (type.worth && work.size / slots_.length != type.worth->units()) return false;
  if (deadline >= end_of_clock / slots_.length) return false;
  utility_sum sum = 0;
  for (const double gain : gains_of(p)) {
    if (!(gain >= 0.0 && std::isfinite(gain))) return false;
    sum += gain;
  }
  return std::isfinite(static_cast<double>(sum));
}

void scheduler::begin_progress(job_extension& j) {
  fresh_pool(j);
  if (!j.slots) j.slots = std::make_unique<job_extension::slotting>();
  job_extension::slotting& s = *j.slots;
  const job_class& type = state_.type(j.type);
  s.worth = type.worth ? type.worth.get() : &s.own.emplace(gains_of(*j.transaction));
  s.done = 0;
  s.left = s.worth->units();
  s.last_slot = deadline_of(*j.transaction);
  s.deadline = slots_.deadlines_visible ? s.last_slot : 0;
  s.held = 0;
  s.place = slot_plan::nowhere;
  s.preemptions = 0;
  s.begun = false;
  s.expired = false;
  s.earned = 0;
  s.due = 0.0;
  j.units = &s;
}

// Whether the last slot in which the job may be served has begun without it, as where it was long on its way. A slot
// whose beginning the scheduler has yet to attend to has not begun.
bool scheduler::comes_too_late(const job_extension& j) const {
  const std::uint64_t last = j.slots->last_slot;
  if (last == 0 || last >= slot_of(time_.now())) return false;
  return last * slots_.length <= time_.now() || !deciding_ || !deciding_->begins_slot();
}

// It expires like any other, at its deadline or now, whichever is later.
void scheduler::turn_away(job_extension& j) {
  too_late_.push_back(&j);
  defer(std::max(time_.now(), j.slots->last_slot * slots_.length), timer_rank::deadline | j.id,
        &scheduler::leave_unserved, *j.transaction);
}

void scheduler::leave_unserved(tlm_generic_payload& p) {
  job_extension& j = *p.get_extension<job_extension>();
  too_late_.erase(std::find(too_late_.begin(), too_late_.end(), &j));
  j.slots->expired = true;
  ++completed_;
  answer(j, TLM_GENERIC_ERROR_RESPONSE);
}

void scheduler::enter_slots(job_extension& j) {
  job_extension::slotting& s = *j.slots;
  state_.join(j);
  const ticks now = time_.now();
  if (s.last_slot != 0)
    s.expiry = defer(std::max(now, s.last_slot * slots_.length), timer_rank::deadline | j.id,
                     &scheduler::deadline_passed, *j.transaction);
  if (!slots_.next_awaited) {
    slots_.next_awaited = true;
    time_.set(slots_.next, (slot_of(now) - 1) * slots_.length);
  }
}

void scheduler::slot_moves_on(ticks now, std::uint32_t cookie) {
  if (cookie == slot_cookie)
    begin_slot(now);
  else
    change_cores(now);
}

// A scheduler that takes its time may come to it late, or not before the next one has begun.
void scheduler::begin_slot(ticks now) {
  slots_.next_awaited = false;
  slots_.began = now / slots_.length * slots_.length;
  slots_.owed.clear();
  const unsigned cores = take_stock(now);
  if (!state_.anyone_waits() && state_.in_service() == 0) return;
  slots_.plan.begin(cores);
  state_.set_slot_cores(cores);
  slots_.planned_now = true;
  if (deciding_) deciding_->seen = state_.jobs_handed_out();
  call_policy("slot_begins()", [&] { policy_->slot_begins(state_, *this); });
  slots_.planned_now = false;
  if (deciding_) deciding_->served = slots_.plan.entries().size();
  after_policy();
  carry_out_plan();
  check_for_idle_slots();
  slots_.next_awaited = true;
  time_.set(slots_.next, slots_.began + slots_.length);
}

// Who has been served in the slot before, and how far they have come.
// @return cores that can be given out: the idle ones and theirs
unsigned scheduler::take_stock(ticks now) {
  slots_.served.clear();
  for (const class_id id : state_.classes())
    for (const job* j = state_.running(id); j; j = j->behind)
      if (j->where == job::place::in_service) slots_.served.push_back(&extension_of(*j));
  // Of these the word may still be on its way.
  const auto complete = std::stable_partition(slots_.served.begin(), slots_.served.end(),
                                              [](const job_extension* j) { return !j->pool->done(); });
  for (auto done = complete; done != slots_.served.end(); ++done) depart(**done, false);
  slots_.served.erase(complete, slots_.served.end());
  unsigned cores = 0;
  for (const group_id group : id_range<group_id>{groups_.size()}) cores += state_.free_in(group);
  for (job_extension* j : slots_.served) {
    look_at_progress(*j, now);
    cores += j->slots->held;
  }
  return cores;
}

// The policy shares core time out as if ticks could be divided: to it the job has done what was due to it. It is not
// complete, so that something is left.
void scheduler::look_at_progress(job_extension& j, ticks now) {
  const ticks left = work_left(j, now);
  constexpr double something = 1e-3;
  const double after_due = std::max(static_cast<double>(left) - j.slots->due, something);
  j.slots->left = after_due / static_cast<double>(slots_.length);
  j.slots->done = units_done(j, left);
}

std::uint32_t scheduler::units_done(const job_extension& j, ticks work_left) const {
  const ticks under_way_or_to_come = (work_left + slots_.length - 1) / slots_.length;
  return j.slots->worth->units() - static_cast<std::uint32_t>(under_way_or_to_come);
}

void scheduler::serve(const job& slotted, double units) {
  const auto refuse = [&](const std::string& why) {
    fault(fmt::format("the policy served job {} in a slot, {}", slotted.id, why));
  };
  if (jobs_ != progress::slotted) refuse("but its jobs are not slotted");
  if (!slots_.planned_now) refuse("but none begins");
  if (slotted.where != job::place::waiting && slotted.where != job::place::in_service) refuse("which has left");
  if (!(units > 0.0)) refuse(fmt::format("with {} units of core time", units));
  if (!slots_.plan.give(extension_of(slotted), units))
    refuse(fmt::format("with {} units of core time more than the slot's {} cores have", units, state_.slot_cores()));
}

// First all cores are taken that somebody loses, then all are given.
void scheduler::carry_out_plan() {
  slots_.plan.lay_out(slots_.length, slots_.began / slots_.length + 1);
  auto& entries = slots_.plan.entries();
  for (job_extension* j : slots_.served) {
    if (j->slots->place != slot_plan::nowhere) {
      take_cores_from(j->slots->place);
      continue;
    }
    ++j->slots->preemptions;
    j->slots->held = 0;
    stop_slices(*j);
    state_.stand_back(*j);
  }
  for (const slot_plan::entry& e : entries) {
    if (e.who->where != job::place::waiting) continue;
    if (!e.who->slots->begun) begin_service(*e.who);
    e.who->slots->begun = true;
    state_.enter_service(*e.who);
  }
  for (std::uint32_t place = 0; place < entries.size(); ++place) give_cores_to(place);
  slots_.changes_made = 0;
  await_change();
}

// Served is who has a core: shares of core time may be less than a tick.
void scheduler::check_for_idle_slots() {
  if (outstanding_slices() > 0 || !down_.empty())
    slots_.idle = 0;
  else if (++slots_.idle == most_idle_slots)
    fault(fmt::format("the policy has served nobody in {} slots while jobs waited", most_idle_slots));
}

void scheduler::await_change() {
  const auto& changes = slots_.plan.changes();
  if (slots_.changes_made < changes.size())
    time_.set(slots_.next_change, std::max(time_.now(), slots_.began + changes[slots_.changes_made].at));
}

// Of the cores that jobs share within the slot.
void scheduler::change_cores(ticks now) {
  const auto& changes = slots_.plan.changes();
  for (std::size_t& made = slots_.changes_made; made < changes.size() && slots_.began + changes[made].at <= now;
       ++made) {
    const slot_plan::change& c = changes[made];
    slot_plan::entry& e = slots_.plan.entries()[c.place];
    if (c.cores > 0) {
      ++e.cores;
      give_cores_to(c.place);
    } else {
      --e.cores;
      take_cores_from(c.place);
    }
  }
  await_change();
}

void scheduler::take_cores_from(std::uint32_t place) {
  const slot_plan::entry& e = slots_.plan.entries()[place];
  if (!e.who || e.who->pool->done() || e.who->slots->held <= e.cores) return;
  const std::uint32_t surplus = e.who->slots->held - e.cores;
  e.who->slots->held = e.cores;
  stop_slices(*e.who, surplus);
}

// Cores that save somebody's state come later.
void scheduler::give_cores_to(std::uint32_t place) {
  const slot_plan::entry& e = slots_.plan.entries()[place];
  if (!e.who || e.who->slots->held >= e.cores) return;
  const pooled_work::joint_change all_at_once(*e.who->pool);
  while (e.who && !e.who->pool->done() && e.who->slots->held < e.cores) {
    const auto core = core_for(*e.who);
    if (!core) {
      slots_.owed.push_back(place);
      return;
    }
    ++e.who->slots->held;
    dispatch_pooled(*e.who, *core);
  }
}

// Where its state is, if it can be; none if no core is idle.
std::optional<scheduler::placement> scheduler::core_for(const job_extension& j) const {
  const auto& known = j.pool->state_at;
  for (auto at = known.rbegin(); at != known.rend(); ++at) {
    const auto group = static_cast<group_id>(*at >> 32);
    const auto server = static_cast<std::uint32_t>(*at);
    if (idle_cores(group, server) > 0) return placement{group, server, 1};
  }
  for (const group_id group : state_.type(j.type).groups)
    if (state_.free_in(group) > 0) return placement{group, free_server(group), 1};
  return std::nullopt;
}

// A slice of a slotted job has ended: its core is idle.
void scheduler::core_left(tlm_generic_payload& p) {
  job_extension& j = *slices_.extension(p).holder;
  const bool by_itself = !slices_.extension(p).stop_sent;
  const ticks ran = slices_.extension(p).ran;
  const ended_slice slice = unlink(p);
  if (by_itself && j.slots->held > 0) --j.slots->held;
  if (by_itself && slice.failed) core_failed(j, ran);
  // A job may be done by cores that were to be taken from it, or from which the word comes late.
  const bool shared = j.pool->done();  // all its cores know
  if ((slice.completed || shared) && j.where != job::place::leaving) {
    if (!shared) j.pool->declare_done();
    depart(j, false);
    if (!shared) stop_slices(j, j.open_slices, server_register::release);
  }
  if (slice.holds_state && !j.pool->done()) {  // the latest last, also where it has been there before
    auto& known = j.pool->state_at;
    known.erase(std::remove(known.begin(), known.end(), slice.server), known.end());
    known.push_back(slice.server);
  }
  --j.open_slices;
  answer_if_left(j);
  if (slots_.owed.empty()) return;
  const std::uint32_t place = slots_.owed.back();
  slots_.owed.pop_back();
  give_cores_to(place);
}

void scheduler::deadline_passed(tlm_generic_payload& p) {
  job_extension& j = *p.get_extension<job_extension>();
  j.slots->last_slot = 0;  // nothing is left to call off
  const bool in_time = j.pool->done();
  depart(j, !in_time);
  if (j.open_slices == 0)
    answer_if_left(j);
  else if (!in_time)
    stop_slices(j, j.open_slices, server_register::release);  // with the last one the job is answered
}

// The job leaves the queue, and its cores in their own time. The policy still sees it as it did last.
void scheduler::depart(job_extension& j, bool expired) {
  job_extension::slotting& s = *j.slots;
  s.expired = expired;
  s.earned = s.worth->of(units_done(j, work_left(j, time_.now())));
  if (s.last_slot != 0) call_off(s.expiry);
  if (deciding_) forget_deadline(j);
  slots_.plan.forget(j);
  if (j.where == job::place::waiting) state_.enter_service(j);
  j.where = job::place::leaving;
  if (expired)
    call_policy("expired()", [&] { policy_->expired(j, state_, *this); });
  else
    call_policy("completed()", [&] { policy_->completed(j, state_, *this); });
  after_policy();
  s.held = 0;
}

void scheduler::answer_if_left(job_extension& j) {
  if (j.where != job::place::leaving || j.open_slices > 0) return;
  state_.leave(j);
  ++completed_;
  answer(j, j.slots->expired ? TLM_GENERIC_ERROR_RESPONSE : TLM_OK_RESPONSE);
}

}  // namespace muster
