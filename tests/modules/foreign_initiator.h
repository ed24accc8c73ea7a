#pragma once

#include <deque>
#include <functional>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/protocol/protocol.h"

namespace muster {

/// Makes a payload a write (or a read) of `length` bytes, with every attribute set as TLM-2.0 asks of an initiator.
inline void prepare(tlm::tlm_generic_payload& p, tlm::tlm_command command, std::uint64_t address, void* data,
                    unsigned length) {
  p.set_command(command);
  p.set_address(address);
  p.set_data_ptr(static_cast<unsigned char*>(data));
  p.set_data_length(length);
  p.set_streaming_width(length);
  p.set_byte_enable_ptr(nullptr);
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/// Submits jobs as somebody does who has never heard of muster: the base protocol, plain payloads that are used again,
/// a memory manager of its own.
class foreign_initiator : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<foreign_initiator> socket{"socket"};

  struct response {
    std::size_t job;  ///< its place among those submitted
    ticks at;
    tlm::tlm_response_status status;
  };

  /// What the initiator does with a response.
  enum class manner { completes, updates, ends_later, ends_within_the_call };

  /// @param think time from BEGIN_RESP to END_RESP where it ends later
  foreign_initiator(const sc_core::sc_module_name& name, manner m, ticks think = 0)
      : sc_module(name), manner_(m), think_(think) {
    SC_HAS_PROCESS(foreign_initiator);
    socket.register_nb_transport_bw(this, &foreign_initiator::backward);
    SC_THREAD(end_responses);
  }
  ~foreign_initiator() override {
    for (entry* e : idle_) delete e;
  }

  /// To be called during simulation. @return the answer to BEGIN_REQ
  tlm::tlm_sync_enum submit(std::uint64_t type, std::uint64_t size, ticks delay = 0) {
    return submit({type, size}, delay);
  }
  /// A job whose data are these words.
  tlm::tlm_sync_enum submit(std::vector<std::uint64_t> words, ticks delay = 0) {
    entry& e = take();
    e.words = std::move(words);
    prepare(e, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, e.words.data(),
            static_cast<unsigned>(e.words.size() * sizeof e.words.front()));
    e.job = submitted_++;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time t = to_sc_time(delay);
    const tlm::tlm_sync_enum answer = socket->nb_transport_fw(e, phase, t);
    if (answer == tlm::TLM_COMPLETED) finish(e, t);
    return answer;
  }

  /// Payloads that somebody still refers to.
  std::size_t outstanding() const { return made_ - idle_.size(); }
  std::size_t payloads_made() const { return made_; }

  std::vector<response> responses;
  /// Called within nb_transport_bw, after a response.
  std::function<void()> at_response;

 private:
  struct entry final : tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    std::vector<std::uint64_t> words;
    std::size_t job = 0;
  };

  entry& take() {
    if (idle_.empty()) {
      ++made_;
      idle_.push_back(new entry{this});
    }
    entry* e = idle_.back();
    idle_.pop_back();
    e->acquire();
    return *e;
  }

  void free(tlm::tlm_generic_payload* p) override {
    p->reset();
    idle_.push_back(static_cast<entry*>(p));
  }

  void finish(entry& e, const sc_core::sc_time& delay) {
    responses.push_back({e.job, (sc_core::sc_time_stamp() + delay).value(), e.get_response_status()});
    e.release();
  }

  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    auto& e = static_cast<entry&>(p);
    if (manner_ == manner::ends_later) {
      responses.push_back({e.job, (sc_core::sc_time_stamp() + delay).value(), e.get_response_status()});
      ending_.push_back(&e);
      end_.notify(to_sc_time(think_) + delay);
      return tlm::TLM_ACCEPTED;
    }
    if (manner_ == manner::ends_within_the_call) {
      tlm::tlm_phase end = tlm::END_RESP;
      sc_core::sc_time t = delay;
      finish(e, delay);
      socket->nb_transport_fw(p, end, t);
      return tlm::TLM_ACCEPTED;
    }
    finish(e, delay);
    if (at_response) at_response();
    if (manner_ == manner::completes) return tlm::TLM_COMPLETED;
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }

  void end_responses() {
    for (;;) {
      wait(end_);
      entry* e = ending_.front();
      ending_.pop_front();
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time t;
      socket->nb_transport_fw(*e, phase, t);
      e->release();
    }
  }

  manner manner_;
  ticks think_;
  std::vector<entry*> idle_;
  std::size_t made_ = 0, submitted_ = 0;
  std::deque<entry*> ending_;
  sc_core::sc_event end_;
};

/// Does what a test says, in a thread of its own, over a socket.
class foreign_thread : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<foreign_thread> socket{"socket"};

  foreign_thread(const sc_core::sc_module_name& name, std::function<void(foreign_thread&)> what)
      : sc_module(name), what_(std::move(what)) {
    SC_HAS_PROCESS(foreign_thread);
    SC_THREAD(run);
  }

  void wait_until(ticks t) { wait(to_sc_time(t) - sc_core::sc_time_stamp()); }

  /// A blocking job. @return the time of its completion
  ticks submit(std::uint64_t type, std::uint64_t size, ticks delay = 0) {
    job_descriptor work{type, size};
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, &work, sizeof work);
    sc_core::sc_time t = to_sc_time(delay);
    socket->b_transport(p, t);
    status = p.get_response_status();
    return (sc_core::sc_time_stamp() + t).value();
  }

  /// A blocking job whose data are these words. @return how it was answered
  tlm::tlm_response_status submit(std::vector<std::uint64_t> words) {
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, words.data(),
            static_cast<unsigned>(words.size() * sizeof words.front()));
    sc_core::sc_time t;
    socket->b_transport(p, t);
    return p.get_response_status();
  }

  std::uint64_t read(std::uint64_t address, ticks delay = 0) {
    std::uint64_t value = 0;
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_READ_COMMAND, address, &value, sizeof value);
    sc_core::sc_time t = to_sc_time(delay);
    socket->b_transport(p, t);
    status = p.get_response_status();
    return value;
  }

  void write(std::uint64_t address, std::uint64_t value) {
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_WRITE_COMMAND, address, &value, sizeof value);
    sc_core::sc_time t;
    socket->b_transport(p, t);
    status = p.get_response_status();
  }

  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;

 private:
  void run() { what_(*this); }

  std::function<void(foreign_thread&)> what_;
};

}  // namespace muster
