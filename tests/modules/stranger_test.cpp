#include "tests/modules/fault_text.h"
#include "tests/modules/faulty_hop.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/scene.h"

// Modules that break the base protocol at each hop of muster's: a TLM error response where there is one, else an error
// that names hop, rule and transaction.

namespace muster {
namespace {

using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

void expect_violation(const std::string& found, const std::string& hop, const broken_rule& broken) {
  EXPECT_EQ(found.rfind("/muster/protocol: hop '" + hop + "' at ", 0), 0u) << found;
  const std::string rule =
      std::string(": ") + broken.words + " (IEEE 1666-2011, " + broken.clause + "); transaction 0x";
  EXPECT_NE(found.find(rule), std::string::npos) << found;
}

/// Null data pointers in a blocking call, in one that does not block, and in debug transport.
void null_data_are_generic_errors(faulty_initiator& me, std::uint64_t write, unsigned length, std::uint64_t read) {
  payload& p = me.first;
  const auto each = [&](tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    prepare(p, command, address, nullptr, bytes);
    EXPECT_EQ(me.send(p), TLM_COMPLETED);
    EXPECT_EQ(p.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  };
  each(tlm::TLM_WRITE_COMMAND, write, length);
  each(tlm::TLM_READ_COMMAND, read, 8);
  prepare(p, tlm::TLM_READ_COMMAND, read, nullptr, 8);
  sc_core::sc_time t;
  me.socket->b_transport(p, t);
  EXPECT_EQ(p.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  prepare(p, tlm::TLM_READ_COMMAND, read, nullptr, 8);
  EXPECT_EQ(me.socket->transport_dbg(p), 0u);
}

// Initiators, before the scheduler, a server, or a link: what they do to a target is wrong everywhere alike.

/// Two jobs, or two slices, that a target takes.
struct foreign_requests : testing::Test {
  faulty_initiator initiator{"initiator"};
  std::string hop;

  void violates(const broken_rule& broken, std::function<void(faulty_initiator&)> what) {
    initiator.does = std::move(what);
    expect_violation(fault_of_run(), hop, broken);
  }

  void a_bare_payload() {
    violates(rule::no_memory_manager, [&](auto& me) {
      payload bare;
      bare.set_data_ptr(me.first.get_data_ptr());
      bare.set_data_length(me.first.get_data_length());
      bare.set_streaming_width(me.first.get_data_length());
      bare.set_address(me.first.get_address());
      bare.set_write();
      me.send(bare);
    });
  }
  void an_object_in_use() {
    violates(rule::used_again, [](auto& me) {
      EXPECT_EQ(me.send(me.first), TLM_UPDATED);
      EXPECT_EQ(me.send(me.second), TLM_UPDATED);
      me.first.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      me.send(me.first);
    });
  }
  void an_object_in_use_for_a_request_to_come() {
    violates(rule::used_again, [](auto& me) {
      EXPECT_EQ(me.send(me.first, BEGIN_REQ, 50), TLM_UPDATED);
      me.send(me.first);
    });
  }
  void an_object_whose_response_is_unanswered() {
    violates(rule::used_again, [](auto& me) {
      me.send(me.first);
      sc_core::wait(to_sc_time(1000));  // it has been accepted
      me.send(me.first);
    });
  }
  void a_stray_end_of_response() {
    violates(rule::stray_end_resp, [](auto& me) {
      EXPECT_EQ(me.send(me.first), TLM_UPDATED);
      me.send(me.first, END_RESP);
    });
  }
  void an_end_of_response_of_nothing() {
    violates(rule::stray_end_resp, [](auto& me) { me.send(me.second, END_RESP); });
  }
  void a_second_end_of_response() {
    violates(rule::stray_end_resp, [](auto& me) {
      me.send(me.first);
      sc_core::wait(to_sc_time(1000));
      me.first.acquire();
      EXPECT_EQ(me.send(me.first, END_RESP), TLM_COMPLETED);
      me.send(me.first, END_RESP);
    });
  }
  void a_phase_of_the_targets() {
    violates(rule::not_from_initiator, [](auto& me) { me.send(me.first, END_REQ); });
  }
  void the_end_of_a_response_twice() {
    initiator.answers = [&](payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
      if (phase != BEGIN_RESP) return TLM_ACCEPTED;
      p.acquire();
      initiator.send(p, END_RESP);
      return TLM_COMPLETED;
    };
    violates(rule::answered_already, [](auto& me) { me.send(me.first); });
  }
  void updates_a_response_to(const tlm::tlm_phase& next, const broken_rule& broken) {
    initiator.answers = [next](payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
      if (phase != BEGIN_RESP) return TLM_ACCEPTED;
      phase = next;
      return TLM_UPDATED;
    };
    violates(broken, [](auto& me) { me.send(me.first); });
  }
  void a_wrong_update_of_a_response() { updates_a_response_to(END_REQ, rule::not_returned_by_initiator); }
  void an_update_of_a_response_that_changes_nothing() { updates_a_response_to(BEGIN_RESP, rule::phase_unchanged); }
};

/// before the scheduler
struct foreign_submitter : foreign_requests {
  scene s{{{1}, {{"node", 1, 2, 1.0}}}};
  job_descriptor work{0, 30};

  foreign_submitter() {
    hop = "scheduler.submissions[0]";
    initiator.socket.bind(s.central.submissions);
    for (payload* p : {&initiator.first, &initiator.second})
      prepare(*p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, &work, sizeof work);
  }
};

/// before a server
struct foreign_dispatcher : foreign_requests {
  timekeeper time{"time"};
  server node{"node", time, {1, 2}};
  slice_descriptor work{7, 1, 30};

  foreign_dispatcher() {
    hop = "node.dispatch";
    initiator.socket.bind(node.dispatch);
    for (payload* p : {&initiator.first, &initiator.second})
      prepare(*p, tlm::TLM_WRITE_COMMAND, server_register::doorbell, &work, sizeof work);
  }
};

/// before a link to a server
struct foreign_dispatcher_over_a_link : foreign_requests {
  timekeeper time{"time"};
  link between{"between", time, 7};
  server node{"node", time, {1, 2}};
  slice_descriptor work{7, 1, 30};

  foreign_dispatcher_over_a_link() {
    hop = "between.in";
    initiator.socket.bind(between.in);
    between.out.bind(node.dispatch);
    for (payload* p : {&initiator.first, &initiator.second})
      prepare(*p, tlm::TLM_WRITE_COMMAND, server_register::doorbell, &work, sizeof work);
  }
};

#define MUSTER_OF_EACH_INITIATOR(what)         \
  TEST_F(foreign_submitter, what) { what(); }  \
  TEST_F(foreign_dispatcher, what) { what(); } \
  TEST_F(foreign_dispatcher_over_a_link, what) { what(); }

MUSTER_OF_EACH_INITIATOR(a_bare_payload)
MUSTER_OF_EACH_INITIATOR(an_object_in_use)
MUSTER_OF_EACH_INITIATOR(an_object_in_use_for_a_request_to_come)
MUSTER_OF_EACH_INITIATOR(an_object_whose_response_is_unanswered)
MUSTER_OF_EACH_INITIATOR(a_stray_end_of_response)
MUSTER_OF_EACH_INITIATOR(an_end_of_response_of_nothing)
MUSTER_OF_EACH_INITIATOR(a_second_end_of_response)
MUSTER_OF_EACH_INITIATOR(a_phase_of_the_targets)
MUSTER_OF_EACH_INITIATOR(the_end_of_a_response_twice)
MUSTER_OF_EACH_INITIATOR(a_wrong_update_of_a_response)
MUSTER_OF_EACH_INITIATOR(an_update_of_a_response_that_changes_nothing)

TEST_F(foreign_submitter, with_null_data_gets_a_generic_error) {
  initiator.does = [](auto& me) {
    null_data_are_generic_errors(me, scheduler_register::doorbell, sizeof(job_descriptor),
                                 scheduler_register::jobs_waiting);
    prepare(me.first, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, nullptr, sizeof(job_descriptor));
    sc_core::sc_time t;
    me.socket->b_transport(me.first, t);
    EXPECT_EQ(me.first.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  };
  s.run();
}

TEST_F(foreign_dispatcher, with_null_data_gets_a_generic_error) {
  initiator.does = [](auto& me) {
    null_data_are_generic_errors(me, server_register::doorbell, sizeof(slice_descriptor), server_register::idle_cores);
    null_data_are_generic_errors(me, server_register::stop, 8, server_register::running_cores);
  };
  sc_core::sc_start();
}

TEST_F(foreign_submitter, may_use_an_object_again_after_the_end) {
  std::vector<ticks> ends;
  initiator.answers = [&](payload&, tlm::tlm_phase&, sc_core::sc_time& delay) {
    ends.push_back((sc_core::sc_time_stamp() + delay).value());
    return TLM_COMPLETED;
  };
  initiator.does = [&](auto& me) {
    auto* brought = new job_extension;
    me.second.set_extension(brought);  // of its own, for as long as the payload lives
    for (int n = 0; n < 3; ++n)
      for (payload* p : {&me.first, &me.second}) {
        prepare(*p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, &work, sizeof work);
        EXPECT_EQ(me.send(*p), TLM_UPDATED);
        sc_core::wait(to_sc_time(100));
      }
  };
  s.run();
  EXPECT_EQ(ends, (std::vector<ticks>{30, 130, 230, 330, 430, 530}));
}

TEST_F(foreign_dispatcher, may_use_an_object_again_after_the_end) {
  unsigned ends = 0;
  initiator.answers = [&](payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    ++ends;
    if (ends % 2 == 0) return TLM_COMPLETED;
    initiator.send(p, END_RESP);
    return TLM_ACCEPTED;
  };
  initiator.does = [&](auto& me) {
    for (int n = 0; n < 6; ++n) {
      prepare(me.first, tlm::TLM_WRITE_COMMAND, server_register::doorbell, &work, sizeof work);
      EXPECT_EQ(me.send(me.first, BEGIN_REQ, n % 3), TLM_UPDATED);
      sc_core::wait(to_sc_time(100));
    }
  };
  sc_core::sc_start();
  EXPECT_EQ(ends, 6u);
}

// Targets, behind the scheduler, a job source, or a link.

struct foreign_answers : testing::Test {
  timekeeper time{"time"};
  faulty_target target{"target"};
  std::string hop;
  keeper manager;
  payload unknown{&manager};
  payload* first = nullptr;  ///< the first request

  foreign_answers() { unknown.acquire(); }

  /// What the target does at its first request, with the payload.
  void violates(const broken_rule& broken, std::function<sync(payload&, tlm::tlm_phase&)> what) {
    target.answers = [this, what = std::move(what)](payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
      if (phase != BEGIN_REQ || first) return TLM_ACCEPTED;
      first = &p;
      p.acquire();
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      return what(p, phase);
    };
    expect_violation(fault_of_run(), hop, broken);
  }

  void a_response_to_nothing() {
    violates(rule::answer_not_in_progress, [&](payload&, tlm::tlm_phase&) {
      target.respond(unknown);
      return TLM_ACCEPTED;
    });
  }
  void an_acceptance_of_nothing() {
    violates(rule::answer_not_in_progress, [&](payload&, tlm::tlm_phase&) {
      target.send(unknown, END_REQ);
      return TLM_ACCEPTED;
    });
  }
  void a_second_acceptance() {
    violates(rule::second_end_req, [&](payload& p, tlm::tlm_phase&) {
      target.send(p, END_REQ);
      target.send(p, END_REQ);
      return TLM_ACCEPTED;
    });
  }
  void an_acceptance_in_the_return_path_too() {
    violates(rule::second_end_req, [&](payload& p, tlm::tlm_phase& phase) {
      target.send(p, END_REQ);
      phase = END_REQ;
      return TLM_UPDATED;
    });
  }
  void an_end_after_it_has_accepted() {
    violates(rule::completed_late, [&](payload& p, tlm::tlm_phase&) {
      target.send(p, END_REQ);
      return TLM_COMPLETED;
    });
  }
  void an_update_that_changes_nothing() {
    violates(rule::phase_unchanged, [](payload&, tlm::tlm_phase&) { return TLM_UPDATED; });
  }
  void a_wrong_update() {
    violates(rule::not_from_target, [](payload&, tlm::tlm_phase& phase) {
      phase = END_RESP;
      return TLM_UPDATED;
    });
  }
  void a_phase_of_the_initiators() {
    violates(rule::not_from_target, [&](payload& p, tlm::tlm_phase&) {
      target.send(p, BEGIN_REQ);
      return TLM_ACCEPTED;
    });
  }
  void a_second_response(const broken_rule& broken) {
    violates(broken, [&](payload& p, tlm::tlm_phase&) {
      EXPECT_EQ(target.respond(p), TLM_COMPLETED);
      target.respond(p);
      return TLM_ACCEPTED;
    });
  }
};

struct with_jobs {
  explicit with_jobs(timekeeper& time) : source("source", time, jobs, log) {}
  static job_list two() {
    job_list list;
    list.jobs = {{10, class_id{0}, 30}, {11, class_id{0}, 30}};
    return list;
  }
  job_list jobs = two();
  job_log log;
  job_source source;
};

/// in the place of a server
struct foreign_node : foreign_answers, with_jobs {
  layout l{{1}, {{"node", 1, 2, 1.0}}};
  scheduler central{"scheduler", time, scheduler_of(l)};

  foreign_node() : with_jobs(time) {
    hop = "scheduler.dispatches[0]";
    source.submissions.bind(central.submissions);
    central.dispatches.bind(target.socket);
  }
};

/// in the place of the scheduler
struct foreign_scheduler : foreign_answers, with_jobs {
  foreign_scheduler() : with_jobs(time) {
    hop = "source.submissions";
    source.submissions.bind(target.socket);
  }
};

/// in the place of a scheduler, behind a link
struct foreign_scheduler_over_a_link : foreign_answers, with_jobs {
  link between{"between", time, 7};
  foreign_scheduler_over_a_link() : with_jobs(time) {
    hop = "between.out";
    source.submissions.bind(between.in);
    between.out.bind(target.socket);
  }
};

#define MUSTER_OF_EACH_TARGET(what)           \
  TEST_F(foreign_node, what) { what(); }      \
  TEST_F(foreign_scheduler, what) { what(); } \
  TEST_F(foreign_scheduler_over_a_link, what) { what(); }

MUSTER_OF_EACH_TARGET(a_response_to_nothing)
MUSTER_OF_EACH_TARGET(an_acceptance_of_nothing)
MUSTER_OF_EACH_TARGET(a_second_acceptance)
MUSTER_OF_EACH_TARGET(an_acceptance_in_the_return_path_too)
MUSTER_OF_EACH_TARGET(an_end_after_it_has_accepted)
MUSTER_OF_EACH_TARGET(an_update_that_changes_nothing)
MUSTER_OF_EACH_TARGET(a_wrong_update)
MUSTER_OF_EACH_TARGET(a_phase_of_the_initiators)

TEST_F(foreign_node, a_second_response_to_one_request) { a_second_response(rule::answer_not_in_progress); }

TEST_F(foreign_scheduler, a_second_response_to_one_request) { a_second_response(rule::answer_not_in_progress); }

TEST_F(foreign_scheduler_over_a_link, a_second_response_to_one_request) { a_second_response(rule::second_begin_resp); }

TEST_F(foreign_node, a_response_to_a_job_that_has_gone) {
  // The first job's response comes again after its end: the object is in the pool, or is of use to another.
  target.answers = [&](payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != BEGIN_REQ) return TLM_ACCEPTED;
    p.acquire();
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    if (!first) {
      first = &p;
      delay += to_sc_time(0);
      return TLM_COMPLETED;
    }
    target.respond(*first);
    return TLM_ACCEPTED;
  };
  expect_violation(fault_of_run(), hop, rule::answer_not_in_progress);
}

TEST(foreign_bank, that_responds_over_the_hop_of_another_is_told_so) {
  layout l{{1}, {{"left", 1, 1, 1.0}, {"right", 1, 1, 1.0}}};
  timekeeper time{"time"};
  with_jobs jobs{time};
  scheduler central{"scheduler", time, scheduler_of(l)};
  faulty_target left{"left"}, right{"right"};
  jobs.source.submissions.bind(central.submissions);
  central.dispatches.bind(left.socket);
  central.dispatches.bind(right.socket);
  left.answers = [&](payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == BEGIN_REQ) right.respond(p);
    return TLM_ACCEPTED;
  };
  expect_violation(fault_of_run(), "scheduler.dispatches[1]", rule::answer_not_in_progress);
}

TEST(foreign_bank, that_responds_to_the_scheduler_of_another_cluster_is_told_so) {
  layout l{{1}, {{"node", 1, 1, 1.0}}};
  timekeeper time{"time"};
  with_jobs jobs{time};
  scheduler here{"here", time, scheduler_of(l)}, there{"there", time, scheduler_of(l)};
  faulty_target one{"one"}, two{"two"};
  jobs.source.submissions.bind(here.submissions);
  foreign_thread idle{"idle", [](foreign_thread&) {}};
  idle.socket.bind(there.submissions);
  here.dispatches.bind(one.socket);
  there.dispatches.bind(two.socket);
  one.answers = [&](payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == BEGIN_REQ) two.respond(p);
    return TLM_ACCEPTED;
  };
  expect_violation(fault_of_run(), "there.dispatches[0]", rule::answer_not_in_progress);
}

TEST(foreign_bank, that_saves_what_it_never_had_is_told_so) {
  layout l{{1}, {{"node", 1, 1, 1.0}}, "fcfs_pooled"};
  timekeeper time{"time"};
  with_jobs jobs{time};
  scheduler central{"scheduler", time, scheduler_of(l)};
  faulty_target node{"node"};
  keeper manager;
  payload unknown{&manager};
  unknown.acquire();
  jobs.source.submissions.bind(central.submissions);
  central.dispatches.bind(node.socket);
  node.answers = [&](payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == BEGIN_REQ) node.send(unknown, slice_saving);
    return TLM_ACCEPTED;
  };
  expect_violation(fault_of_run(), "scheduler.dispatches[0]", rule::extended_not_in_progress);
}

// The bank's slice ends at 40, and the bank says afterwards that it saves at 50.
TEST(foreign_bank, that_saves_after_the_end_does_not_interrupt_what_has_ended) {
  layout l{{1}, {{"node", 1, 1, 1.0}}, "fcfs_pooled"};
  timekeeper time{"time"};
  with_jobs jobs{time};
  scheduler central{"scheduler", time, scheduler_of(l)};
  faulty_target node{"node"};
  jobs.source.submissions.bind(central.submissions);
  central.dispatches.bind(node.socket);
  node.answers = [&](payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != BEGIN_REQ) return TLM_ACCEPTED;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    node.send(p, slice_saving, delay.value() + 40);
    delay += to_sc_time(30);
    return TLM_COMPLETED;
  };
  EXPECT_EQ(fault_of_run(), "");
  ASSERT_EQ(jobs.log.records.size(), 2u);
  EXPECT_EQ(jobs.log.records[0].completed, 40u);
  EXPECT_EQ(jobs.log.records[1].completed, 70u);
  EXPECT_EQ(central.outstanding_slices(), 0u);
}

TEST_F(foreign_scheduler_over_a_link, an_extended_phase_of_nothing) {
  violates(rule::extended_not_in_progress, [&](payload&, tlm::tlm_phase&) {
    target.send(unknown, strange_phase);
    return TLM_ACCEPTED;
  });
}

}  // namespace
}  // namespace muster
