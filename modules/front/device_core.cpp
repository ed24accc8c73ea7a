#include "muster/modules/front/device_core.h"

#include <algorithm>
#include <cstring>

namespace muster {

using namespace sc_core;
using namespace tlm;

namespace {

constexpr unsigned word_bytes = sizeof(std::uint64_t);

void describe(tlm_generic_payload& p, tlm_command command, std::uint64_t address, void* data, std::size_t length) {
  p.set_command(command);
  p.set_address(address);
  p.set_data_ptr(static_cast<unsigned char*>(data));
  p.set_data_length(static_cast<unsigned>(length));
  p.set_streaming_width(static_cast<unsigned>(length));
}

bool acts_when_written(std::uint64_t address) {
  switch (address) {
    case device_register::doorbell:
    case device_register::interrupt_enable:
    case device_register::interrupt_cause:
    case device_register::pop:
    case device_register::ring_size:
    case device_register::ring_head: return true;
    default: return false;
  }
}

}  // namespace

void device_job::begin(tlm_generic_payload& p, device_job&) {
  p.set_command(TLM_WRITE_COMMAND);
  p.set_address(scheduler_register::doorbell);
  p.set_byte_enable_ptr(nullptr);
}

device_core::device_core(const sc_module_name& name) : sc_module(name) {
  submissions.register_nb_transport_bw(this, &device_core::receive);
  SC_METHOD(take_responses);
  sensitive << responses_.get_event();
  dont_initialize();
  SC_METHOD(drive_interrupt);
  sensitive << changed_;
  SC_THREAD(write_ring);
}

void device_core::access(payload& p, sc_time& delay) {
  if (delay != SC_ZERO_TIME) {
    wait(delay);  // so that jobs and values do not depend on how far the caller runs ahead
    delay = SC_ZERO_TIME;
  }
  p.set_response_status(status_of(p));
}

tlm_response_status device_core::status_of(payload& p) {
  if (p.get_byte_enable_ptr()) return TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned length = p.get_data_length();
  if ((length != 4 && length != word_bytes) || p.get_streaming_width() < length) return TLM_BURST_ERROR_RESPONSE;
  if (p.get_address() % length != 0) return TLM_ADDRESS_ERROR_RESPONSE;
  if (!p.get_data_ptr()) return TLM_GENERIC_ERROR_RESPONSE;
  if (p.is_read()) return read(p.get_address(), p.get_data_ptr(), length);
  return p.is_write() ? write(p.get_address(), p.get_data_ptr(), length) : TLM_COMMAND_ERROR_RESPONSE;
}

tlm_response_status device_core::read(std::uint64_t address, unsigned char* data, unsigned length) {
  const unsigned offset = address % word_bytes;
  const auto content = value(address - offset, false);
  if (!content) return acts_when_written(address - offset) ? TLM_COMMAND_ERROR_RESPONSE : TLM_ADDRESS_ERROR_RESPONSE;
  std::memcpy(data, reinterpret_cast<const unsigned char*>(&*content) + offset, length);
  return TLM_OK_RESPONSE;
}

tlm_response_status device_core::write(std::uint64_t address, const unsigned char* data, unsigned length) {
  const unsigned offset = address % word_bytes;
  const std::uint64_t first = address - offset;
  if (std::uint64_t* const word = stored(first)) {
    if (word == &base_ && completions_.has_ring()) return TLM_GENERIC_ERROR_RESPONSE;
    std::memcpy(reinterpret_cast<unsigned char*>(word) + offset, data, length);
    return TLM_OK_RESPONSE;
  }
  if (!acts_when_written(first)) return value(first, true) ? TLM_COMMAND_ERROR_RESPONSE : TLM_ADDRESS_ERROR_RESPONSE;
  if (offset != 0) return TLM_OK_RESPONSE;
  std::uint32_t lower = 0;
  std::memcpy(&lower, data, sizeof lower);
  const tlm_response_status status = act(first, lower);
  changed_.notify(SC_ZERO_TIME);
  return status;
}

// What a store to a register does.
tlm_response_status device_core::act(std::uint64_t address, std::uint64_t value) {
  bool valid = true;
  switch (address) {
    case device_register::doorbell: return submit(value);
    case device_register::interrupt_enable:
      enabled_ = value & (device_interrupt::completion | device_interrupt::memory_error);
      break;
    case device_register::interrupt_cause:
      if (value & device_interrupt::memory_error) memory_error_ = false;
      break;
    case device_register::pop: valid = completions_.pop(); break;
    case device_register::ring_size: valid = (value == 0 || has_memory()) && completions_.resize(value); break;
    default: valid = completions_.move_head(value);
  }
  return valid ? TLM_OK_RESPONSE : TLM_GENERIC_ERROR_RESPONSE;
}

std::uint64_t* device_core::stored(std::uint64_t address) {
  if (address == device_register::tag) return &tag_;
  if (address == device_register::ring_base) return &base_;
  if (address < device_register::descriptor) return nullptr;
  const std::uint64_t word = (address - device_register::descriptor) / word_bytes;
  return word < descriptor_.size() ? &descriptor_[word] : nullptr;
}

std::optional<std::uint64_t> device_core::value(std::uint64_t address, bool debug) {
  if (const std::uint64_t* const word = stored(address)) return *word;
  const job_completion none, *const earliest = completions_.front();
  const job_completion& completion = earliest ? *earliest : none;
  switch (address) {
    case device_register::completions: return completions_.takeable();
    case device_register::outstanding: return in_progress_ + completions_.all();
    case device_register::interrupt_enable: return enabled_;
    case device_register::interrupt_cause: return causes();
    case device_register::jobs_waiting:
    case device_register::jobs_in_service:
    case device_register::phase: return read_scheduler(address, debug);
    case device_register::completion: return completion.tag;
    case device_register::completion + word_bytes: return completion.status;
    case device_register::completion + 2 * word_bytes: return completion.submitted;
    case device_register::completion + 3 * word_bytes: return completion.completed;
    case device_register::ring_size: return completions_.size();
    case device_register::ring_head: return completions_.head();
    case device_register::ring_tail: return completions_.tail();
    default: return std::nullopt;
  }
}

std::optional<std::uint64_t> device_core::read_scheduler(std::uint64_t address, bool debug) {
  std::uint64_t content = 0;
  payload p;
  describe(p, TLM_READ_COMMAND, address, &content, sizeof content);
  if (debug) {
    submissions->transport_dbg(p);
    return content;
  }
  sc_time delay;
  submissions->b_transport(p, delay);
  if (delay != SC_ZERO_TIME) wait(delay);
  return content;
}

unsigned device_core::look(payload& p) {
  if (!p.is_read() || !p.get_data_ptr()) return 0;
  unsigned done = 0;
  while (done < p.get_data_length()) {
    const std::uint64_t address = p.get_address() + done;
    const unsigned offset = address % word_bytes;
    const auto content = value(address - offset, true);
    if (!content) break;
    const unsigned length = std::min(word_bytes - offset, p.get_data_length() - done);
    std::memcpy(p.get_data_ptr() + done, reinterpret_cast<const unsigned char*>(&*content) + offset, length);
    done += length;
  }
  return done;
}

tlm_response_status device_core::submit(std::uint64_t words) {
  if (words == 0 || words > descriptor_.size()) return TLM_GENERIC_ERROR_RESPONSE;
  payload& p = pool_.take();
  device_job& job = pool_.extension(p);
  job.words.assign(descriptor_.begin(), descriptor_.begin() + static_cast<std::ptrdiff_t>(words));
  job.completion = {tag_, 0, sc_time_stamp().value(), 0};
  describe(p, TLM_WRITE_COMMAND, scheduler_register::doorbell, job.words.data(), words * word_bytes);
  ++in_progress_;
  send_request(p);
  return TLM_OK_RESPONSE;
}

std::uint64_t device_core::causes() const {
  return (completions_.takeable() > 0 ? device_interrupt::completion : 0) |
         (memory_error_ ? device_interrupt::memory_error : 0);
}

void device_core::take_responses() {
  while (payload* const p = responses_.get_next_transaction()) {
    job_completion& completion = pool_.extension(*p).completion;
    completion.status = p->is_response_ok() ? 0 : static_cast<std::uint64_t>(-p->get_response_status());
    completion.completed = sc_time_stamp().value();
    completions_.push(completion);
    --in_progress_;
    p->release();
  }
  changed_.notify(SC_ZERO_TIME);
}

// Writes completions to the client's ring, one after the other. If its memory refuses one, the ring ends and the
// completion remains to be taken by registers.
void device_core::write_ring() {
  for (;;) {
    auto next = completions_.next_for_ring();
    if (!next) {
      wait(changed_);
      continue;
    }
    payload p;
    describe(p, TLM_WRITE_COMMAND, base_ + next->place * sizeof next->content, &next->content, sizeof next->content);
    sc_time delay;
    write_memory(p, delay);
    if (delay != SC_ZERO_TIME) wait(delay);
    if (p.is_response_ok()) {
      completions_.written(*next);
    } else {
      memory_error_ = true;
      completions_.resize(0);
    }
    changed_.notify(SC_ZERO_TIME);
  }
}

void device_core::drive_interrupt() { interrupt->write((causes() & enabled_) != 0); }

void device_core::violated(const broken_rule& broken, const tlm_phase& phase, const payload& p) const {
  muster::violated(broken, submissions.name(), sc_time_stamp().value(), phase, p);
}

}  // namespace muster
