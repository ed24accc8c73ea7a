#include "muster/modules/scheduler/submission_port.h"

#include <cstring>

#include <fmt/format.h>

#include "muster/modules/kernel/register_access.h"
#include "muster/modules/protocol/handshake.h"

// Submissions by phases, from BEGIN_REQ to END_RESP; for blocking ones see blocking_submission.cpp.

namespace muster {

using namespace sc_core;
using namespace tlm;

submission_port::submission_port(const sc_object& sockets, timekeeper& time, deferred_events& deferred,
                                 submission_target& target, std::size_t class_count, const dispatch_port& servers)
    : sockets_(sockets),
      time_(time),
      deferred_(deferred),
      target_(target),
      class_count_(class_count),
      servers_(servers) {}

tlm_sync_enum submission_port::receive(int from, tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  exclusion_queue& responses = hops_[static_cast<std::size_t>(from)].responses;
  if (phase == END_RESP) {
    if (!responses.awaits(p)) violated(rule::stray_end_resp, from, phase, p);
    if (auto* const brought = transaction_pool<job_extension>::find(p)) brought->transaction = nullptr;
    p.release();
    responses.answered(p, [this](tlm_generic_payload& next) { return respond(*next.get_extension<job_extension>()); });
    return TLM_COMPLETED;
  }
  if (is_extended(phase)) return TLM_ACCEPTED;  // one that we do not know
  if (phase != BEGIN_REQ) violated(rule::not_from_initiator, from, phase, p);
  job_extension* const brought = transaction_pool<job_extension>::find(p);
  const bool in_progress = brought ? brought->transaction == &p : responses.awaits(p);
  if (in_progress) violated(rule::used_again, from, phase, p);
  const ticks at = time_.effective(delay);
  if (read_register(p) || !check(p, at)) return TLM_COMPLETED;
  if (!p.has_mm()) violated(rule::no_memory_manager, from, phase, p);
  p.acquire();
  phase = END_REQ;
  accept(p, extension_for(p, brought), from, at, nullptr);
  return TLM_UPDATED;
}

unsigned submission_port::debug(tlm_generic_payload& p) const {
  return read_register_for_debug(p, target_.register_value(p.get_address()));
}

// Whether the transaction is a proper submission; it is answered if not.
bool submission_port::check(tlm_generic_payload& p, ticks arrival) const {
  const tlm_response_status status = status_of(p, arrival);
  if (status == TLM_OK_RESPONSE) return true;
  p.set_response_status(status);
  return false;
}

tlm_response_status submission_port::status_of(const tlm_generic_payload& p, ticks arrival) const {
  job_descriptor work;
  const bool doorbell = p.get_address() == scheduler_register::doorbell;
  if (!doorbell && !target_.register_value(p.get_address())) return TLM_ADDRESS_ERROR_RESPONSE;
  if (!doorbell || !p.is_write()) return TLM_COMMAND_ERROR_RESPONSE;
  if (p.get_byte_enable_ptr()) return TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned length = p.get_data_length();
  if (length < sizeof work || p.get_streaming_width() < length) return TLM_BURST_ERROR_RESPONSE;
  if (!p.get_data_ptr()) return TLM_GENERIC_ERROR_RESPONSE;
  std::memcpy(&work, p.get_data_ptr(), sizeof work);
  if (work.type >= class_count_ || work.size == 0) return TLM_GENERIC_ERROR_RESPONSE;
  if (length != sizeof work + target_.data_behind(work)) return TLM_BURST_ERROR_RESPONSE;
  if (beyond_clock(arrival, work.size)) return TLM_GENERIC_ERROR_RESPONSE;
  return target_.accepts(p, work) ? TLM_OK_RESPONSE : TLM_GENERIC_ERROR_RESPONSE;
}

// Whether the transaction was a read of a register; it is answered then.
bool submission_port::read_register(tlm_generic_payload& p) const {
  if (!p.is_read()) return false;
  const auto value = target_.register_value(p.get_address());
  if (!value) return false;
  answer_register_read(p, *value);
  return true;
}

// A plain payload's extension lives from its arrival to its response. An extension that the payload brings along may be
// the clone of another job's: what was submitted is what the payload's data say.
job_extension& submission_port::extension_for(tlm_generic_payload& p, job_extension* brought) {
  if (brought) {
    brought->borrowed = false;
    if (p.get_data_ptr() != reinterpret_cast<unsigned char*>(&brought->descriptor))
      std::memcpy(&brought->descriptor, p.get_data_ptr(), sizeof brought->descriptor);
    return *brought;
  }
  auto* fresh = new job_extension;
  std::memcpy(&fresh->descriptor, p.get_data_ptr(), sizeof fresh->descriptor);
  fresh->borrowed = true;
  p.set_extension(fresh);
  return *fresh;
}

void submission_port::accept(tlm_generic_payload& p, job_extension& j, int from, ticks at, sc_event* blocked) {
  j.submitter = blocked ? job_extension::in_blocking_call : from;
  j.blocked = blocked;
  j.transaction = &p;
  if (!time_.at_work()) {
    // Somebody's process may run ahead of the kernel by any part of the global quantum, or not at all: its jobs take
    // their place among all that happens at their instant, whenever they were announced.
    const auto submitter = static_cast<std::uint64_t>(from);
    deferred_.defer(at, timer_rank::outside_arrival(submitter, hops_[submitter].announced++), *this,
                    scheduler_event::job_announced, p);
  } else if (at > time_.now() || servers_.calling()) {
    deferred_.defer(at, *this, scheduler_event::job_announced, p);
  } else {
    arrive(j);
  }
}

void submission_port::happens(scheduler_event, tlm_generic_payload* announced) { arrive(job_of(*announced)); }

void submission_port::arrive(job_extension& j) {
  j.id = arrived_++;
  j.type = static_cast<class_id>(j.descriptor.type);
  j.arrival = time_.now();
  j.size = j.descriptor.size & visible_size_;
  j.interruptions = 0;
  j.migrations = 0;
  j.failures = 0;
  j.kept = 0;
  to_->happens(scheduler_event::job_arrives, j.transaction);
}

void submission_port::answer(job_extension& j, tlm_response_status status) {
  tlm_generic_payload& p = *j.transaction;
  p.set_response_status(status);
  if (j.submitter == job_extension::in_blocking_call) {
    wake_submitter(j);
    return;
  }
  hops_[static_cast<std::size_t>(j.submitter)].responses.pass(p, [this, &p, &j](tlm_generic_payload& next) {
    return respond(&next == &p ? j : *next.get_extension<job_extension>());
  });
}

bool submission_port::respond(job_extension& j) {
  tlm_generic_payload& p = *j.transaction;
  const bool borrowed = j.borrowed;
  if (borrowed) p.acquire();  // END_RESP may come from within the call and end the transaction
  tlm_phase phase = BEGIN_RESP;
  sc_time delay = time_.lead();
  const int submitter = j.submitter;
  const hop& way = hops_[static_cast<std::size_t>(submitter)];
  const tlm_sync_enum answer = way.transport->nb_transport_bw(p, phase, delay);
  const bool answered = response_answered(answer, phase, way.responses, p,
                                          [&](const broken_rule& broken) { violated(broken, submitter, phase, p); });
  if (borrowed) {
    p.clear_extension(&j);
    delete &j;
    p.release();
  } else if (answered) {
    j.transaction = nullptr;
  }
  if (answered) p.release();
  return answered;
}

void submission_port::violated(const broken_rule& broken, int hop, const tlm_phase& phase,
                               const tlm_generic_payload& p) const {
  muster::violated(broken, fmt::format("{}[{}]", sockets_.name(), hop), time_.now(), phase, p);
}

}  // namespace muster
