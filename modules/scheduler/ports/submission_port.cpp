#include "muster/modules/scheduler/ports/submission_port.h"

#include <cstring>

#include <fmt/format.h>

#include "muster/modules/kernel/register_access.h"

// Submissions by phases, from BEGIN_REQ to END_RESP; for blocking ones see blocking_submission.cpp.

namespace muster {

using namespace sc_core;
using namespace tlm;

submission_port::submission_port(const sc_object& sockets, timekeeper& time, deferred_events& deferred,
                                 const scheduler_registers& registers, std::size_t class_count,
                                 const dispatch_port& servers)
    : sockets_(sockets),
      time_(time),
      deferred_(deferred),
      registers_(registers),
      class_count_(class_count),
      servers_(servers) {}

tlm_sync_enum submission_port::hop::begins(payload& p, tlm_phase& phase, const sc_time& delay) {
  job_extension* const brought = transaction_pool<job_extension>::find(p);
  const bool in_progress = brought ? brought->transaction == &p : response_awaits(p);
  if (in_progress) violated(rule::used_again, phase, p);
  const ticks at = port_->time_.effective(delay);
  const bool is_job = p.get_address() == scheduler_register::doorbell;
  if ((!is_job && port_->access_register(p)) || !port_->check(p, at)) return TLM_COMPLETED;
  if (!p.has_mm()) violated(rule::no_memory_manager, phase, p);
  p.acquire();
  phase = END_REQ;
  port_->accept(p, port_->extension_for(p, brought), number_, at, nullptr);
  return TLM_UPDATED;
}

tlm_response_status submission_port::hop::submit_directly(payload& p, job_extension& j) {
  const ticks now = port_->time_.now();
  if (!port_->is_plain(j.descriptor, now)) {
    const std::size_t length = port_->descriptor_is_all_ ? sizeof j.descriptor : p.get_data_length();
    const tlm_response_status status = port_->status_of(j.descriptor, length, p, now);
    if (status != TLM_OK_RESPONSE) return status;
  }
  j.own.submitter = number_;
  j.transaction = &p;
  port_->arrive(j, now);
  return TLM_OK_RESPONSE;
}

unsigned submission_port::debug(tlm_generic_payload& p) const {
  return read_register_for_debug(p, registers_.value(p.get_address()));
}

// Whether the transaction is a valid submission. An invalid one is answered.
bool submission_port::check(tlm_generic_payload& p, ticks arrival) const {
  const tlm_response_status status = status_of(p, arrival);
  if (status == TLM_OK_RESPONSE) return true;
  p.set_response_status(status);
  return false;
}

tlm_response_status submission_port::status_of(const tlm_generic_payload& p, ticks arrival) const {
  job_descriptor work;
  const bool doorbell = p.get_address() == scheduler_register::doorbell;
  if (!doorbell && !registers_.value(p.get_address())) return TLM_ADDRESS_ERROR_RESPONSE;
  if (!doorbell || !p.is_write()) return TLM_COMMAND_ERROR_RESPONSE;
  if (p.get_byte_enable_ptr()) return TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned length = p.get_data_length();
  if (length < sizeof work || p.get_streaming_width() < length) return TLM_BURST_ERROR_RESPONSE;
  if (!p.get_data_ptr()) return TLM_GENERIC_ERROR_RESPONSE;
  std::memcpy(&work, p.get_data_ptr(), sizeof work);
  return status_of(work, length, p, arrival);
}

// The response status for a descriptor. The payload is accessed for the data behind the descriptor alone.
tlm_response_status submission_port::status_of(const job_descriptor& work, std::size_t length,
                                               const tlm_generic_payload& p, ticks arrival) const {
  if (work.type >= class_count_ || work.size == 0) return TLM_GENERIC_ERROR_RESPONSE;
  if (descriptor_is_all_ ? length != sizeof work : !rules_->has_length(work, length - sizeof work))
    return TLM_BURST_ERROR_RESPONSE;
  if (beyond_clock(arrival, work.size)) return TLM_GENERIC_ERROR_RESPONSE;
  return descriptor_is_all_ || rules_->accepts(p, work) ? TLM_OK_RESPONSE : TLM_GENERIC_ERROR_RESPONSE;
}

// Answers a read of a register, or a withdrawal. @return false: the transaction is none
bool submission_port::access_register(tlm_generic_payload& p) const {
  if (p.is_write() && p.get_address() == scheduler_register::withdrawal && withdrawals_) {
    p.set_response_status(withdraw(p));
    return true;
  }
  if (!p.is_read()) return false;
  const auto value = registers_.value(p.get_address());
  if (!value) return false;
  answer_register_read(p, *value);
  return true;
}

// While a call to a server has not returned, the policy may be at work, and no job is taken from its queues.
tlm_response_status submission_port::withdraw(const tlm_generic_payload& p) const {
  const tlm_response_status status = register_access_status(p);
  if (status != TLM_OK_RESPONSE) return status;
  std::uint64_t most_cores = 0;
  std::memcpy(&most_cores, p.get_data_ptr(), sizeof most_cores);
  const bool taken = !servers_.calling() && withdrawals_->withdraw(most_cores);
  return taken ? TLM_OK_RESPONSE : TLM_GENERIC_ERROR_RESPONSE;
}

// The extension for a payload. That of a plain payload lives from the arrival to the response. An extension that the
// payload brings along may be the clone of another job's: the payload's data say what was submitted.
job_extension& submission_port::extension_for(tlm_generic_payload& p, job_extension* brought) {
  if (brought) {
    brought->own.borrowed = false;
    if (p.get_data_ptr() != reinterpret_cast<unsigned char*>(&brought->descriptor))
      std::memcpy(&brought->descriptor, p.get_data_ptr(), sizeof brought->descriptor);
    return *brought;
  }
  auto* fresh = new job_extension;
  std::memcpy(&fresh->descriptor, p.get_data_ptr(), sizeof fresh->descriptor);
  fresh->own.borrowed = true;
  p.set_extension(fresh);
  return *fresh;
}

void submission_port::accept(tlm_generic_payload& p, job_extension& j, int from, ticks at, sc_event* blocked) {
  j.own.submitter = blocked ? scheduled_job::in_blocking_call : from;
  j.own.blocked = blocked;
  j.transaction = &p;
  if (!time_.at_work()) {
    // A foreign process may be ahead of the kernel's time by up to the global quantum: the place of its jobs among the
    // events of their instant must not depend on when they are announced.
    deferred_.defer(at, hops_[static_cast<std::size_t>(from)].next_rank(), *this, scheduler_event::job_announced, p);
  } else if (at > time_.now() || servers_.calling()) {
    deferred_.defer(at, *this, scheduler_event::job_announced, p);
  } else {
    arrive(j, at);
  }
}

void submission_port::happens(scheduler_event, tlm_generic_payload* announced) {
  arrive(job_of(*announced), time_.now());
}

// A job that has been taken back from another scheduler has arrived there.
void submission_port::arrive(job_extension& j, ticks now) {
  if (!j.stolen) {
    ++arrived_;
    j.id = (*numbered_)++;
    j.arrival = now;
  }
  j.user = job_facts::no_user;
  j.qos = job_facts::no_qos;
  j.estimate = j.descriptor.size & estimated_size_;
  if (descriptor_is_all_)
    j.type = j.declared_class();
  else
    rules_->read_facts(j);
  j.itself = &j;
  j.size = j.descriptor.size & visible_size_;
  j.interruptions = 0;
  j.migrations = 0;
  j.failures = 0;
  j.done = 0;
  j.begun = false;
  to_->job_arrives(j);
}

void submission_port::answer(job_extension& j, tlm_response_status status) {
  if (j.own.submitter == scheduled_job::in_blocking_call) {
    j.transaction->set_response_status(status);
    wake_submitter(j);
  } else {
    hops_[static_cast<std::size_t>(j.own.submitter)].answer(j, status);
  }
}

// Sends BEGIN_RESP for a plain payload. The extension goes with the response; END_RESP may come from within the call
// and end the transaction.
tlm_sync_enum submission_port::hop::call_back_plain(payload& p, tlm_phase& phase, sc_time& delay) {
  job_extension& j = job_of(p);
  p.acquire();
  const tlm_sync_enum answer = transport_->nb_transport_bw(p, phase, delay);
  check_answer(p, answer, phase);
  p.clear_extension(&j);
  delete &j;
  p.release();
  return answer;
}

void submission_port::hop::violated(const broken_rule& broken, const tlm_phase& phase, const payload& p) const {
  muster::violated(broken, fmt::format("{}[{}]", port_->sockets_.name(), number_), port_->time_.now(), phase, p);
}

}  // namespace muster
