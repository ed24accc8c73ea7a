#include "modules/scheduler.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

// A policy may hold jobs back, but one that starts nothing at all would let the queue grow for ever.
constexpr std::uint64_t patience = 100'000;

table<group_id, unsigned> cores_of(const table<group_id, server_group>& groups) {
  table<group_id, unsigned> cores;
  for (const server_group& g : groups) cores.push_back(g.count * g.cores);
  return cores;
}

}  // namespace

scheduler::scheduler(const sc_module_name& name, timekeeper& time, table<class_id, job_class> classes,
                     table<group_id, server_group> groups)
    : sc_module(name), time_(time), state_(std::move(classes), cores_of(groups)), groups_(std::move(groups)) {
  for (const server_group& g : groups_) free_servers_.push_back({g.count, g.cores});
  submissions.register_nb_transport_fw(this, &scheduler::submit);
  submissions.register_b_transport(this, &scheduler::submit_and_wait);
  submissions.register_transport_dbg(this, &scheduler::look);
  dispatches.register_nb_transport_bw(this, &scheduler::server_answers);
}

void scheduler::set_policy(std::unique_ptr<policy> p) { policy_ = std::move(p); }

void scheduler::end_of_elaboration() {
  if (dispatches.size() != groups_.size())
    fault(fmt::format("{} server groups are declared, {} are bound", groups_.size(), dispatches.size()));
  if (!policy_) fault("no policy is set");
  for (unsigned g = 0; g < dispatches.size(); ++g) to_servers_.push_back({dispatches[static_cast<int>(g)], {}});
  for (unsigned i = 0; i < submissions.size(); ++i) to_submitters_.push_back({submissions[static_cast<int>(i)], {}});
}

// ---- submission

tlm_sync_enum scheduler::submit(int from, tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  if (phase == END_RESP) {
    p.release();
    to_submitters_[static_cast<std::size_t>(from)].gate.answered(
        p, [this](tlm_generic_payload& next) { return respond(*next.get_extension<job_extension>()); });
    return TLM_COMPLETED;
  }
  if (phase != BEGIN_REQ) return TLM_ACCEPTED;  // an extended phase that we do not know
  if (read_register(p) || !check_submission(p)) return TLM_COMPLETED;
  p.acquire();
  phase = END_REQ;
  accept(p, from, time_.effective(delay), nullptr);
  return TLM_UPDATED;
}

void scheduler::submit_and_wait(int from, tlm_generic_payload& p, sc_time& delay) {
  if (p.is_read() && delay != SC_ZERO_TIME) {
    wait(delay);  // so that what is read does not depend on how far the caller runs ahead
    delay = SC_ZERO_TIME;
  }
  if (read_register(p) || !check_submission(p)) return;
  sc_event done;
  accept(p, from, time_.effective(delay), &done);
  wait(done);
  delay = SC_ZERO_TIME;
}

unsigned scheduler::look(int, tlm_generic_payload& p) {
  const auto value = register_value(p.get_address());
  if (!p.is_read() || !value) return 0;
  const unsigned length = std::min<unsigned>(p.get_data_length(), sizeof *value);
  std::memcpy(p.get_data_ptr(), &*value, length);
  return length;
}

// Whether the transaction is a proper submission; it is answered if not.
bool scheduler::check_submission(tlm_generic_payload& p) {
  job_descriptor work;
  const bool doorbell = p.get_address() == scheduler_register::doorbell;
  if (!doorbell && !register_value(p.get_address())) {
    p.set_response_status(TLM_ADDRESS_ERROR_RESPONSE);
  } else if (!doorbell || !p.is_write()) {
    p.set_response_status(TLM_COMMAND_ERROR_RESPONSE);
  } else if (p.get_byte_enable_ptr()) {
    p.set_response_status(TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (p.get_data_length() != sizeof work || p.get_streaming_width() < sizeof work) {
    p.set_response_status(TLM_BURST_ERROR_RESPONSE);
  } else {
    std::memcpy(&work, p.get_data_ptr(), sizeof work);
    if (work.type < state_.class_count() && work.size > 0) return true;
    p.set_response_status(TLM_GENERIC_ERROR_RESPONSE);
  }
  return false;
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

void scheduler::accept(tlm_generic_payload& p, int from, ticks at, sc_event* blocked) {
  job_extension& j = extension_for(p);
  j.submitter = from;
  j.blocked = blocked;
  j.transaction = &p;
  if (at > time_.now() || dispatching_ > 0)
    defer(at, &scheduler::arrive_late, p);
  else
    arrive(j);
}

// A plain payload's extension lives from its arrival to its response. An extension that the payload brings along may be
// the clone of another job's: what was submitted is what the payload's data say.
job_extension& scheduler::extension_for(tlm_generic_payload& p) {
  if (auto* own = transaction_pool<job_extension>::find(p)) {
    own->borrowed = false;
    if (p.get_data_ptr() != reinterpret_cast<unsigned char*>(&own->descriptor))
      std::memcpy(&own->descriptor, p.get_data_ptr(), sizeof own->descriptor);
    return *own;
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
  state_.join(j);
  policy_->arrived(j, state_, *this);
  after_policy();
  check_for_stall();
}

void scheduler::arrive_late(tlm_generic_payload& p) { arrive(*p.get_extension<job_extension>()); }

void scheduler::complete(job_extension& j) {
  state_.leave(j);
  ++completed_;
  policy_->completed(j, state_, *this);
  after_policy();
  tlm_generic_payload& p = *j.transaction;
  p.set_response_status(TLM_OK_RESPONSE);
  if (j.blocked) {
    j.blocked->notify(time_.lead());
    if (j.borrowed) {
      p.clear_extension(&j);
      delete &j;
    }
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
  const tlm_sync_enum answer =
      to_submitters_[static_cast<std::size_t>(j.submitter)].transport->nb_transport_bw(p, phase, delay);
  if (borrowed) {
    p.clear_extension(&j);
    delete &j;
    p.release();
  }
  if (answer != TLM_COMPLETED && !(answer == TLM_UPDATED && phase == END_RESP)) return false;
  p.release();
  return true;
}

void scheduler::after_policy() {
  if (policy_->phases_begun() == phases_seen_) return;
  phases_seen_ = policy_->phases_begun();
  if (phase_observer_) phase_observer_->phase_begins(time_.now(), policy_->phase());
}

void scheduler::check_for_stall() {
  if (state_.in_service() > 0) {
    idle_arrivals_ = 0;
  } else if (++idle_arrivals_ == patience) {
    fault(fmt::format("the policy has started nothing during {} arrivals while no job was in service", patience));
  }
}

// ---- dispatch

void scheduler::start(const job& waiting) {
  if (waiting.where == job::place::in_service)
    fault(fmt::format("the policy started job {} a second time", waiting.id));
  if (waiting.where != job::place::waiting) fault(fmt::format("the policy started job {}, which has left", waiting.id));
  if (!state_.fits(waiting))
    fault(fmt::format("the policy started job {} of class '{}', of need {}, with {} cores free", waiting.id,
                      state_.name(waiting.type), state_.need(waiting.type), state_.free_cores(waiting.type)));
  job_extension& j = extension_of(waiting);
  __builtin_prefetch(j.transaction);
  const double capacity = place(j);
  const ticks size = j.descriptor.size;
  const ticks duration =
      capacity == 1.0 ? size : std::max<ticks>(1, static_cast<ticks>(static_cast<double>(size) / capacity + 0.5));
  state_.enter_service(j);
  j.started = time_.now();
  j.open_slices = static_cast<unsigned>(placements_.size());
  for (const placement& at : placements_) {
    tlm_generic_payload& p = slices_.take();
    slice_extension& slice = slices_.extension(p);
    slice.descriptor = {j.id, at.cores, duration};
    slice.holder = &j;
    slice.group = at.group;
    slice.server = at.server;
    p.set_command(TLM_WRITE_COMMAND);
    p.set_address(at.server * server_register::stride + server_register::doorbell);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&slice.descriptor));
    p.set_data_length(sizeof slice.descriptor);
    p.set_streaming_width(sizeof slice.descriptor);
    p.set_byte_enable_ptr(nullptr);
    p.set_dmi_allowed(false);
    p.set_response_status(TLM_INCOMPLETE_RESPONSE);
    ++dispatched_;
    to_servers_[at.group].gate.pass(p, [this](tlm_generic_payload& next) { return request(next); });
  }
}

// Books the job's cores and leaves where they are in placements_. Returns the smallest capacity among them.
double scheduler::place(const job& waiting) {
  placements_.clear();
  double capacity = std::numeric_limits<double>::infinity();
  unsigned missing = state_.need(waiting.type);
  for (const group_id group : state_.type(waiting.type).groups) {
    if (state_.free_in(group) == 0) continue;
    free_servers& servers = free_servers_[group];
    capacity = std::min(capacity, groups_[group].capacity);
    while (missing > 0 && state_.free_in(group) > 0) {
      const std::uint32_t server = servers.first();
      const std::uint32_t cores = std::min(missing, servers.cores(server));
      servers.take(server, cores);
      state_.take(group, cores);
      placements_.push_back({group, server, cores});
      missing -= cores;
    }
    if (missing == 0) break;
  }
  return capacity;
}

bool scheduler::request(tlm_generic_payload& p) {
  const group_id group = slices_.extension(p).group;
  tlm_phase phase = BEGIN_REQ;
  sc_time delay = time_.lead();
  ++dispatching_;
  const tlm_sync_enum answer = to_servers_[group].transport->nb_transport_fw(p, phase, delay);
  --dispatching_;
  if (answer == TLM_ACCEPTED) return false;
  if (answer == TLM_UPDATED) {
    if (phase == END_REQ) return true;
    if (phase != BEGIN_RESP) return false;  // an extended phase that we do not know
    check_slice(p);
    defer(time_.effective(delay), &scheduler::slice_ended, p);
    phase = END_RESP;
    ++dispatching_;
    to_servers_[group].transport->nb_transport_fw(p, phase, delay);
    --dispatching_;
    return true;
  }
  if (p.is_response_error())
    fault(fmt::format("server '{}' refused a slice of job {}: {}", groups_[group].name,
                      slices_.extension(p).descriptor.job, p.get_response_string()));
  defer(time_.effective(delay), &scheduler::slice_ended, p);
  return true;
}

tlm_sync_enum scheduler::server_answers(int from, tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
  // A response implies the END_REQ that a server has left out.
  if (phase == END_REQ || phase == BEGIN_RESP)
    to_servers_[static_cast<group_id>(from)].gate.answered(p,
                                                           [this](tlm_generic_payload& next) { return request(next); });
  if (phase != BEGIN_RESP) return TLM_ACCEPTED;  // slice_productive, or an extended phase that we do not know
  check_slice(p);
  const ticks at = time_.effective(delay);
  if (at > time_.now() || dispatching_ > 0)
    defer(at, &scheduler::slice_ended, p);
  else
    slice_ended(p);
  return TLM_COMPLETED;
}

void scheduler::check_slice(const tlm_generic_payload& p) const {
  if (!p.is_response_error()) return;
  const auto* slice = p.get_extension<slice_extension>();
  fault(fmt::format("server '{}' could not finish a slice of job {}: {}", groups_[slice->group].name,
                    slice->descriptor.job, p.get_response_string()));
}

void scheduler::slice_ended(tlm_generic_payload& p) {
  slice_extension* slice = &slices_.extension(p);
  const auto cores = static_cast<unsigned>(slice->descriptor.cores);
  free_servers_[slice->group].give_back(slice->server, cores);
  state_.give_back(slice->group, cores);
  job_extension& j = *slice->holder;
  p.release();
  if (--j.open_slices == 0) complete(j);
}

// ---- what foreign modules announce for later

void scheduler::defer(ticks at, void (scheduler::*action)(tlm_generic_payload&), tlm_generic_payload& p) {
  std::uint32_t index;
  if (idle_deferred_.empty()) {
    index = static_cast<std::uint32_t>(deferred_.size());
    deferred_.emplace_back();
  } else {
    index = idle_deferred_.back();
    idle_deferred_.pop_back();
  }
  deferred_[index] = {action, &p};
  time_.arm(at, time_.travel_rank(), *this, index);
}

void scheduler::expired(ticks, std::uint32_t cookie) {
  const deferred due = deferred_[cookie];
  idle_deferred_.push_back(cookie);
  (this->*due.action)(*due.transaction);
}

void scheduler::fault(const std::string& what) const {
  SC_REPORT_ERROR("/muster/scheduler", what.c_str());
  throw std::runtime_error(what);  // if somebody has disarmed SystemC's own exception
}

}  // namespace muster
