#include "tests/modules/faulty_hop.h"

namespace muster {
namespace {

using protocol_violation = faulty_hop;

const char* const from_initiator =
    "a phase other than BEGIN_REQ and END_RESP comes from the initiator (IEEE 1666-2011, 15.2.3 c))";
const char* const incomplete = "the response status is left TLM_INCOMPLETE_RESPONSE (IEEE 1666-2011, 14.17)";
const char* const mixed = "b_transport and nb_transport are mixed in one transaction (IEEE 1666-2011, 15.2.10 c))";

// Whole messages, once: hop, time, phase, rule, clause, transaction, job.

TEST_F(protocol_violation, is_told_with_hop_time_phase_rule_clause_transaction_and_job) {
  const std::string found = violation([&](auto& me) {
    sc_core::wait(to_sc_time(30));
    auto* slice = new slice_extension;  // the payload's from here on
    slice->descriptor.job = 12;
    me.first.set_extension(slice);
    me.send(me.first, tlm::END_REQ, 12);
  });
  EXPECT_EQ(
      found, std::string("/muster/protocol: hop 'hop' at 42 ps, END_REQ: ") + from_initiator + "; transaction " + [&] {
        std::ostringstream object;
        object << static_cast<const void*>(&initiator.first);
        return object.str();
      }() + ", write at address 0x40, job 12");
}

// Response status.

TEST_F(protocol_violation, begin_resp_with_incomplete_status) {
  expect(incomplete, [&](auto& me) {
    me.send(me.first);
    target.send(me.first, tlm::BEGIN_RESP);
  });
}

TEST_F(protocol_violation, early_completion_with_incomplete_status) {
  changed_on_the_way(incomplete, [](payload& p) { p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE); });
}

TEST_F(protocol_violation, b_transport_with_incomplete_status) {
  target.serves = [](payload& p, sc_core::sc_time&) { p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE); };
  expect(incomplete, [](auto& me) {
    sc_core::sc_time t;
    me.socket->b_transport(me.first, t);
  });
}

// Memory.

TEST_F(protocol_violation, no_memory_manager) {
  expect("nb_transport with a transaction that has no memory manager (IEEE 1666-2011, 14.5 i))", [](auto& me) {
    payload bare;
    me.prepare(bare);
    me.send(bare);
  });
}

TEST_F(protocol_violation, no_reference) {
  expect("nb_transport with a transaction whose reference count is 0 (IEEE 1666-2011, 14.5 t))", [](auto& me) {
    me.first.release();
    me.send(me.first);
  });
}

TEST_F(protocol_violation, object_used_again_while_in_progress) {
  target_updates_to(tlm::END_REQ);
  expect("the transaction object is used again while it is in progress (IEEE 1666-2011, 14.5 x))", [](auto& me) {
    me.send(me.first);
    me.send(me.first);
  });
}

TEST_F(protocol_violation, memory_manager_left_behind) {
  target.serves = [&](payload& p, sc_core::sc_time&) { p.set_mm(&initiator.manager); };
  expect("a memory manager was set on the way and not cleared (IEEE 1666-2011, 14.5 aa))", [](auto& me) {
    payload bare;
    me.prepare(bare);
    sc_core::sc_time t;
    me.socket->b_transport(bare, t);
  });
}

TEST_F(protocol_violation, extension_left_behind) {
  target.serves = [](payload& p, sc_core::sc_time&) { p.set_extension(new slice_extension); };
  expect("an extension was set on the way and not cleared, without a memory manager (IEEE 1666-2011, 14.5 aa))",
         [](auto& me) {
           payload bare;
           me.prepare(bare);
           sc_core::sc_time t;
           me.socket->b_transport(bare, t);
         });
}

// Blocking and debug transport.

TEST_F(protocol_violation, b_transport_of_what_nb_transport_has_in_progress) {
  target_updates_to(tlm::END_REQ);
  expect(mixed, [](auto& me) {
    me.send(me.first);
    sc_core::sc_time t;
    me.socket->b_transport(me.first, t);
  });
}

TEST_F(protocol_violation, nb_transport_of_what_b_transport_has_in_progress) {
  target.serves = [&](payload& p, sc_core::sc_time&) {
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    initiator.send(p);
  };
  expect(mixed, [](auto& me) {
    sc_core::sc_time t;
    me.socket->b_transport(me.first, t);
  });
}

TEST_F(protocol_violation, response_of_what_b_transport_has_in_progress) {
  target.serves = [&](payload& p, sc_core::sc_time&) { target.respond(p); };
  expect(mixed, [](auto& me) {
    sc_core::sc_time t;
    me.socket->b_transport(me.first, t);
  });
}

struct blocking_method : sc_core::sc_module {
  explicit blocking_method(const sc_core::sc_module_name& name, faulty_initiator& i) : sc_module(name), initiator(i) {
    SC_HAS_PROCESS(blocking_method);
    SC_METHOD(run);
  }
  void run() {
    sc_core::sc_time t;
    initiator.socket->b_transport(initiator.first, t);
  }
  faulty_initiator& initiator;
};

TEST_F(protocol_violation, b_transport_from_a_method_process) {
  blocking_method caller{"caller", initiator};
  expect("b_transport is called from a method process (IEEE 1666-2011, 11.1.1.4 b))", [](auto&) {});
}

TEST_F(protocol_violation, debug_transport_that_counts_more_than_there_is) {
  target.shows = [](payload& p) { return p.get_data_length() + 1; };
  expect("debug transport returns a count above the data length (IEEE 1666-2011, 11.3.4 s))",
         [](auto& me) { me.socket->transport_dbg(me.first); });
}

TEST_F(protocol_violation, none_in_what_the_standard_permits) {
  unsigned requests = 0;
  target.answers = [&](payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    switch (++requests) {
      case 1:  // END_REQ left out
        return tlm::TLM_ACCEPTED;
      case 2:  // response in the return path
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        phase = tlm::BEGIN_RESP;
        delay += to_sc_time(3);
        return tlm::TLM_UPDATED;
      default:  // response within the call
        target.respond(p, 5);
        return tlm::TLM_ACCEPTED;
    }
  };
  target.serves = [](payload&, sc_core::sc_time& delay) {
    sc_core::wait(delay + to_sc_time(1));
    delay = sc_core::SC_ZERO_TIME;
  };
  EXPECT_EQ(violation([&](auto& me) {
              me.send(me.first);
              me.send(me.first, strange_phase);  // ignorable, both ways, before END_REQ and after BEGIN_RESP
              target.send(me.first, slice_productive);
              target.respond(me.first);
              me.send(me.first, strange_phase);
              me.send(me.first, tlm::END_RESP);
              me.prepare(me.first);
              me.send(me.first, tlm::BEGIN_REQ, 2);
              me.send(me.first, tlm::END_RESP, 5);
              me.prepare(me.first);
              // An object is sent again from within the answer, once its transaction has ended.
              me.answers = [&](payload& p, tlm::tlm_phase&, sc_core::sc_time& delay) {
                me.send(p, tlm::END_RESP, delay.value());
                return tlm::TLM_ACCEPTED;
              };
              me.send(me.first);
              me.prepare(me.first);
              sc_core::sc_time t = to_sc_time(4);
              me.socket->b_transport(me.first, t);
            }),
            "");
  EXPECT_EQ(hop.open_transactions(), 0u);
  EXPECT_EQ(hop.transactions(), 4u);
  EXPECT_EQ(hop.count(strange_phase), 2u);
  EXPECT_EQ(hop.count(slice_productive), 1u);
}

TEST_F(protocol_violation, none_but_an_open_transaction_where_no_response_comes) {
  target_updates_to(tlm::END_REQ);
  EXPECT_EQ(violation([](auto& me) {
              me.send(me.first);
              me.send(me.second);
            }),
            "");
  EXPECT_EQ(hop.open_transactions(), 2u);
}

TEST(protocol_checker, permits_to_translate_addresses_where_it_is_told) {
  faulty_initiator initiator{"initiator"};
  faulty_target target{"target"};
  protocol_checker hop{"hop", protocol_checker::addresses::may_be_translated};
  initiator.socket.bind(hop.in);
  hop.out.bind(target.socket);
  target.serves = [](payload& p, sc_core::sc_time&) { p.set_address(0x140); };
  initiator.does = [](auto& me) {
    sc_core::sc_time t;
    me.socket->b_transport(me.first, t);
  };
  sc_core::sc_start();
  EXPECT_EQ(hop.transactions(), 1u);
  EXPECT_EQ(hop.open_transactions(), 0u);
}

}  // namespace
}  // namespace muster
