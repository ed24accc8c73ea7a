#pragma once

// Clients that know TLM-2.0 and the register map of modules/docs/interface.md, and nothing else of muster: no header of
// it is included.

#include <cstdint>
#include <deque>
#include <iostream>

#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

/// What is written to the scheduler's doorbell, at address 0.
struct job_words {
  std::uint64_t type, size;
};

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

/// Loosely timed: a thread that waits for each of its jobs, and looks at registers.
class blocking_client : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<blocking_client> socket{"socket"};

  explicit blocking_client(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(blocking_client);
    SC_THREAD(submit_jobs);
    SC_THREAD(look);
    SC_THREAD(make_mistakes);
  }

 private:
  void submit_jobs() {
    wait(10, sc_core::SC_NS);
    submit(sc_core::sc_time(30, sc_core::SC_NS), sc_core::SC_ZERO_TIME);
    // Local time runs 5 ns ahead of the kernel: the job arrives at 45 ns.
    submit(sc_core::sc_time(10, sc_core::SC_NS), sc_core::sc_time(5, sc_core::SC_NS));
  }

  void submit(const sc_core::sc_time& size, sc_core::sc_time delay) {
    job_words work{1, size.value()};
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_WRITE_COMMAND, 0x00, &work, sizeof work);
    socket->b_transport(p, delay);
    std::cout << sc_core::sc_time_stamp() + delay << " blocking: " << p.get_response_string() << '\n';
  }

  void look() {
    for (const double at : {9.0, 20.0, 62.0, 80.0}) {
      wait(sc_core::sc_time(at, sc_core::SC_NS) - sc_core::sc_time_stamp());
      std::cout << sc_core::sc_time_stamp() << " registers: " << read(0x40) << " wait, " << read(0x48)
                << " in service\n";
    }
  }

  std::uint64_t read(std::uint64_t address) {
    std::uint64_t value = 0;
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_READ_COMMAND, address, &value, sizeof value);
    sc_core::sc_time delay;
    socket->b_transport(p, delay);
    return value;
  }

  void make_mistakes() {
    job_words work{1, 10};
    tlm::tlm_generic_payload p;
    const auto answer = [&](const char* what) {
      sc_core::sc_time delay;
      socket->b_transport(p, delay);
      std::cout << sc_core::sc_time_stamp() << ' ' << what << ": " << p.get_response_string() << '\n';
    };
    prepare(p, tlm::TLM_WRITE_COMMAND, 0x1000, &work, sizeof work);
    answer("no such address");
    prepare(p, tlm::TLM_WRITE_COMMAND, 0x40, &work, sizeof work);
    answer("write to a status register");
    prepare(p, tlm::TLM_WRITE_COMMAND, 0x00, &work, sizeof work.type);
    answer("half a job");
    unsigned char enable = TLM_BYTE_ENABLED;
    prepare(p, tlm::TLM_WRITE_COMMAND, 0x00, &work, sizeof work);
    p.set_byte_enable_ptr(&enable);
    p.set_byte_enable_length(1);
    answer("byte enables");
    work.type = 7;
    prepare(p, tlm::TLM_WRITE_COMMAND, 0x00, &work, sizeof work);
    answer("no such class");
  }
};

/// Approximately timed: several jobs are under way at once.
class nonblocking_client : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<nonblocking_client> socket{"socket"};

  explicit nonblocking_client(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(nonblocking_client);
    socket.register_nb_transport_bw(this, &nonblocking_client::backward);
    SC_THREAD(submit_jobs);
  }

 private:
  struct request : tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    job_words work;
  };

  void submit_jobs() {
    wait(12, sc_core::SC_NS);
    submit(0, 20);
    wait(2, sc_core::SC_NS);
    submit(1, 5);
    wait(2, sc_core::SC_NS);
    submit(1, 7);
  }

  void submit(std::uint64_t type, double ns) {
    auto* r = new request{this};
    r->acquire();
    r->work = {type, sc_core::sc_time(ns, sc_core::SC_NS).value()};
    prepare(*r, tlm::TLM_WRITE_COMMAND, 0x00, &r->work, sizeof r->work);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    accepted_ = false;
    const tlm::tlm_sync_enum answer = socket->nb_transport_fw(*r, phase, delay);
    if (answer == tlm::TLM_COMPLETED) return finish(*r, delay);
    if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ) return;
    while (!accepted_) wait(end_of_request_);  // the exclusion rule: no request before the one ahead is accepted
  }

  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) {
      accepted_ = true;
      end_of_request_.notify();
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    finish(p, delay);
    return tlm::TLM_UPDATED;
  }

  void finish(tlm::tlm_generic_payload& p, const sc_core::sc_time& delay) {
    const job_words& work = static_cast<request&>(p).work;
    std::cout << sc_core::sc_time_stamp() + delay << " nonblocking, class " << work.type << ": "
              << p.get_response_string() << '\n';
    p.release();
  }

  void free(tlm::tlm_generic_payload* p) override {
    p->reset();
    delete static_cast<request*>(p);
  }

  bool accepted_ = false;
  sc_core::sc_event end_of_request_;
};
