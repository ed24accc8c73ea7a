#include "tests/modules/foreign_initiator.h"

#include "tests/modules/scene.h"

namespace muster {
namespace {

using manner = foreign_initiator::manner;
constexpr ticks nothing_to_do = 1000;

// Two cores; three jobs of 10, 20 and 30 at times 5, 6 and 7: they complete at 15, 26 and 45.
void submit_three(manner m) {
  scene s{{{1}, {{"node", 1, 2, 1.0}}}};
  foreign_initiator foreign{"foreign", m, 3};
  protocol_checker hop{"hop"};
  foreign.socket.bind(hop.in);
  hop.out.bind(s.central.submissions);
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          for (const std::uint64_t n : {1u, 2u, 3u}) {
                            me.wait_until(4 + n);
                            EXPECT_EQ(foreign.submit(0, 10 * n), tlm::TLM_UPDATED);
                          }
                          me.wait_until(nothing_to_do);
                          EXPECT_EQ(foreign.submit(0, 5), tlm::TLM_UPDATED);  // with a payload that was used before
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  ASSERT_EQ(foreign.responses.size(), 4u);
  const std::vector<ticks> expected{15, 26, 45, nothing_to_do + 5};
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(foreign.responses[n].job, n);
    EXPECT_EQ(foreign.responses[n].at, expected[n]);
    EXPECT_EQ(foreign.responses[n].status, tlm::TLM_OK_RESPONSE);
  }
  EXPECT_EQ(foreign.outstanding(), 0u);
  EXPECT_EQ(foreign.payloads_made(), 3u);
  EXPECT_EQ(hop.open_transactions(), 0u);
}

TEST(foreign_initiator, submits_plain_payloads_and_completes_responses) { submit_three(manner::completes); }

TEST(foreign_initiator, submits_plain_payloads_and_updates_responses_to_their_end) { submit_three(manner::updates); }

TEST(foreign_initiator, submits_plain_payloads_and_ends_responses_later) { submit_three(manner::ends_later); }

TEST(foreign_initiator, may_end_a_response_from_within_the_call) { submit_three(manner::ends_within_the_call); }

TEST(foreign_initiator, holds_up_the_next_response_until_it_ends_the_one_before) {
  scene s{{{1}, {{"node", 1, 3, 1.0}}}};
  foreign_initiator foreign{"foreign", manner::ends_later, 100};
  protocol_checker hop{"hop"};
  foreign.socket.bind(hop.in);
  hop.out.bind(s.central.submissions);
  foreign_thread driver{"driver", [&](foreign_thread&) {
                          for (const std::uint64_t size : {10u, 20u, 30u}) foreign.submit(0, size);
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  ASSERT_EQ(foreign.responses.size(), 3u);
  EXPECT_EQ(foreign.responses[0].at, 10u);
  EXPECT_EQ(foreign.responses[1].at, 110u);
  EXPECT_EQ(foreign.responses[2].at, 210u);
  EXPECT_EQ(foreign.outstanding(), 0u);
}

TEST(foreign_initiator, may_submit_the_next_job_from_within_a_response) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  foreign_initiator foreign{"foreign", manner::completes};
  foreign.socket.bind(s.central.submissions);
  foreign.at_response = [&] {
    if (foreign.responses.size() < 5) foreign.submit(0, 10);
  };
  foreign_thread driver{"driver", [&](foreign_thread&) { foreign.submit(0, 10); }};
  driver.socket.bind(s.central.submissions);
  s.run();
  ASSERT_EQ(foreign.responses.size(), 5u);
  for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(foreign.responses[n].at, 10 * (n + 1));
  EXPECT_EQ(foreign.outstanding(), 0u);
}

TEST(foreign_initiator, may_submit_the_next_pooled_job_from_within_a_response) {
  scene s{{{1}, {{"node", 3, 1, 1.0}}, "fcfs_pooled"}};
  foreign_initiator foreign{"foreign", manner::completes};
  foreign.socket.bind(s.central.submissions);
  foreign.at_response = [&] {
    if (foreign.responses.size() < 5) foreign.submit(0, 30);
  };
  foreign_thread driver{"driver", [&](foreign_thread&) { foreign.submit(0, 30); }};
  driver.socket.bind(s.central.submissions);
  s.run();
  ASSERT_EQ(foreign.responses.size(), 5u);
  for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(foreign.responses[n].at, 10 * (n + 1));
  EXPECT_EQ(foreign.outstanding(), 0u);
}

TEST(foreign_initiator, submits_ahead_of_its_time_and_the_jobs_arrive_when_due) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  foreign_initiator foreign{"foreign", manner::completes};
  foreign.socket.bind(s.central.submissions);
  foreign_thread driver{"driver", [&](foreign_thread&) {
                          foreign.submit(0, 10, 50);
                          foreign.submit(0, 10, 20);
                          foreign.submit(0, 10, 20);
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  ASSERT_EQ(foreign.responses.size(), 3u);
  EXPECT_EQ(foreign.responses[0].at, 30u);
  EXPECT_EQ(foreign.responses[0].job, 1u);
  EXPECT_EQ(foreign.responses[1].at, 40u);
  EXPECT_EQ(foreign.responses[2].at, 60u);
}

TEST(foreign_thread, blocks_until_its_job_is_complete) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  std::vector<ticks> completed;
  const auto twice = [&](ticks delay) {
    return [&completed, delay](foreign_thread& me) {
      completed.push_back(me.submit(0, 10, delay));
      EXPECT_EQ(me.status, tlm::TLM_OK_RESPONSE);
      completed.push_back(me.submit(0, 10));
    };
  };
  foreign_thread one{"one", twice(3)};
  foreign_thread two{"two", twice(4)};
  one.socket.bind(s.central.submissions);
  two.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(completed, (std::vector<ticks>{13, 23, 33, 43}));
}

TEST(foreign_thread, blocks_through_a_link) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  link between{"between", s.time, 7};
  ticks completed = 0;
  foreign_thread one{"one", [&](foreign_thread& me) { completed = me.submit(0, 10, 3); }};
  one.socket.bind(between.in);
  between.out.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(completed, 3u + 7 + 10 + 7);
}

TEST(foreign_initiators, of_all_kinds_share_the_cluster_with_a_source) {
  scene s{{{4, 1}, {{"node", 3, 2, 1.0}}, "first_fit", {2, 1}, 3, 0, true}, random_jobs(500, 2, 15, 30)};
  foreign_initiator foreign{"foreign", manner::ends_later, 2};
  foreign.socket.bind(s.central.submissions);
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          for (ticks n = 1; n <= 100; ++n) {
                            me.wait_until(40 * n);
                            foreign.submit(n % 2, 1 + n % 30, n % 7);
                          }
                        }};
  driver.socket.bind(s.central.submissions);
  foreign_thread blocking{"blocking", [&](foreign_thread& me) {
                            for (ticks n = 1; n <= 50; ++n) me.submit(n % 2, 1 + n, n % 5);
                          }};
  blocking.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.central.jobs_completed(), 650u);
  EXPECT_EQ(foreign.responses.size(), 100u);
  EXPECT_EQ(foreign.outstanding(), 0u);
}

TEST(foreign_payload, that_is_a_clone_of_another_job_is_a_job_of_its_own) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  std::vector<ticks> completed;
  foreign_thread one{"one", [&](foreign_thread& me) {
                       job_extension other;
                       other.descriptor = {99, 99};
                       other.own.borrowed = true;
                       job_descriptor work{0, 10};
                       tlm::tlm_generic_payload original, p;
                       original.set_extension(&other);
                       prepare(p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, &work, sizeof work);
                       p.set_extension(static_cast<job_extension*>(other.clone()));
                       sc_core::sc_time t;
                       me.socket->b_transport(p, t);
                       completed.push_back(sc_core::sc_time_stamp().value());
                       EXPECT_NE(p.get_extension<job_extension>(), nullptr) << "it keeps what it brought along";
                       original.clear_extension(&other);
                     }};
  one.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(completed, std::vector<ticks>{10});
}

TEST(foreign_payload, leaves_without_the_extension_that_the_scheduler_lent_it) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       job_descriptor work{0, 10};
                       tlm::tlm_generic_payload p;
                       for (int round = 0; round < 3; ++round) {
                         prepare(p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, &work, sizeof work);
                         sc_core::sc_time t;
                         me.socket->b_transport(p, t);
                         EXPECT_EQ(p.get_extension<job_extension>(), nullptr);
                         EXPECT_EQ(sc_core::sc_time_stamp().value(), 10u * static_cast<ticks>(round + 1));
                       }
                     }};
  one.socket.bind(s.central.submissions);
  s.run();
}

}  // namespace
}  // namespace muster
