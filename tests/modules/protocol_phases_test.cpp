#include "tests/modules/faulty_hop.h"

namespace muster {
namespace {

using phase_violation = faulty_hop;

const char* const twice_end_req = "END_REQ comes twice, or after BEGIN_RESP (IEEE 1666-2011, 15.2.4)";
const char* const from_target =
    "a phase other than END_REQ and BEGIN_RESP comes from the target (IEEE 1666-2011, 15.2.3 c))";
const char* const from_initiator =
    "a phase other than BEGIN_REQ and END_RESP comes from the initiator (IEEE 1666-2011, 15.2.3 c))";
const char* const not_in_progress =
    "END_REQ or BEGIN_RESP of a transaction that is not in progress (IEEE 1666-2011, 15.2.4)";
const char* const unanswered_response = "END_RESP without a BEGIN_RESP that is unanswered (IEEE 1666-2011, 15.2.4)";
const char* const back_in_time =
    "a phase takes effect before the one that it follows (its timing annotation goes back) (IEEE 1666-2011, 15.2.7 c))";

// Order of phases.

TEST_F(phase_violation, end_req_from_the_initiator) {
  expect(from_initiator, [](auto& me) { me.send(me.first, tlm::END_REQ); });
}

TEST_F(phase_violation, begin_resp_from_the_initiator) {
  expect(from_initiator, [](auto& me) {
    me.send(me.first);
    me.send(me.first, tlm::BEGIN_RESP);
  });
}

TEST_F(phase_violation, begin_req_from_the_target) {
  expect(from_target, [&](auto& me) {
    me.send(me.first);
    target.send(me.first, tlm::BEGIN_REQ);
  });
}

TEST_F(phase_violation, end_resp_in_the_return_path_of_the_target) {
  target_updates_to(tlm::END_RESP);
  expect(from_target, [](auto& me) { me.send(me.first); });
}

TEST_F(phase_violation, uninitialized_phase) {
  expect(from_initiator, [](auto& me) { me.send(me.first, tlm::UNINITIALIZED_PHASE); });
}

TEST_F(phase_violation, end_req_twice) {
  target_updates_to(tlm::END_REQ);
  expect(twice_end_req, [&](auto& me) {
    me.send(me.first);
    target.send(me.first, tlm::END_REQ);
  });
}

TEST_F(phase_violation, end_req_after_begin_resp) {
  expect(twice_end_req, [&](auto& me) {
    me.send(me.first);
    target.respond(me.first);
    target.send(me.first, tlm::END_REQ);
  });
}

TEST_F(phase_violation, begin_resp_twice) {
  expect("BEGIN_RESP comes twice (IEEE 1666-2011, 15.2.4)", [&](auto& me) {
    me.send(me.first);
    target.respond(me.first);
    target.respond(me.first);
  });
}

TEST_F(phase_violation, begin_resp_without_a_request) {
  expect(not_in_progress, [&](auto& me) { target.respond(me.first); });
}

TEST_F(phase_violation, begin_resp_after_early_completion) {
  target_completes_and([](payload&) {});
  expect(not_in_progress, [&](auto& me) {
    me.send(me.first);
    target.respond(me.first);
  });
}

TEST_F(phase_violation, end_resp_before_begin_resp) {
  target_updates_to(tlm::END_REQ);
  expect(unanswered_response, [](auto& me) {
    me.send(me.first);
    me.send(me.first, tlm::END_RESP);
  });
}

TEST_F(phase_violation, end_resp_after_completion) {
  initiator.answers = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
  expect(unanswered_response, [&](auto& me) {
    me.send(me.first);
    target.respond(me.first);
    me.send(me.first, tlm::END_RESP);
  });
}

TEST_F(phase_violation, extended_phase_after_the_end) {
  target_completes_and([](payload&) {});
  expect("an extended phase of a transaction that is not in progress (IEEE 1666-2011, 15.2.5)", [&](auto& me) {
    me.send(me.first);
    target.send(me.first, slice_productive);
  });
}

// What may be returned.

TEST_F(phase_violation, updated_without_a_new_phase) {
  target_updates_to(tlm::BEGIN_REQ);
  expect("TLM_UPDATED is returned and the phase is not changed (IEEE 1666-2011, 11.1.2.7)",
         [](auto& me) { me.send(me.first); });
}

TEST_F(phase_violation, accepted_with_a_changed_phase) {
  target.answers = [](payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    phase = tlm::END_REQ;
    return tlm::TLM_ACCEPTED;
  };
  expect("phase or delay are changed where TLM_ACCEPTED is returned (IEEE 1666-2011, 11.1.2.7)",
         [](auto& me) { me.send(me.first); });
}

TEST_F(phase_violation, accepted_with_a_changed_delay) {
  initiator.answers = [](payload&, tlm::tlm_phase&, sc_core::sc_time& delay) {
    delay += to_sc_time(1);
    return tlm::TLM_ACCEPTED;
  };
  expect("phase or delay are changed where TLM_ACCEPTED is returned (IEEE 1666-2011, 11.1.2.7)", [&](auto& me) {
    me.send(me.first);
    target.send(me.first, tlm::END_REQ);
  });
}

TEST_F(phase_violation, completed_in_answer_to_end_req) {
  initiator.answers = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
  expect("the initiator returns TLM_COMPLETED to another phase than BEGIN_RESP (IEEE 1666-2011, 15.2.4)",
         [&](auto& me) {
           me.send(me.first);
           target.send(me.first, tlm::END_REQ);
         });
}

TEST_F(phase_violation, begin_req_in_the_return_path_of_the_initiator) {
  initiator.answers = [](payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    phase = tlm::BEGIN_REQ;
    return tlm::TLM_UPDATED;
  };
  expect("a phase other than END_RESP comes from the initiator in the return path (IEEE 1666-2011, 15.2.3 c))",
         [&](auto& me) {
           me.send(me.first);
           target.respond(me.first);
         });
}

TEST_F(phase_violation, updated_in_answer_to_end_resp) {
  target.answers = [](payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::END_RESP) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  expect("TLM_UPDATED is returned to END_RESP, after which no phase may follow (IEEE 1666-2011, 15.2.4)",
         [&](auto& me) {
           me.send(me.first);
           target.respond(me.first);
           me.send(me.first, tlm::END_RESP);
         });
}

TEST_F(phase_violation, completed_after_end_req_was_sent) {
  target.answers = [&](payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    target.send(p, tlm::END_REQ);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  expect("TLM_COMPLETED is returned to BEGIN_REQ after the target has sent a phase (IEEE 1666-2011, 15.2.4)",
         [](auto& me) { me.send(me.first); });
}

// Exclusion.

TEST_F(phase_violation, second_request_before_the_first_was_answered) {
  expect("BEGIN_REQ before the request ahead of it was answered (request exclusion rule) (IEEE 1666-2011, 15.2.6 e))",
         [](auto& me) {
           me.send(me.first);
           me.send(me.second);
         });
}

TEST_F(phase_violation, second_response_before_the_first_was_answered) {
  target_updates_to(tlm::END_REQ);
  expect(
      "BEGIN_RESP before the response ahead of it was answered (response exclusion rule) (IEEE 1666-2011, 15.2.6 f))",
      [&](auto& me) {
        me.send(me.first);
        me.send(me.second);
        target.respond(me.first);
        target.respond(me.second);
      });
}

// Time.

TEST_F(phase_violation, response_before_the_end_of_the_request) {
  target_updates_to(tlm::END_REQ, 10);
  expect(back_in_time, [&](auto& me) {
    me.send(me.first);
    target.respond(me.first, 9);
  });
}

TEST_F(phase_violation, early_completion_before_the_request) {
  target.answers = [](payload& p, tlm::tlm_phase&, sc_core::sc_time& delay) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = sc_core::SC_ZERO_TIME;
    return tlm::TLM_COMPLETED;
  };
  expect(back_in_time, [](auto& me) { me.send(me.first, tlm::BEGIN_REQ, 5); });
}

TEST_F(phase_violation, nb_transport_that_waits) {
  target.answers = [](auto&, auto&, auto&) {
    sc_core::wait(to_sc_time(1));
    return tlm::TLM_ACCEPTED;
  };
  expect("nb_transport waits (IEEE 1666-2011, 11.1.2.4)", [](auto& me) { me.send(me.first); });
}

TEST_F(phase_violation, b_transport_that_takes_time_back) {
  target.serves = [](payload&, sc_core::sc_time& delay) { delay = sc_core::SC_ZERO_TIME; };
  expect("b_transport returns with an effective time before the call's (IEEE 1666-2011, 15.2.7)", [](auto& me) {
    sc_core::sc_time t = to_sc_time(5);
    me.socket->b_transport(me.first, t);
  });
}

}  // namespace
}  // namespace muster
