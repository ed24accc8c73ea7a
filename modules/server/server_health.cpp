#include "muster/modules/server/server_health.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace muster {

using namespace tlm;

server_health::server_health(timekeeper& time, std::uint32_t servers, fault_clock& faults, slice_bank& slices,
                             slice_observer& observer)
    : time_(time), faults_(faults), slices_(slices), observer_(observer), servers_(servers) {}

void server_health::start() {
  for (std::uint32_t n = 0; n < servers_.size(); ++n) arm(n, faults_.to_failure(n));
}

// Arms the timer of the next failure or repair. One beyond the range of the clock never comes.
void server_health::arm(std::uint32_t n, ticks after) {
  if (!beyond_clock(time_.now(), after)) time_.arm(time_.now() + after, timer_rank::fault | n, *this, n);
}

void server_health::expired(ticks now, std::uint32_t n) {
  if (servers_[n].failed || servers_[n].drains)
    repair(n, now);
  else if (faults_.drains(n))
    drain(n);
  else
    fail(n, now);
}

void server_health::fail(std::uint32_t n, ticks now) {
  const bool was_out = servers_[n].is_out();
  servers_[n].failed = true;
  leave(n, was_out, true, now);
  arm(n, faults_.to_repair(n));
}

// Lets a server drain: to the scheduler it is down, and its slices go on.
void server_health::drain(std::uint32_t n) {
  const bool was_out = servers_[n].is_out();
  servers_[n].drains = true;
  leave(n, was_out, false, time_.now());
  arm(n, faults_.to_repair(n));
}

void server_health::repair(std::uint32_t n, ticks now) {
  servers_[n].failed = servers_[n].drains = false;
  come_back(n, now);
  arm(n, faults_.to_failure(n));
  if (!servers_[n].is_out()) answer_watcher(n);
}

void server_health::withdraw(std::uint32_t n, bool at_once) {
  const bool was_out = servers_[n].is_out();
  servers_[n].withdrawn = true;
  servers_[n].at_once = servers_[n].at_once || at_once;
  leave(n, was_out, at_once, time_.now());
}

void server_health::restore(std::uint32_t n) {
  state& s = servers_[n];
  if (!std::exchange(s.withdrawn, false)) return;
  s.at_once = false;
  come_back(n, time_.now());
  if (!s.is_out()) answer_watcher(n);
}

// Lets a server leave service. The watcher is answered first, so that the scheduler does not use the cores of the
// slices that end.
void server_health::leave(std::uint32_t n, bool was_out, bool goes_down, ticks now) {
  state& s = servers_[n];
  const bool falls = goes_down && !std::exchange(s.down, true);
  if (falls) {
    s.since = now;
    ++s.failures;
  }
  if (!was_out) answer_watcher(n);
  if (!falls) return;
  slices_.lose_all(n, now);
  slices_.set_down(n, true);
  s.cores = slices_.cores().take(n, slices_.cores().cores_each(), server_down | n);
}

// Gives the cores of a server back that neither its clock nor a request keeps down.
void server_health::come_back(std::uint32_t n, ticks now) {
  state& s = servers_[n];
  if (s.failed || s.at_once || !std::exchange(s.down, false)) return;
  s.down_time += now - s.since;
  slices_.cores().put_back(n, s.cores, s.since, now);
  slices_.set_down(n, false);
}

ticks server_health::down_time(std::uint32_t n, ticks now) const {
  const state& s = servers_[n];
  return s.down_time + (s.down ? now - s.since : 0);
}

bool server_health::watch(std::uint32_t n, bool until_failed, tlm_generic_payload& p) {
  state& s = servers_[n];
  if (s.is_out() == until_failed) return false;
  if (s.watcher) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return false;
  }
  p.set_response_status(TLM_INCOMPLETE_RESPONSE);
  s.watcher = &p;
  return true;
}

std::size_t server_health::watchers() const {
  return static_cast<std::size_t>(
      std::count_if(servers_.begin(), servers_.end(), [](const state& s) { return s.watcher != nullptr; }));
}

void server_health::answer_watcher(std::uint32_t n) {
  tlm_generic_payload* p = std::exchange(servers_[n].watcher, nullptr);
  if (!p) return;
  std::memcpy(p->get_data_ptr(), &servers_[n].failures, sizeof servers_[n].failures);
  observer_.slice_ended(*p, true);
}

}  // namespace muster
