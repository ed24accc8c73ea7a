#include "muster/modules/scheduler/scheduler.h"
#include "muster/modules/scheduler/policy_call.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

// The scheduler towards those who submit jobs, and towards its policy.

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

// A policy may hold jobs back, but one that starts nothing at all would let the queue grow for ever.
constexpr std::uint64_t most_idle_arrivals = 100'000;

}  // namespace

scheduler::scheduler(const sc_module_name& name, timekeeper& time, table<class_id, job_class> classes,
                     table<group_id, server_group> groups)
    : sc_module(name), time_(time), state_(checked(std::move(classes), groups)), groups_(std::move(groups)) {
  for (const server_group& g : groups_) {
    free_servers_.push_back({g.count, g.cores});
    servers_fail_ = servers_fail_ || g.fails;
  }
  submissions.register_nb_transport_fw(this, &scheduler::submit);
  submissions.register_b_transport(this, &scheduler::submit_and_wait);
  submissions.register_transport_dbg(this, &scheduler::look);
  dispatches.register_nb_transport_bw(this, &scheduler::server_answers);
}

void scheduler::set_policy(std::unique_ptr<policy> p) {
  check_before_elaboration("set_policy()");
  policy_ = std::move(p);
}

void scheduler::end_of_elaboration() {
  adopt_policy();
  locate_servers();
  for (unsigned i = 0; i < submissions.size(); ++i) to_submitters_.push_back({submissions[static_cast<int>(i)], {}, 0});
}

void scheduler::locate_servers() {
  std::size_t banks = 0;
  for (const server_group& g : groups_)
    if (banks == 0 || !g.same_bank) ++banks;
  if (dispatches.size() != banks)
    misuse(
        fmt::format("{} banks of servers are declared, {} are bound; expected each bank's target to be bound to "
                    "dispatches, in the order of the groups",
                    banks, dispatches.size()));
  for (unsigned b = 0; b < banks; ++b) to_servers_.push_back({dispatches[static_cast<int>(b)], {}});
  locations_ = table<group_id, location>(groups_.size());
  auto way = to_servers_.begin();
  std::uint32_t in_bank = 0, first = 0;
  for (const group_id id : id_range<group_id>{groups_.size()}) {
    const server_group& g = groups_[id];
    if (first > 0 && !g.same_bank) {
      ++way;
      in_bank = 0;
    }
    locations_[id] = {&*way, g.capacity, g.count, g.cores, in_bank, first};
    first += g.count;
    in_bank += g.count;
  }
}

tlm_sync_enum scheduler::submit(int from, tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == END_RESP) {
    exclusion_gate& responses = to_submitters_[static_cast<std::size_t>(from)].gate;
    if (!responses.awaits(p)) violated(rule::stray_end_resp, submissions, from, phase, p);
    if (auto* const brought = transaction_pool<job_extension>::find(p)) brought->transaction = nullptr;
    p.release();
    responses.answered(p, [this](tlm_generic_payload& next) { return respond(*next.get_extension<job_extension>()); });
    return TLM_COMPLETED;
  }
  if (is_extended(phase)) return TLM_ACCEPTED;  // one that we do not know
  if (phase != BEGIN_REQ) violated(rule::not_from_initiator, submissions, from, phase, p);
  job_extension* const brought = transaction_pool<job_extension>::find(p);
  const bool in_progress =
      brought ? brought->transaction == &p : to_submitters_[static_cast<std::size_t>(from)].gate.awaits(p);
  if (in_progress) violated(rule::used_again, submissions, from, phase, p);
  const ticks at = time_.effective(delay);
  if (read_register(p) || !check_submission(p, at)) return TLM_COMPLETED;
  if (!p.has_mm()) violated(rule::no_memory_manager, submissions, from, phase, p);
  p.acquire();
  phase = END_REQ;
  accept(p, extension_for(p, brought), from, at, nullptr);
  return TLM_UPDATED;
}

unsigned scheduler::look(int, tlm_generic_payload& p) {
  const auto value = register_value(p.get_address());
  if (!p.is_read() || !value || !p.get_data_ptr()) return 0;
  const unsigned length = std::min<unsigned>(p.get_data_length(), sizeof *value);
  std::memcpy(p.get_data_ptr(), &*value, length);
  return length;
}

// Whether the transaction is a proper submission; it is answered if not.
bool scheduler::check_submission(tlm_generic_payload& p, ticks arrival) {
  const tlm_response_status status = submission_status(p, arrival);
  if (status == TLM_OK_RESPONSE) return true;
  p.set_response_status(status);
  return false;
}

tlm_response_status scheduler::submission_status(const tlm_generic_payload& p, ticks arrival) const {
  job_descriptor work;
  const bool doorbell = p.get_address() == scheduler_register::doorbell;
  if (!doorbell && !register_value(p.get_address())) return TLM_ADDRESS_ERROR_RESPONSE;
  if (!doorbell || !p.is_write()) return TLM_COMMAND_ERROR_RESPONSE;
  if (p.get_byte_enable_ptr()) return TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned length = p.get_data_length();
  if (length < sizeof work || p.get_streaming_width() < length) return TLM_BURST_ERROR_RESPONSE;
  if (!p.get_data_ptr()) return TLM_GENERIC_ERROR_RESPONSE;
  std::memcpy(&work, p.get_data_ptr(), sizeof work);
  if (work.type >= state_.class_count() || work.size == 0) return TLM_GENERIC_ERROR_RESPONSE;
  const auto type = static_cast<class_id>(work.type);
  if (length != sizeof work + words_of(work) * sizeof(std::uint64_t)) return TLM_BURST_ERROR_RESPONSE;
  if (beyond_clock(arrival, work.size)) return TLM_GENERIC_ERROR_RESPONSE;
  const bool proper = draws_properly(p, type) && (jobs_ != progress::slotted || fits_slots(p, work));
  return proper ? TLM_OK_RESPONSE : TLM_GENERIC_ERROR_RESPONSE;
}

// That a job of the class carries behind its descriptor.
std::uint64_t scheduler::words_of(const job_descriptor& work) const {
  const job_class& type = state_.type(static_cast<class_id>(work.type));
  if (jobs_ != progress::slotted) return type.drawn;
  // No job has more units, and no data are so long.
  return 1 + (type.worth ? 0 : std::min<std::uint64_t>(work.size / slots_.length, ~std::uint32_t{0}));
}

// Whether the transaction was a read of a register; it is answered then.
bool scheduler::read_register(tlm_generic_payload& p) {
  if (!p.is_read()) return false;
  const auto value = register_value(p.get_address());
  if (!value) return false;
  if (p.get_byte_enable_ptr()) {
    p.set_response_status(TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (p.get_data_length() != sizeof *value || p.get_streaming_width() < sizeof *value) {
    p.set_response_status(TLM_BURST_ERROR_RESPONSE);
  } else if (!p.get_data_ptr()) {
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
  } else {
    std::memcpy(p.get_data_ptr(), &*value, sizeof *value);
    p.set_response_status(TLM_OK_RESPONSE);
  }
  return true;
}

// Of a register that can be read.
std::optional<std::uint64_t> scheduler::register_value(std::uint64_t address) const {
  std::uint64_t waiting = 0;
  switch (address) {
    case scheduler_register::jobs_waiting:
      for (const class_id id : state_.classes()) waiting += state_.waiting(id);
      return waiting;
    case scheduler_register::jobs_in_service:
      return state_.in_service();
    case scheduler_register::phase:
      return policy_->phase();
    default:
      return std::nullopt;
  }
}

void scheduler::accept(tlm_generic_payload& p, job_extension& j, int from, ticks at, sc_event* blocked) {
  j.submitter = blocked ? job_extension::in_blocking_call : from;
  j.blocked = blocked;
  j.transaction = &p;
  if (!time_.at_work()) {
    // Somebody's process may run ahead of the kernel by any part of the global quantum, or not at all: its jobs take
    // their place among all that happens at their instant, whenever they were announced.
    const auto submitter = static_cast<std::uint64_t>(from);
    defer(at, timer_rank::outside_arrival(submitter, to_submitters_[submitter].announced++), &scheduler::arrive_late,
          p);
  } else if (at > time_.now() || dispatching_ > 0)
    defer(at, &scheduler::arrive_late, p);
  else
    arrive(j);
}

// A plain payload's extension lives from its arrival to its response. An extension that the payload brings along may be
// the clone of another job's: what was submitted is what the payload's data say.
job_extension& scheduler::extension_for(tlm_generic_payload& p, job_extension* brought) {
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

void scheduler::arrive(job_extension& j) {
  j.id = arrived_++;
  j.type = static_cast<class_id>(j.descriptor.type);
  j.arrival = time_.now();
  j.interruptions = 0;
  j.migrations = 0;
  j.failures = 0;
  j.kept = 0;
  if (deciding_)
    consider({&scheduler::attend_arrival, j.transaction});
  else
    take_in(j);
}

void scheduler::take_in(job_extension& j) {
  switch (jobs_) {
    case progress::rigid:
      if (servers_fail_) fresh_pool(j);
      state_.join(j);
      break;
    case progress::pooled:
      enter_pool(j);
      break;
    case progress::slotted:
      begin_progress(j);
      if (comes_too_late(j)) {
        turn_away(j);
        return;
      }
      enter_slots(j);
      break;
  }
  call_policy("arrived()", [&] { policy_->arrived(j, state_, *this); });
  after_policy();
  if (jobs_ != progress::slotted) check_for_stall();
}

void scheduler::arrive_late(tlm_generic_payload& p) { arrive(*p.get_extension<job_extension>()); }

void scheduler::complete(job_extension& j) {
  state_.leave(j);
  ++completed_;
  call_policy("completed()", [&] { policy_->completed(j, state_, *this); });
  after_policy();
  answer(j, TLM_OK_RESPONSE);
}

void scheduler::answer(job_extension& j, tlm_response_status status) {
  tlm_generic_payload& p = *j.transaction;
  p.set_response_status(status);
  if (j.submitter == job_extension::in_blocking_call) {
    wake_submitter(j);
    return;
  }
  to_submitters_[static_cast<std::size_t>(j.submitter)].gate.pass(p, [this, &p, &j](tlm_generic_payload& next) {
    return respond(&next == &p ? j : *next.get_extension<job_extension>());
  });
}

bool scheduler::respond(job_extension& j) {
  tlm_generic_payload& p = *j.transaction;
  const bool borrowed = j.borrowed;
  if (borrowed) p.acquire();  // END_RESP may come from within the call and end the transaction
  tlm_phase phase = BEGIN_RESP;
  sc_time delay = time_.lead();
  const int submitter = j.submitter;
  const way_to_submitter& way = to_submitters_[static_cast<std::size_t>(submitter)];
  const tlm_sync_enum answer = way.transport->nb_transport_bw(p, phase, delay);
  const bool answered = response_answered(answer, phase, way.gate, p, [&](const broken_rule& broken) {
    violated(broken, submissions, submitter, phase, p);
  });
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

void scheduler::after_policy() {
  if (deciding_) deciding_->asked = true;
  if (policy_->phases_begun() == phases_seen_) return;
  phases_seen_ = policy_->phases_begun();
  if (phase_observer_) phase_observer_->phase_begins(time_.now(), policy_->phase());
}

void scheduler::check_for_stall() {
  if (state_.in_service() > 0 || !down_.empty()) {
    idle_arrivals_ = 0;
  } else if (++idle_arrivals_ == most_idle_arrivals) {
    fault(fmt::format("the policy has started nothing during {} arrivals while no job was in service",
                      most_idle_arrivals));
  }
}

void scheduler::violated(const broken_rule& broken, const sc_object& sockets, int which, const tlm_phase& phase,
                         const tlm_generic_payload& p) const {
  muster::violated(broken, fmt::format("{}[{}]", sockets.name(), which), time_.now(), phase, p);
}

void scheduler::fault(const std::string& what) const {
  time_.report_error("/muster/scheduler", what);
  throw std::runtime_error(what);  // if somebody has disarmed SystemC's own exception
}

}  // namespace muster
