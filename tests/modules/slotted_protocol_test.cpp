#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "tests/modules/child.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/foreign_server.h"
#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

// Slotted jobs of somebody who knows the descriptor and nothing else of muster, servers that ignore what they do not
// know, and policies that break the rules.

namespace muster {
namespace {

using status = tlm::tlm_response_status;
using words = std::vector<std::uint64_t>;

constexpr ticks slot = 100;

layout slotted(const std::string& policy = "fifo", unsigned cores = 1) {
  layout l;
  l.groups = {{"node", 1, cores, 1.0}};
  l.policy = policy;
  l.slot = slot;
  return l;
}

std::uint64_t bits_of(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// The data of a job: descriptor, deadline, and what its units are worth.
words data_of(std::uint64_t deadline, const std::vector<double>& gains) {
  words data{0, gains.size() * slot, deadline};
  for (const double gain : gains) data.push_back(bits_of(gain));
  return data;
}

TEST(foreign_slotted_job, is_answered_when_it_is_complete_and_with_an_error_when_it_expires) {
  scene s{slotted()};
  foreign_initiator foreign{"foreign", foreign_initiator::manner::completes};
  protocol_checker hop{"hop"};
  foreign.socket.bind(hop.in);
  hop.out.bind(s.central.submissions);
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          EXPECT_EQ(foreign.submit(data_of(0, {1, 1})), tlm::TLM_UPDATED);
                          EXPECT_EQ(foreign.submit(data_of(2, {5})), tlm::TLM_UPDATED);
                          EXPECT_EQ(foreign.submit(data_of(5, {5, 5}), 110), tlm::TLM_UPDATED) << "arrives at 110";
                          me.wait_until(1000);
                          foreign.submit(data_of(0, {2}));  // with a payload that was used before
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  const std::vector<std::pair<ticks, status>> expected{{200, tlm::TLM_OK_RESPONSE},
                                                       {200, tlm::TLM_GENERIC_ERROR_RESPONSE},
                                                       {400, tlm::TLM_OK_RESPONSE},
                                                       {1100, tlm::TLM_OK_RESPONSE}};
  ASSERT_EQ(foreign.responses.size(), expected.size());
  std::sort(foreign.responses.begin(), foreign.responses.end(),
            [](const auto& a, const auto& b) { return a.job < b.job; });
  for (std::size_t n = 0; n < expected.size(); ++n) {
    EXPECT_EQ(foreign.responses[n].at, expected[n].first) << n;
    EXPECT_EQ(foreign.responses[n].status, expected[n].second) << n;
  }
  EXPECT_EQ(foreign.outstanding(), 0u);
  EXPECT_EQ(hop.open_transactions(), 0u);
}

TEST(foreign_slotted_job, blocks_until_it_is_complete_or_expires) {
  scene s{slotted()};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       EXPECT_EQ(me.submit(data_of(0, {1, 1})), tlm::TLM_OK_RESPONSE);
                       EXPECT_EQ(sc_core::sc_time_stamp().value(), 200u);
                       EXPECT_EQ(me.submit(data_of(3, {1, 1})), tlm::TLM_GENERIC_ERROR_RESPONSE);
                       EXPECT_EQ(sc_core::sc_time_stamp().value(), 300u);
                       EXPECT_EQ(me.submit(data_of(4, {0})), tlm::TLM_OK_RESPONSE) << "complete with its last slot";
                       EXPECT_EQ(sc_core::sc_time_stamp().value(), 400u);
                     }};
  one.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.central.jobs_completed(), 3u);
}

TEST(foreign_slotted_job, is_served_by_what_it_says_that_its_units_are_worth) {
  scene s{slotted("ispeed")};
  std::vector<int> order;
  const auto submits = [&](int number, std::vector<double> gains) {
    return [&order, number, gains](foreign_thread& me) {
      me.submit(data_of(0, gains));
      order.push_back(number);
    };
  };
  foreign_thread one{"one", submits(1, {2})}, two{"two", submits(2, {9})}, three{"three", submits(3, {3, 0.5})};
  for (foreign_thread* each : {&one, &two, &three}) each->socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(order, (std::vector<int>{2, 1, 3}));
}

TEST(foreign_slotted_job, of_a_class_that_knows_what_units_are_worth_brings_a_deadline_alone) {
  layout l = slotted();
  l.worth = std::make_shared<const utility>(std::vector<double>{2, 1});
  scene s{l};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       EXPECT_EQ(me.submit({0, 2 * slot, 0}), tlm::TLM_OK_RESPONSE);
                       EXPECT_EQ(sc_core::sc_time_stamp().value(), 200u);
                       EXPECT_EQ(me.submit({0, 3 * slot, 0}), tlm::TLM_GENERIC_ERROR_RESPONSE) << "other units";
                       EXPECT_EQ(me.submit(data_of(0, {2, 1})), tlm::TLM_BURST_ERROR_RESPONSE) << "gains too";
                       EXPECT_EQ(me.submit({0, 2 * slot}), tlm::TLM_BURST_ERROR_RESPONSE) << "no deadline";
                     }};
  one.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.central.jobs_arrived(), 1u);
}

/// Sends a job's data in a blocking or in a non-blocking call. @return how they are refused
using refusal = status (*)(foreign_thread&, words);

status refused_blocking(foreign_thread& me, words data) { return me.submit(std::move(data)); }

status refused_non_blocking(foreign_thread& me, words data) {
  tlm::tlm_generic_payload p;
  prepare(p, tlm::TLM_WRITE_COMMAND, scheduler_register::doorbell, data.data(),
          static_cast<unsigned>(data.size() * sizeof data.front()));
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time t;
  EXPECT_EQ(me.socket->nb_transport_fw(p, phase, t), tlm::TLM_COMPLETED);
  EXPECT_EQ(p.get_extension<job_extension>(), nullptr);
  return p.get_response_status();
}

class malformed_slotted_job : public testing::TestWithParam<refusal> {
 protected:
  // At time 250, when slot 4 is the next.
  static void expect(const std::function<void(foreign_thread&)>& what, const layout& l = slotted()) {
    scene s{l};
    foreign_thread one{"one", [&](foreign_thread& me) {
                         me.wait_until(250);
                         what(me);
                       }};
    one.socket.bind(s.central.submissions);
    s.run();
    EXPECT_EQ(s.central.jobs_arrived(), 0u);
  }
};

TEST_P(malformed_slotted_job, of_another_length_is_a_burst_error) {
  expect([&](foreign_thread& me) {
    for (const words& data : {words{0, 2 * slot}, words{0, 2 * slot, 0}, words{0, 2 * slot, 0, 0},
                              words{0, 2 * slot, 0, 0, 0, 0}, words{0, 1}, words{0, ~std::uint64_t{0}, 0}})
      EXPECT_EQ(GetParam()(me, data), tlm::TLM_BURST_ERROR_RESPONSE) << data.size() << " words";
  });
}

TEST_P(malformed_slotted_job, that_is_no_whole_number_of_units_is_an_error) {
  expect([&](foreign_thread& me) {
    EXPECT_EQ(GetParam()(me, {0, 0, 0}), tlm::TLM_GENERIC_ERROR_RESPONSE) << "no unit";
    EXPECT_EQ(GetParam()(me, {0, slot + 1, 0, 0}), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(GetParam()(me, {0, slot - 1, 0}), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TEST_P(malformed_slotted_job, whose_gains_make_no_utility_is_an_error) {
  expect([&](foreign_thread& me) {
    for (const double gain : {-1.0, -1e-300, std::nan(""), std::numeric_limits<double>::infinity()})
      EXPECT_EQ(GetParam()(me, data_of(0, {1, gain})), tlm::TLM_GENERIC_ERROR_RESPONSE) << gain;
  });
}

TEST_P(malformed_slotted_job, whose_gains_have_no_finite_sum_is_an_error) {
  expect([&](foreign_thread& me) {
    EXPECT_EQ(GetParam()(me, data_of(0, {1.5e308, 1.5e308})), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TEST_P(malformed_slotted_job, whose_deadline_cannot_be_is_an_error) {
  expect([&](foreign_thread& me) {
    EXPECT_EQ(GetParam()(me, data_of(end_of_clock / slot, {1})), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(GetParam()(me, data_of(~std::uint64_t{0}, {1})), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

// Of slots of one tick a size can say more units than data can have bytes.
TEST_P(malformed_slotted_job, whose_size_overflows_its_length_is_not_read_beyond_its_data) {
  layout l = slotted();
  l.slot = 1;
  expect(
      [&](foreign_thread& me) {
        for (const std::uint64_t size : {~std::uint64_t{0}, (std::uint64_t{1} << 61) - 1, std::uint64_t{1} << 61})
          EXPECT_EQ(GetParam()(me, {0, size}), tlm::TLM_BURST_ERROR_RESPONSE) << size;
      },
      l);
}

INSTANTIATE_TEST_SUITE_P(in_a, malformed_slotted_job, testing::Values(&refused_blocking, &refused_non_blocking),
                         [](const auto& p) { return p.param == &refused_blocking ? "blocking_call" : "other_call"; });

TEST(foreign_slotted_job, whose_deadline_passes_on_its_way_expires_as_it_arrives) {
  scene s{slotted()};
  foreign_initiator foreign{"foreign", foreign_initiator::manner::completes};
  foreign.socket.bind(s.central.submissions);
  foreign_thread driver{"driver", [&](foreign_thread&) { foreign.submit(data_of(1, {1}), 350); }};
  driver.socket.bind(s.central.submissions);
  s.run();
  ASSERT_EQ(foreign.responses.size(), 1u);
  EXPECT_EQ(foreign.responses[0].at, 350u);
  EXPECT_EQ(foreign.responses[0].status, tlm::TLM_GENERIC_ERROR_RESPONSE);
}

/// FIFO that writes down which jobs it learns of.
class notes_jobs final : public slotted_policy {
 public:
  const std::vector<std::uint64_t>& jobs() const { return jobs_; }

 private:
  void arrived(const job& j, slotted_view, slotted_decisions&) override { jobs_.push_back(j.id); }
  void expired(const job& j, slotted_view, slotted_decisions&) override { jobs_.push_back(j.id); }
  void slot_begins(slotted_view cluster, slotted_decisions& decide) override {
    for (const class_id id : cluster.classes())
      if (const job* j = cluster.running(id) ? cluster.running(id) : cluster.first(id)) decide.serve(*j);
  }
  std::vector<std::uint64_t> jobs_;
};

TEST(foreign_slotted_job, that_comes_too_late_for_its_last_slot_expires_unknown_to_the_policy) {
  layout l = slotted();
  l.own_policy = &own_policy<notes_jobs>();
  scene s{l};
  const auto& known = static_cast<const notes_jobs&>(s.central.active_policy()).jobs();
  foreign_initiator foreign{"foreign", foreign_initiator::manner::completes};
  foreign.socket.bind(s.central.submissions);
  std::uint64_t waiting = 0;
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          me.wait_until(250);
                          EXPECT_EQ(foreign.submit(data_of(3, {1})), tlm::TLM_UPDATED) << "its slot has begun";
                          EXPECT_EQ(foreign.submit(data_of(2, {1})), tlm::TLM_UPDATED) << "its slot is over";
                          EXPECT_EQ(foreign.submit(data_of(4, {1})), tlm::TLM_UPDATED);
                          me.wait_until(260);
                          waiting = me.read(scheduler_register::jobs_waiting);
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(known, (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(waiting, 1u);
  EXPECT_EQ(s.central.jobs_arrived(), 3u);
  std::sort(foreign.responses.begin(), foreign.responses.end(),
            [](const auto& a, const auto& b) { return a.job < b.job; });
  const std::vector<std::pair<ticks, status>> expected{
      {300, tlm::TLM_GENERIC_ERROR_RESPONSE}, {250, tlm::TLM_GENERIC_ERROR_RESPONSE}, {400, tlm::TLM_OK_RESPONSE}};
  ASSERT_EQ(foreign.responses.size(), expected.size());
  for (std::size_t n = 0; n < expected.size(); ++n) {
    EXPECT_EQ(foreign.responses[n].at, expected[n].first) << n;
    EXPECT_EQ(foreign.responses[n].status, expected[n].second) << n;
  }
  EXPECT_EQ(foreign.outstanding(), 0u);
}

TEST(foreign_slotted_job, blocks_until_its_last_slot_ends_where_that_has_begun_without_it) {
  scene s{slotted()};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       me.wait_until(250);
                       EXPECT_EQ(me.submit(data_of(3, {1})), tlm::TLM_GENERIC_ERROR_RESPONSE);
                       EXPECT_EQ(sc_core::sc_time_stamp().value(), 300u);
                     }};
  one.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.central.jobs_completed(), 1u);
}

/// Dispatches a slice to a server, and writes to the server's registers, as anybody may.
class foreign_scheduler : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<foreign_scheduler> socket{"socket"};
  ticks ended = 0;

  /// @param register_of_end written to at time 30
  foreign_scheduler(const sc_core::sc_module_name& name, std::uint64_t register_of_end)
      : sc_module(name), register_of_end_(register_of_end) {
    SC_HAS_PROCESS(foreign_scheduler);
    socket.register_nb_transport_bw(this, &foreign_scheduler::backward);
    SC_THREAD(run);
  }

 private:
  void run() {
    prepare(slice_, tlm::TLM_WRITE_COMMAND, server_register::doorbell, &work_, sizeof work_);
    slice_.set_mm(&keeps_);
    slice_.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time t;
    EXPECT_EQ(socket->nb_transport_fw(slice_, phase, t), tlm::TLM_UPDATED);
    wait(to_sc_time(30));
    std::uint64_t job = work_.job;
    tlm::tlm_generic_payload p;
    prepare(p, tlm::TLM_WRITE_COMMAND, register_of_end_, &job, sizeof job);
    socket->b_transport(p, t);
    EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
    wait(to_sc_time(500));
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(p, t);
    EXPECT_EQ(p.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE) << "nothing is left to end";
  }

  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    EXPECT_EQ(p.get_response_status(), tlm::TLM_OK_RESPONSE);
    ended = (sc_core::sc_time_stamp() + delay).value();
    return tlm::TLM_COMPLETED;
  }

  struct keeper final : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload*) override {}
  };

  std::uint64_t register_of_end_;
  slice_descriptor work_{7, 1, 1000};
  keeper keeps_;
  tlm::tlm_generic_payload slice_;
};

// @return when the slice's response comes, and how long its core was kept busy with anything but work
std::pair<ticks, ticks> ended_by(std::uint64_t register_of_end) {
  timekeeper time{"time"};
  server_costs costs;
  costs.save = 20;
  server node{"node", time, {1, 1, costs}};
  foreign_scheduler foreign{"foreign", register_of_end};
  foreign.socket.bind(node.dispatch);
  sc_core::sc_start();
  return {foreign.ended, node.times(0, time.now()).overhead};
}

TEST(server, saves_the_state_of_a_slice_that_is_stopped) {
  EXPECT_EQ(ended_by(server_register::stop), (std::pair<ticks, ticks>{50, 20}));
}

TEST(server, does_not_save_the_state_of_a_slice_that_is_released) {
  EXPECT_EQ(ended_by(server_register::release), (std::pair<ticks, ticks>{30, 0}));
}

/// source -> scheduler -> a server that somebody else has written.
struct foreign_cluster : front_end {
  foreign_cluster(foreign_server::manner m, unsigned cores, std::vector<job_request> requests,
                  const std::string& policy = "fifo")
      : front_end(slotted(policy, cores), std::move(requests)), foreign("foreign", m) {
    central.dispatches.bind(hop.in);
    hop.out.bind(foreign.socket);
  }
  void run() const {
    front_end::run();
    EXPECT_EQ(hop.open_transactions(), 0u);
  }

  foreign_server foreign;
  protocol_checker hop{"hop"};
};

const utility three_units{{3, 2, 1}};

job_request request_of(ticks arrival, std::uint64_t deadline, const utility& worth) {
  return {arrival, class_id{0}, worth.units() * slot, {}, deadline, &worth};
}

class foreign_server_of_slotted_jobs : public testing::TestWithParam<foreign_server::manner> {};

// It knows the duration of its slice, and nothing of work that is shared.
TEST_P(foreign_server_of_slotted_jobs, does_all_the_work_alone_and_the_job_is_complete) {
  foreign_cluster s{GetParam(), 1, {request_of(0, 4, three_units), request_of(0, 0, three_units)}};
  s.run();
  for (const std::size_t n : {0, 1}) {
    EXPECT_EQ(s.log.records[n].completed, 300 * (n + 1));
    EXPECT_FALSE(s.log.records[n].expired);
    EXPECT_EQ(s.log.records[n].earned, 6.0);
  }
}

INSTANTIATE_TEST_SUITE_P(that_ignores_extensions, foreign_server_of_slotted_jobs,
                         testing::Values(foreign_server::manner::plain, foreign_server::manner::responds_at_once,
                                         foreign_server::manner::completes_at_once,
                                         foreign_server::manner::speaks_other_phases));

TEST(slotted_jobs_on_a_foreign_server, whose_job_expires_keeps_it_until_its_slice_ends_and_nothing_is_earned) {
  foreign_cluster s{foreign_server::manner::plain, 1, {request_of(0, 2, three_units)}};
  s.run();
  EXPECT_TRUE(s.log.records[0].expired);
  EXPECT_EQ(s.log.records[0].completed, 300u);
  EXPECT_EQ(s.log.records[0].earned, 0.0) << "nobody knows how far it had come";
}

// The server does the first job's 300 to the end, though it is asked to stop at 100. Whether that was all of it nobody
// knows: the second job has the core from 300 on, and then the first one again.
TEST(slotted_jobs_on_a_foreign_server, that_ignores_a_stop_are_not_complete_when_their_slice_ends) {
  const utility one_unit{{1}};
  foreign_cluster s{
      foreign_server::manner::plain, 1, {request_of(0, 0, three_units), request_of(50, 9, one_unit)}, "edf"};
  s.run();
  EXPECT_EQ(s.log.of(0).completed, 700u);
  EXPECT_EQ(s.log.of(1).completed, 400u);
}

TEST(slotted_jobs_on_a_foreign_server, with_several_cores_for_a_job_completes_it_with_the_first_that_is_done) {
  foreign_cluster s{foreign_server::manner::plain, 2, {request_of(0, 0, three_units), request_of(0, 0, three_units)}};
  s.run();
  EXPECT_EQ(s.log.records[0].completed, 300u);
  EXPECT_EQ(s.log.records[0].earned, 6.0);
  EXPECT_EQ(s.log.records[1].completed, 600u);
}

/// Serves at another time than it should.
class serves_on_arrival final : public slotted_policy {
  void slot_begins(slotted_view, slotted_decisions&) override {}
  void arrived(const job& j, slotted_view, slotted_decisions& decide) override { decide.serve(j); }
};

class serves_on_completion final : public slotted_policy {
  void arrived(const job& j, slotted_view, slotted_decisions&) override { latest_ = &j; }
  void slot_begins(slotted_view cluster, slotted_decisions& decide) override {
    if (const job* first = cluster.earliest()) decide.serve(*first);
  }
  void completed(const job&, slotted_view, slotted_decisions& decide) override { decide.serve(*latest_); }
  const job* latest_ = nullptr;
};

class serves_by_half_too_much final : public slotted_policy {
  void slot_begins(slotted_view cluster, slotted_decisions& decide) override {
    decide.serve(*cluster.earliest(), cluster.slot_cores());
    decide.serve(*cluster.earliest(), 0.5);
  }
};

class serves_with final : public slotted_policy {
 public:
  static inline double units = 0.0;

 private:
  void slot_begins(slotted_view cluster, slotted_decisions& decide) override {
    decide.serve(*cluster.earliest(), units);
  }
};

class serves_who_has_left final : public slotted_policy {
  void arrived(const job& j, slotted_view, slotted_decisions&) override {
    if (!first_) first_ = &j;
  }
  void slot_begins(slotted_view, slotted_decisions& decide) override { decide.serve(*first_); }
  const job* first_ = nullptr;
};

class serves_nobody final : public slotted_policy {
  void slot_begins(slotted_view, slotted_decisions&) override {}
};

const utility one_unit{{1}};

template <class Policy>
void ends_with(const std::string& fault,
               std::vector<job_request> jobs = {request_of(0, 0, one_unit), request_of(150, 0, one_unit)},
               layout l = slotted("fifo", 2)) {
  expect_report("/muster/scheduler", fault);
  l.own_policy = &own_policy<Policy>();
  scene s{l, std::move(jobs)};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

TEST(policy_that_breaks_the_rules_of_slots, serves_when_a_job_arrives) {
  ends_with<serves_on_arrival>("the policy served job 0 in a slot, but none begins");
}

TEST(policy_that_breaks_the_rules_of_slots, serves_when_a_job_completes) {
  ends_with<serves_on_completion>("the policy served job 1 in a slot, but none begins",
                                  {request_of(0, 0, one_unit), request_of(50, 0, one_unit)});
}

TEST(policy_that_breaks_the_rules_of_slots, gives_out_more_cores_than_there_are) {
  ends_with<serves_by_half_too_much>(
      "the policy served job 0 in a slot, with 0.5 units of core time more than the slot's 2 cores have");
}

TEST(policy_that_breaks_the_rules_of_slots, gives_out_all_that_numbers_can_tell) {
  serves_with::units = std::numeric_limits<double>::infinity();
  ends_with<serves_with>(
      "the policy served job 0 in a slot, with inf units of core time more than the slot's 2 cores have");
}

TEST(policy_that_breaks_the_rules_of_slots, serves_with_nothing) {
  for (const auto& [units, text] : {std::pair{0.0, "0"}, std::pair{-1.0, "-1"}, std::pair{std::nan(""), "nan"}})
    EXPECT_EQ(in_child([units = units, text = text] {
                serves_with::units = units;
                ends_with<serves_with>(std::string("the policy served job 0 in a slot, with ") + text +
                                       " units of core time");
                return "as expected";
              }),
              "as expected")
        << text;
}

TEST(policy_that_breaks_the_rules_of_slots, serves_a_job_that_has_left) {
  ends_with<serves_who_has_left>("the policy served job 0 in a slot, which has left",
                                 {request_of(0, 0, one_unit), request_of(50, 0, one_unit)});
}

TEST(policy_that_breaks_the_rules_of_slots, serves_nobody) {
  ends_with<serves_nobody>("the policy has served no job in 100000 slots while jobs waited");
}

// Patience is for slots in which jobs wait: a policy may serve nobody for as long if it serves somebody at times.
TEST(policy_that_serves_seldom, is_no_fault) {
  class seldom final : public slotted_policy {
    void slot_begins(slotted_view cluster, slotted_decisions& decide) override {
      if (++slots_ % 90'000 == 0 || cluster.in_service() > 0)
        for (const class_id id : cluster.classes())
          if (const job* j = cluster.running(id) ? cluster.running(id) : cluster.first(id)) decide.serve(*j);
    }
    unsigned slots_ = 0;
  };
  const utility two{{1, 1}};
  layout l = slotted("fifo", 1);
  l.own_policy = &own_policy<seldom>();
  scene s{l, {request_of(0, 0, two), request_of(0, 0, two)}};
  s.run();
  EXPECT_EQ(s.log.records[1].completed, 2 * 90'000 * slot + slot);
}

}  // namespace
}  // namespace muster
