// Faults of bridges and targets as users of TLM-2.0 report them, rebuilt from their descriptions: the checker between
// these modules finds each, and says so word for word. None of the modules is muster's.

#include <deque>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/protocol/protocol_checker.h"

namespace muster {
namespace {

using payload = tlm::tlm_generic_payload;
using sync = tlm::tlm_sync_enum;

sc_core::sc_time picoseconds(double time) { return {time, sc_core::SC_PS}; }

/// A memory manager whose payloads belong to a test.
struct counting_manager final : tlm::tlm_mm_interface {
  void free(payload* p) override {
    p->reset();
    ++returned;
  }
  unsigned returned = 0;
};

/// Does what a test says, in a thread. It releases a payload when its response has come.
struct plain_initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<plain_initiator> socket{"socket"};
  std::function<void(plain_initiator&)> does;
  counting_manager manager;
  std::uint64_t word = 7;
  payload first{&manager}, second{&manager};
  unsigned responses = 0;
  bool releases = true;

  explicit plain_initiator(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(plain_initiator);
    socket.register_nb_transport_bw(this, &plain_initiator::backward);
    SC_THREAD(run);
  }
  void prepare(payload& p) {
    p.set_command(tlm::TLM_WRITE_COMMAND);
    p.set_address(0x40);
    p.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    p.set_data_length(sizeof word);
    p.set_streaming_width(sizeof word);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  void send(payload& p) {
    if (p.get_ref_count() == 0) p.acquire();
    prepare(p);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    socket->nb_transport_fw(p, phase, delay);
  }

 private:
  void run() { does(*this); }
  sync backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    ++responses;
    if (releases) p.release();
    return tlm::TLM_COMPLETED;
  }
};

/// Accepts each request at once and passes it on when the one ahead was accepted, unless it has a fault.
struct bridge : sc_core::sc_module {
  tlm_utils::passthrough_target_socket<bridge> in{"in"};
  tlm_utils::simple_initiator_socket<bridge> out{"out"};
  bool awaits_answers = true, releases = true;

  explicit bridge(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(bridge);
    in.register_nb_transport_fw(this, &bridge::forward);
    out.register_nb_transport_bw(this, &bridge::backward);
    SC_METHOD(pass_on);
    sensitive << next_;
    dont_initialize();
  }

 private:
  sync forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    p.acquire();
    waiting_.push_back(&p);
    next_.notify(delay);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void pass_on() {
    while (!waiting_.empty() && !(awaits_answers && unanswered_)) {
      payload& p = *waiting_.front();
      waiting_.pop_front();
      unanswered_ = true;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      out->nb_transport_fw(p, phase, delay);
    }
  }
  sync backward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_REQ) {
      unanswered_ = false;
      next_.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_ACCEPTED;
    }
    in->nb_transport_bw(p, phase, delay);
    if (releases) p.release();
    return tlm::TLM_COMPLETED;
  }

  std::deque<payload*> waiting_;
  bool unanswered_ = false;
  sc_core::sc_event next_;
};

/// Accepts one request after the other 10 ps after it has come, and answers it 10 ps later.
struct slow_target : sc_core::sc_module {
  tlm_utils::passthrough_target_socket<slow_target> socket{"socket"};

  explicit slow_target(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(slow_target);
    socket.register_nb_transport_fw(this, &slow_target::forward);
    SC_THREAD(serve);
  }
  /// Forgets what it has taken in, and answers none of it.
  void reset() {
    for (payload* p : taken_in_) p->release();
    taken_in_.clear();
  }

 private:
  sync forward(payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    p.acquire();
    taken_in_.push_back(&p);
    arrived_.notify(delay);
    return tlm::TLM_ACCEPTED;
  }
  void serve() {
    for (;;) {
      while (taken_in_.empty()) wait(arrived_);
      wait(picoseconds(10));
      send(tlm::END_REQ);
      wait(picoseconds(10));
      if (taken_in_.empty()) continue;  // it was reset
      taken_in_.front()->set_response_status(tlm::TLM_OK_RESPONSE);
      send(tlm::BEGIN_RESP);
      taken_in_.front()->release();
      taken_in_.pop_front();
    }
  }
  void send(tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    socket->nb_transport_bw(*taken_in_.front(), phase, delay);
  }

  std::deque<payload*> taken_in_;
  sc_core::sc_event arrived_;
};

/// initiator -> near hop -> bridge -> far hop -> target
struct faults_of_bridges : testing::Test {
  plain_initiator initiator{"initiator"};
  protocol_checker near_hop{"near"};
  bridge between{"between"};
  protocol_checker far_hop{"far"};
  slow_target target{"target"};

  void SetUp() override {
    initiator.socket.bind(near_hop.in);
    near_hop.out.bind(between.in);
    between.out.bind(far_hop.in);
    far_hop.out.bind(target.socket);
    sc_core::sc_report_handler::set_handler(nullptr);
    sc_core::sc_report_handler::set_actions("/muster/protocol", sc_core::SC_THROW);
  }

  /// Runs what the initiator does, and what is checked then. @return the message of the violation, or nothing
  std::string violation(
      std::function<void(plain_initiator&)> what, const std::function<void()>& then = [] {}) {
    initiator.does = std::move(what);
    try {
      sc_core::sc_start();
      then();
    } catch (const sc_core::sc_report& report) {
      return report.get_msg();
    }
    return "";
  }
  void check_rest() const {
    near_hop.check_rest();
    far_hop.check_rest();
  }
  /// As messages name the transaction.
  static std::string object(const payload& p) {
    std::ostringstream text;
    text << static_cast<const void*>(&p);
    return text.str();
  }
};

void send_both(plain_initiator& me) {
  me.send(me.first);
  me.send(me.second);
}

TEST_F(faults_of_bridges, none_without_a_fault) {
  EXPECT_EQ(violation(send_both, [&] { check_rest(); }), "");
  EXPECT_EQ(initiator.responses, 2u);
  EXPECT_EQ(initiator.manager.returned, 2u);
}

TEST_F(faults_of_bridges, a_request_is_sent_while_the_last_is_unanswered) {
  between.awaits_answers = false;
  EXPECT_EQ(violation(send_both),
            "hop 'far' at 0 s, BEGIN_REQ: BEGIN_REQ before the request ahead of it was answered "
            "(request exclusion rule) (IEEE 1666-2011, 15.2.6 e)); transaction " +
                object(initiator.second) + ", write at address 0x40");
}

// Everything goes on afterwards: only what was asked before the reset never has its answer.
TEST_F(faults_of_bridges, a_response_is_dropped_when_the_target_is_reset) {
  const auto reset_between = [&](plain_initiator& me) {
    me.send(me.first);
    sc_core::wait(picoseconds(15));
    target.reset();
    sc_core::wait(picoseconds(25));
    me.send(me.second);
  };
  EXPECT_EQ(violation(reset_between, [&] { check_rest(); }),
            "hop 'near' at 60 ps: a request is not answered when nothing is left to do (IEEE 1666-2011, 15.2.4); "
            "transaction " +
                object(initiator.first) + ", write at address 0x40; requested at 0 s, accepted, without a response");
  EXPECT_EQ(initiator.responses, 1u);
  EXPECT_EQ(far_hop.open_transactions(), 1u);
}

TEST_F(faults_of_bridges, a_payload_is_never_released) {
  between.releases = false;
  EXPECT_EQ(violation(send_both, [&] { near_hop.check_releases(); }),
            "hop 'near' at 40 ps: a payload was acquired and is not released when the simulation ends (IEEE 1666-2011, "
            "14.5); transaction " +
                object(initiator.first) +
                ", write at address 0x40; requested at 0 s with 1 reference, ended at 20 ps with 2, 1 left; "
                "1 more on this hop");
  EXPECT_EQ(initiator.manager.returned, 0u);
  for (payload* p : {&initiator.first, &initiator.second}) p->release();
}

TEST_F(faults_of_bridges, a_payload_that_is_never_released_is_named_when_the_simulation_is_stopped) {
  between.releases = false;
  sc_core::sc_report_handler::set_actions("/muster/protocol", sc_core::SC_INFO, sc_core::SC_THROW);
  const std::string found = violation([](plain_initiator& me) {
    me.send(me.first);
    sc_core::wait(picoseconds(50));
    sc_core::sc_stop();
  });
  EXPECT_EQ(found.rfind("hop 'near' at 50 ps: a payload was acquired and is not released when the simulation ends ", 0),
            0u)
      << found;
  initiator.first.release();
}

// At 15 ps the target has not answered: what the bridge holds is under way.
TEST_F(faults_of_bridges, are_not_of_payloads_that_are_under_way_when_the_simulation_is_stopped) {
  sc_core::sc_report_handler::set_actions("/muster/protocol", sc_core::SC_INFO, sc_core::SC_THROW);
  EXPECT_EQ(violation([](plain_initiator& me) {
              me.send(me.first);
              sc_core::wait(picoseconds(15));
              sc_core::sc_stop();
            }),
            "");
  EXPECT_EQ(near_hop.open_transactions(), 1u);
}

TEST_F(faults_of_bridges, are_not_that_an_initiator_keeps_its_payload_for_further_requests) {
  initiator.releases = false;
  EXPECT_EQ(violation(
                [](plain_initiator& me) {
                  for (int n = 0; n < 3; ++n) {
                    me.send(me.first);
                    sc_core::wait(picoseconds(50));
                  }
                },
                [&] { check_rest(); }),
            "");
  EXPECT_EQ(initiator.responses, 3u);
  initiator.first.release();
}

// What nobody manages, nobody can acquire.
TEST(release_watch, does_not_watch_payloads_without_a_memory_manager) {
  payload own;
  release_watch watch;
  watch.begins(own, 1, sc_core::SC_ZERO_TIME);
  watch.ends(&own, 1, sc_core::SC_ZERO_TIME);
  EXPECT_TRUE(watch.unreleased().empty());
}

}  // namespace
}  // namespace muster
