#include <cstring>

#include "muster/modules/server/server.h"

// The server and its faults: it fails whatever it does, and is repaired.

namespace muster {

using namespace tlm;

void server::start_of_simulation() {
  for (std::uint32_t n = 0; n < health_.size(); ++n) arm_fault(n, faults_->to_failure(n));
}

// The next failure or repair.
void server::arm_fault(std::uint32_t n, ticks after) {
  time_.arm(time_.now() + std::min(after, end_of_clock), timer_rank::fault | n, *this, of_health | n);
}

void server::fault_timer_expired(ticks now, std::uint32_t n) {
  if (health_[n].down)
    repair(n, now);
  else
    fail(n, now);
}

// Those who watch are told first, so that the scheduler gives no core out again that a slice leaves behind.
void server::fail(std::uint32_t n, ticks now) {
  health_[n].down = true;
  health_[n].since = now;
  ++health_[n].failures;
  answer_watcher(n);
  const std::uint32_t cores_each = core_count() / count_;
  for (core_ledger::core c = n * cores_each; c < (n + 1) * cores_each; ++c)
    if (cores_.holder(c) != core_ledger::nobody) lose_slice(cores_.holder(c), now);
  health_[n].cores = cores_.take(n, cores_each, of_health | n);
  arm_fault(n, faults_->to_repair(n));
}

void server::repair(std::uint32_t n, ticks now) {
  health& h = health_[n];
  h.down = false;
  h.down_time += now - h.since;
  cores_.put_back(n, h.cores, h.since, now);
  arm_fault(n, faults_->to_failure(n));
  answer_watcher(n);
}

void server::lose_slice(std::uint32_t index, ticks now) {
  if (slices_[index].at == stage::saving)
    time_.cancel(slices_[index].timer);
  else
    cease(index);
  end(index, slice_extension::end::failed, now);
}

ticks server::down_time(std::uint32_t core, ticks now) const {
  if (!faults_) return 0;
  const health& h = health_[core / (core_count() / count_)];
  return h.down_time + (h.down ? now - h.since : 0);
}

std::size_t server::watchers() const {
  std::size_t open = 0;
  for (const health& h : health_) open += h.watcher ? 1 : 0;
  return open;
}

// A read that was answered, but asks for a change that has not come.
bool server::awaits_change(tlm_generic_payload& p, std::uint64_t address) {
  const std::uint64_t offset = address % server_register::stride;
  if (offset != server_register::until_failed && offset != server_register::until_repaired) return false;
  if (!p.is_response_ok()) return false;
  health& h = health_[address / server_register::stride];
  if (h.down == (offset == server_register::until_failed)) return false;
  if (h.watcher) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
    return false;
  }
  p.set_response_status(TLM_INCOMPLETE_RESPONSE);
  h.watcher = &p;
  return true;
}

void server::answer_watcher(std::uint32_t n) {
  tlm_generic_payload* p = std::exchange(health_[n].watcher, nullptr);
  if (!p) return;
  std::memcpy(p->get_data_ptr(), &health_[n].failures, sizeof health_[n].failures);
  p->set_response_status(TLM_OK_RESPONSE);
  responses_.pass(*p, [this](tlm_generic_payload& next) { return respond(next); });
}

}  // namespace muster
