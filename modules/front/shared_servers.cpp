#include "muster/modules/front/shared_servers.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "muster/modules/kernel/transaction_pool.h"

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

std::size_t servers_in(const table<group_id, server_group>& groups) {
  std::size_t all = 0;
  for (const server_group& g : groups) all += g.count;
  return all;
}

}  // namespace

shared_servers::shared_servers(const sc_module_name& name, timekeeper& time, const settings& given)
    : interconnect(name, time),
      settings_(given),
      locations_(locations_of(given.groups)),
      held_(servers_in(given.groups)),
      told_(given.schedulers),
      commits_(given.schedulers),
      conflicts_(given.schedulers) {}

void shared_servers::before_end_of_elaboration() {
  const std::size_t banks = bank_count(settings_.groups);
  if (out.size() == banks && in.size() == banks * settings_.schedulers) return;
  const std::string text = fmt::format(
      "'{}': `in` is bound to {} sockets of schedulers and `out` to {} banks; expected {} of {} schedulers, and {}",
      name(), in.size(), out.size(), banks * settings_.schedulers, settings_.schedulers, banks);
  SC_REPORT_ERROR("/muster/shared_servers", text.c_str());
  throw std::runtime_error(text);  // if SystemC's own exception has been disabled
}

// The slice that a transaction dispatches; null: it asks for something else.
slice_extension* shared_servers::slice_of(payload& p) {
  auto* const slice = transaction_pool<slice_extension>::find(p);
  return slice && slice->asks == slice_extension::request::slice ? slice : nullptr;
}

std::uint32_t shared_servers::route(std::uint32_t from, payload& p) {
  const slice_extension* const slice = slice_of(p);
  return slice ? commit(from, p, *slice) : from / settings_.schedulers;
}

std::uint32_t shared_servers::commit(std::uint32_t from, payload& p, const slice_extension& slice) {
  gang_.clear();
  for (payload* const other : held_back_)
    if (slice_of(*other)->holder == slice.holder) gang_.push_back(other);
  if (gang_.size() + 1 < slice.slices) {
    held_back_.push_back(&p);
    return held_here;
  }
  for (payload* const other : gang_) held_back_.erase(std::find(held_back_.begin(), held_back_.end(), other));
  gang_.push_back(&p);
  const std::uint32_t scheduler = from % settings_.schedulers;
  const bool accepted = have_room();
  ++commits_[scheduler];
  if (!accepted) ++conflicts_[scheduler];
  std::vector<payload*> gang;
  gang.swap(gang_);  // what is passed on may bring other slices
  for (payload* const each : gang)
    if (accepted)
      change_by(scheduler, true, cores_of(*slice_of(*each)));
    else
      refuse(*each);
  for (payload* const each : gang) {
    if (each == &p) continue;
    if (accepted)
      pass_held(*each, locations_[slice_of(*each)->group].bank);
    else
      answer_held(*each);
  }
  gang.swap(gang_);  // keeps its memory
  return accepted ? from / settings_.schedulers : answered_here;
}

void shared_servers::refuse(payload& p) {
  slice_extension& slice = *slice_of(p);
  slice.ended = slice_extension::end::refused;
  slice.worked = false;
  p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
}

placement shared_servers::cores_of(const slice_extension& slice) {
  return {slice.group, slice.server, static_cast<std::uint32_t>(slice.descriptor.cores)};
}

// Whether the servers have idle cores for all slices of gang_, of which each is on a server of its own.
bool shared_servers::have_room() const {
  return std::all_of(gang_.begin(), gang_.end(), [this](payload* p) {
    const slice_extension& s = *slice_of(*p);
    return held_[place_of(s.group, s.server)] + s.descriptor.cores <= locations_[s.group].cores;
  });
}

bool shared_servers::responds(std::uint32_t, payload& p) {
  if (const slice_extension* const slice = slice_of(p))
    change_by(source_of(p) % settings_.schedulers, false, cores_of(*slice));
  return true;
}

void shared_servers::change_by(std::uint32_t scheduler, bool taken, const placement& at) {
  std::uint32_t& held = held_[place_of(at.group, at.server)];
  held = taken ? held + at.cores : held - at.cores;
  const ticks now = time().now(), delay = settings_.information_delay;
  const bool ever = !beyond_clock(now, delay);
  changes_.push_back({ever ? now + delay : end_of_clock, scheduler, taken, at});
  if (delay == 0)
    expired(now, 0);
  else if (ever)
    time().arm(now + delay, time().travel_rank(), *this, 0);
}

// Tells the schedulers of the changes whose time has come.
void shared_servers::expired(ticks now, std::uint32_t) {
  std::uint64_t until = forgotten_;
  for (const change& c : changes_) {
    if (c.told > now) break;
    ++until;
  }
  for (std::uint32_t n = 0; n < settings_.schedulers; ++n) tell(n, until);
  forget_told();
}

void shared_servers::catch_up(const holdings_observer& observer) {
  const auto at = std::find(observers_.begin(), observers_.end(), &observer);
  tell(static_cast<std::uint32_t>(at - observers_.begin()), forgotten_ + changes_.size());
  forget_told();
}

// Tells a scheduler of changes. @param until number of the first one of which it is not told
void shared_servers::tell(std::uint32_t scheduler, std::uint64_t until) {
  for (; told_[scheduler] < until; ++told_[scheduler]) {
    const change& c = changes_[static_cast<std::size_t>(told_[scheduler] - forgotten_)];
    if (c.by == scheduler) continue;
    if (c.taken)
      observers_[scheduler]->others_take(c.at);
    else
      observers_[scheduler]->others_give_back(c.at);
  }
}

void shared_servers::forget_told() {
  const std::uint64_t all = *std::min_element(told_.begin(), told_.end());
  for (; forgotten_ < all; ++forgotten_) changes_.pop_front();
}

void shared_servers::call(std::uint32_t from, payload& p, sc_time& delay) {
  out[static_cast<int>(from / settings_.schedulers)]->b_transport(p, delay);
}

unsigned shared_servers::look(std::uint32_t from, payload& p) {
  return out[static_cast<int>(from / settings_.schedulers)]->transport_dbg(p);
}

void shared_servers::list_into(parameter_list& all) const {
  all.add_count(*this, "information_delay", "ticks", "age of what the schedulers know of each other's jobs",
                [this] { return settings_.information_delay; });
  for (std::uint32_t n = 0; n < settings_.schedulers; ++n) {
    all.add_count(*this, fmt::format("commits_{}", n), "jobs", "dispatches of the scheduler, those refused included",
                  [this, n] { return commits_[n]; });
    all.add_count(*this, fmt::format("conflicts_{}", n), "jobs", "dispatches of the scheduler that were refused",
                  [this, n] { return conflicts_[n]; });
  }
}

}  // namespace muster
