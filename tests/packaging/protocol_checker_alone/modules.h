#pragma once

// Modules of somebody else's model, none of which knows muster.

#include <cstdint>
#include <cstring>
#include <deque>

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

using payload = tlm::tlm_generic_payload;

/// Writes three words, one every 20 ns.
class client : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<client> socket{"socket"};
  unsigned payloads_returned = 0;

  explicit client(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(client);
    socket.register_nb_transport_bw(this, &client::backward);
    SC_THREAD(write_words);
  }

 private:
  void write_words() {
    for (unsigned n = 0; n < 3; ++n) {
      payload& p = payloads_[n];
      words_[n] = n;
      p.acquire();
      p.set_command(tlm::TLM_WRITE_COMMAND);
      p.set_address(n * sizeof words_[n]);
      p.set_data_ptr(reinterpret_cast<unsigned char*>(&words_[n]));
      p.set_data_length(sizeof words_[n]);
      p.set_streaming_width(sizeof words_[n]);
      p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      socket->nb_transport_fw(p, phase, delay);
      wait(20, sc_core::SC_NS);
    }
  }
  tlm::tlm_sync_enum backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    p.release();
    return tlm::TLM_COMPLETED;
  }
  void free(payload* p) override {
    p->reset();
    ++payloads_returned;
  }

  std::uint64_t words_[3]{};
  payload payloads_[3]{payload{this}, payload{this}, payload{this}};
};

/// Passes requests on 5 ns later. It has a fault: it keeps each payload, and releases none.
class bridge : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<bridge> in{"in"};
  tlm_utils::simple_initiator_socket<bridge> out{"out"};

  explicit bridge(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(bridge);
    in.register_nb_transport_fw(this, &bridge::forward);
    out.register_nb_transport_bw(this, &bridge::backward);
    SC_METHOD(pass_on);
    sensitive << delayed_.get_event();
    dont_initialize();
  }

 private:
  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    p.acquire();
    delayed_.notify(p, delay + sc_core::sc_time(5, sc_core::SC_NS));
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void pass_on() {
    while (payload* p = delayed_.get_next_transaction()) {
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      out->nb_transport_fw(*p, phase, delay);
    }
  }
  tlm::tlm_sync_enum backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return in->nb_transport_bw(p, phase, delay);
  }

  tlm_utils::peq_with_get<payload> delayed_{"delayed"};
};

/// Answers each request 5 ns later.
class memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<memory> socket{"socket"};
  unsigned char bytes[64]{};

  explicit memory(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(memory);
    socket.register_nb_transport_fw(this, &memory::forward);
    SC_METHOD(respond);
    sensitive << accepted_.get_event();
    dont_initialize();
  }

 private:
  tlm::tlm_sync_enum forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    p.acquire();
    accepted_.notify(p, delay + sc_core::sc_time(5, sc_core::SC_NS));
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void respond() {
    while (payload* p = accepted_.get_next_transaction()) {
      const bool fits = p->get_address() + p->get_data_length() <= sizeof bytes;
      if (fits) std::memcpy(bytes + p->get_address(), p->get_data_ptr(), p->get_data_length());
      p->set_response_status(fits ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      socket->nb_transport_bw(*p, phase, delay);
      p->release();
    }
  }

  tlm_utils::peq_with_get<payload> accepted_{"accepted"};
};
