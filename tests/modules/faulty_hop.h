#pragma once

#include <functional>

#include "muster/modules/protocol/protocol_checker.h"
#include "tests/modules/foreign_server.h"
#include "tests/modules/scene.h"

namespace muster {

using payload = tlm::tlm_generic_payload;
using sync = tlm::tlm_sync_enum;

/// A memory manager that keeps its payload.
struct keeper final : tlm::tlm_mm_interface {
  void free(payload*) override {}
};

/// An initiator that does what a test says, in a thread; it has two well-made payloads that the test may spoil.
struct faulty_initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<faulty_initiator> socket{"socket"};
  std::function<void(faulty_initiator&)> does;
  /// What it makes of a call of the target's.
  std::function<sync(payload&, tlm::tlm_phase&, sc_core::sc_time&)> answers;
  std::uint64_t words[2] = {7, 9};
  unsigned char enables[2] = {0xff, 0xff};
  keeper manager;
  payload first{&manager}, second{&manager};

  explicit faulty_initiator(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(faulty_initiator);
    socket.register_nb_transport_bw(this, &faulty_initiator::backward);
    SC_THREAD(run);
    for (payload* p : {&first, &second}) {
      p->acquire();
      prepare(*p);
    }
  }

  void prepare(payload& p) {
    p.set_command(tlm::TLM_WRITE_COMMAND);
    p.set_address(0x40);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(words));
    p.set_data_length(sizeof words);
    p.set_streaming_width(sizeof words);
    p.set_byte_enable_ptr(enables);
    p.set_byte_enable_length(sizeof enables);
    p.set_dmi_allowed(false);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  sync send(payload& p, tlm::tlm_phase phase = tlm::BEGIN_REQ, ticks delay = 0) {
    sc_core::sc_time t = to_sc_time(delay);
    return socket->nb_transport_fw(p, phase, t);
  }

 private:
  void run() { does(*this); }
  sync backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return answers ? answers(p, phase, delay) : tlm::TLM_ACCEPTED;
  }
};

/// A target that answers as a test says.
struct faulty_target : sc_core::sc_module {
  tlm_utils::passthrough_target_socket<faulty_target> socket{"socket"};
  std::function<sync(payload&, tlm::tlm_phase&, sc_core::sc_time&)> answers;
  std::function<void(payload&, sc_core::sc_time&)> serves;
  std::function<unsigned(payload&)> shows;

  explicit faulty_target(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &faulty_target::forward);
    socket.register_b_transport(this, &faulty_target::blocking);
    socket.register_transport_dbg(this, &faulty_target::debug);
  }

  sync send(payload& p, tlm::tlm_phase phase, ticks delay = 0) {
    sc_core::sc_time t = to_sc_time(delay);
    return socket->nb_transport_bw(p, phase, t);
  }
  /// A proper response.
  sync respond(payload& p, ticks delay = 0) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return send(p, tlm::BEGIN_RESP, delay);
  }

 private:
  sync forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return answers ? answers(p, phase, delay) : tlm::TLM_ACCEPTED;
  }
  void blocking(payload& p, sc_core::sc_time& delay) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    if (serves) serves(p, delay);
  }
  unsigned debug(payload& p) { return shows ? shows(p) : 0; }
};

/// initiator -> checker -> target
class faulty_hop : public testing::Test {
 protected:
  void SetUp() override {
    initiator.socket.bind(hop.in);
    hop.out.bind(target.socket);
  }

  /// Runs what the initiator does. @return the violation that ended it, or nothing
  std::string violation(std::function<void(faulty_initiator&)> what) {
    initiator.does = std::move(what);
    sc_core::sc_report_handler::set_handler(nullptr);
    sc_core::sc_report_handler::set_actions("/muster/protocol", sc_core::SC_THROW);
    try {
      sc_core::sc_start();
    } catch (const sc_core::sc_report& report) {
      return std::string(report.get_msg_type()) + ": " + report.get_msg();
    }
    return "";
  }

  void expect(const std::string& rule, std::function<void(faulty_initiator&)> what) {
    const std::string found = violation(std::move(what));
    EXPECT_EQ(found.rfind("/muster/protocol: hop 'hop' at ", 0), 0u) << found;
    EXPECT_NE(found.find(": " + rule + "; transaction 0x"), std::string::npos) << found;
    EXPECT_NE(found.find(" at address 0x"), std::string::npos) << found;
  }

  void target_updates_to(const tlm::tlm_phase& phase, ticks later = 0) {
    target.answers = [=](payload& p, tlm::tlm_phase& sent, sc_core::sc_time& delay) {
      if (sent != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
      p.set_response_status(phase == tlm::BEGIN_RESP ? tlm::TLM_OK_RESPONSE : tlm::TLM_INCOMPLETE_RESPONSE);
      sent = phase;
      delay += to_sc_time(later);
      return tlm::TLM_UPDATED;
    };
  }
  void target_completes_and(std::function<void(payload&)> also) {
    target.answers = [also = std::move(also)](payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      also(p);
      return tlm::TLM_COMPLETED;
    };
  }
  void changed_on_the_way(const char* rule, std::function<void(payload&)> change) {
    target_completes_and(std::move(change));
    expect(rule, [](auto& me) { me.send(me.first); });
  }
  void improper(const char* rule, std::function<void(payload&)> spoil) {
    expect(rule, [spoil = std::move(spoil)](auto& me) {
      spoil(me.first);
      me.send(me.first);
    });
  }

  faulty_initiator initiator{"initiator"};
  faulty_target target{"target"};
  protocol_checker hop{"hop"};
};

}  // namespace muster
