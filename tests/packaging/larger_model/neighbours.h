#pragma once

// The rest of the model: modules with a clock, threads that run ahead of the kernel, and their record.

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <systemc>
#include <tlm>

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
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/// What happened to whom, in an order that does not depend on who wrote first.
class record {
 public:
  void note(const std::string& who, std::uint64_t number, const sc_core::sc_time& at, const std::string& what) {
    lines_[{who, number}] = what + " at " + at.to_string();
  }
  void print(std::ostream& out) const {
    for (const auto& [key, line] : lines_) out << key.first << ' ' << key.second << ' ' << line << '\n';
  }

 private:
  std::map<std::pair<std::string, std::uint64_t>, std::string> lines_;
};

/// Approximately timed: sends a job when it is told to, and tells when it is complete.
class sender : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<sender> socket{"socket"};

  sender(const sc_core::sc_module_name& name, record& all) : sc_module(name), all_(all) {
    socket.register_nb_transport_bw(this, &sender::backward);
  }

 protected:
  void send(std::uint64_t type, const sc_core::sc_time& size) {
    auto* r = new request{this};
    r->acquire();
    r->number = sent_++;
    r->work = {type, size.value()};
    prepare(*r, tlm::TLM_WRITE_COMMAND, 0x00, &r->work, sizeof r->work);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (socket->nb_transport_fw(*r, phase, delay) != tlm::TLM_UPDATED)
      SC_REPORT_FATAL("/example/sender", "muster's scheduler accepts every proper job at once");
  }

 private:
  struct request : tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    job_words work;
    std::uint64_t number;
  };

  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    const std::uint64_t number = static_cast<request&>(p).number;
    all_.note(basename(), number, sc_core::sc_time_stamp() + delay, "complete");
    p.release();
    return tlm::TLM_COMPLETED;
  }

  void free(tlm::tlm_generic_payload* p) override {
    p->reset();
    delete static_cast<request*>(p);
  }

  record& all_;
  std::uint64_t sent_ = 0;
};

/// Sends a frame at every twentieth edge of the clock.
class camera : public sender {
 public:
  sc_core::sc_in<bool> clock{"clock"};

  camera(const sc_core::sc_module_name& name, record& all) : sender(name, all) {
    SC_HAS_PROCESS(camera);
    SC_METHOD(tick);
    sensitive << clock.pos();
    dont_initialize();
  }

 private:
  void tick() {
    if (edges_++ % 20 == 0 && edges_ < 800) send(edges_ % 3 == 0 ? 0 : 1, sc_core::sc_time(90, sc_core::SC_NS));
  }
  std::uint64_t edges_ = 0;
};

/// Loosely timed: a thread with a time of its own computes, has a job done elsewhere, computes on.
class program : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<program> socket{"socket"};

  program(const sc_core::sc_module_name& name, record& all, unsigned step) : sc_module(name), all_(all), step_(step) {
    SC_HAS_PROCESS(program);
    SC_THREAD(run);
  }

 private:
  void run() {
    local_.reset();
    for (unsigned round = 0; round < 30; ++round) {
      for (unsigned n = 0; n < 5; ++n) compute(step_);
      job_words work{round % 2, sc_core::sc_time(40 + 10 * (round % 4), sc_core::SC_NS).value()};
      transport(tlm::TLM_WRITE_COMMAND, 0x00, &work, sizeof work);
      note(round, "complete");
      compute(3 * step_);
      std::uint64_t waiting = 0;
      transport(tlm::TLM_READ_COMMAND, 0x40, &waiting, sizeof waiting);
      note(100 + round, std::to_string(waiting) + " wait");
    }
  }

  void compute(unsigned ns) {
    local_.inc(sc_core::sc_time(ns, sc_core::SC_NS));
    if (local_.need_sync()) local_.sync();
  }

  void transport(tlm::tlm_command command, std::uint64_t address, void* data, unsigned length) {
    tlm::tlm_generic_payload p;
    prepare(p, command, address, data, length);
    sc_core::sc_time delay = local_.get_local_time();
    socket->b_transport(p, delay);
    local_.set(delay);
    if (p.is_response_error()) SC_REPORT_FATAL("/example/program", p.get_response_string().c_str());
  }

  void note(std::uint64_t number, const std::string& what) {
    all_.note(basename(), number, local_.get_current_time(), what);
  }

  record& all_;
  unsigned step_;
  tlm_utils::tlm_quantumkeeper local_;
};
