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
  if (servers_[n].down || servers_[n].drains)
    repair(n, now);
  else if (faults_.drains(n))
    drain(n);
  else
    fail(n, now);
}

// Lets a server fail. The watcher is answered first, so that the scheduler does not use the cores of the slices that
// end.
void server_health::fail(std::uint32_t n, ticks now) {
  state& s = servers_[n];
  s.down = true;
  s.since = now;
  ++s.failures;
  answer_watcher(n);
  slices_.lose_all(n, now);
  s.cores = slices_.cores().take(n, slices_.cores().cores_each(), server_down | n);
  arm(n, faults_.to_repair(n));
}

// Lets a server drain: to the scheduler it is down, and its slices go on.
void server_health::drain(std::uint32_t n) {
  servers_[n].drains = true;
  answer_watcher(n);
  arm(n, faults_.to_repair(n));
}

void server_health::repair(std::uint32_t n, ticks now) {
  state& s = servers_[n];
  s.drains = false;
  if (std::exchange(s.down, false)) {
    s.down_time += now - s.since;
    slices_.cores().put_back(n, s.cores, s.since, now);
  }
  arm(n, faults_.to_failure(n));
  answer_watcher(n);
}

ticks server_health::down_time(std::uint32_t n, ticks now) const {
  const state& s = servers_[n];
  return s.down_time + (s.down ? now - s.since : 0);
}

bool server_health::watch(std::uint32_t n, bool until_failed, tlm_generic_payload& p) {
  state& s = servers_[n];
  if ((s.down || s.drains) == until_failed) return false;
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
