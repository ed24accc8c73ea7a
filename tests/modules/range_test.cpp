#include <limits>

#include "tests/modules/fault_text.h"
#include "tests/modules/faulty_hop.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

// Sizes and times that leave the range of simulated time: a generic error response, or a fault that names the job.

namespace muster {
namespace {

using status = tlm::tlm_response_status;

constexpr ticks largest = std::numeric_limits<ticks>::max();
std::string beyond(const std::string& what) {
  return "simulated time leaves the range of the clock; take fewer jobs or a coarser time_unit (" + what + ")";
}

TEST(effective_time, of_a_delay_beyond_the_range_of_the_kernel_does_not_wrap) {
  timekeeper time{"time"};
  server unused{"unused", time, {1, 1}};
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          me.wait_until(1000);
                          EXPECT_EQ(time.effective(to_sc_time(5)), 1005u);
                          EXPECT_EQ(time.effective(to_sc_time(largest - 1000)), largest);
                          EXPECT_EQ(time.effective(to_sc_time(largest - 999)), largest);
                          EXPECT_EQ(time.effective(sc_core::sc_max_time()), largest);
                        }};
  driver.socket.bind(unused.dispatch);
  sc_core::sc_start();
}

struct size_and_delay {
  ticks size, delay;
};
// At 1000: size, delay, or their sum with the present time cannot be.
const std::vector<size_and_delay> impossible{{largest, 0},
                                             {end_of_clock, 0},
                                             {end_of_clock - 1000, 0},
                                             {10, largest},
                                             {10, largest - 1000},
                                             {10, end_of_clock - 1000},
                                             {10, end_of_clock - 1010},
                                             {end_of_clock / 2, end_of_clock / 2 - 1000}};

TEST(job, that_leaves_the_range_of_time_is_a_generic_error_in_a_non_blocking_call) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  foreign_initiator foreign{"foreign", foreign_initiator::manner::completes};
  foreign.socket.bind(s.central.submissions);
  foreign_thread driver{"driver", [&](foreign_thread& me) {
                          me.wait_until(1000);
                          for (const auto& [size, delay] : impossible) {
                            EXPECT_EQ(foreign.submit(0, size, delay), tlm::TLM_COMPLETED) << size << ' ' << delay;
                            EXPECT_EQ(foreign.responses.back().status, tlm::TLM_GENERIC_ERROR_RESPONSE);
                          }
                          EXPECT_EQ(foreign.submit(0, 10), tlm::TLM_UPDATED) << "all is well after them";
                        }};
  driver.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(foreign.responses.size(), impossible.size() + 1);
  EXPECT_EQ(foreign.responses.back().at, 1010u);
  EXPECT_EQ(s.central.jobs_arrived(), 1u);
}

TEST(job, that_leaves_the_range_of_time_is_a_generic_error_in_a_blocking_call) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       me.wait_until(1000);
                       for (const auto& [size, delay] : impossible) {
                         me.submit(0, size, delay);
                         EXPECT_EQ(me.status, tlm::TLM_GENERIC_ERROR_RESPONSE) << size << ' ' << delay;
                         EXPECT_EQ(sc_core::sc_time_stamp().value(), 1000u);
                       }
                       for (const ticks delay : {largest, end_of_clock - 1000}) {
                         me.read(scheduler_register::jobs_waiting, delay);
                         EXPECT_EQ(me.status, tlm::TLM_GENERIC_ERROR_RESPONSE);
                       }
                     }};
  one.socket.bind(s.central.submissions);
  s.run();
  EXPECT_EQ(s.central.jobs_arrived(), 0u);
}

TEST(job, that_comes_to_the_last_tick_is_served) {
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  foreign_thread one{"one", [&](foreign_thread& me) {
                       EXPECT_EQ(me.submit(0, end_of_clock - 11, 10), end_of_clock - 1);
                       EXPECT_EQ(me.status, tlm::TLM_OK_RESPONSE);
                     }};
  one.socket.bind(s.central.submissions);
  s.run();
}

TEST(job, that_would_end_beyond_the_range_of_time_after_waiting_is_a_fault_that_names_it) {
  expect_report("/muster/timekeeper", beyond("the end of job 1"));
  scene s{{{1}, {{"node", 1, 1, 1.0}}}, {{0, class_id{0}, end_of_clock / 2}, {0, class_id{0}, end_of_clock / 2}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

TEST(job, that_would_end_beyond_the_range_of_time_on_a_slow_server_is_a_fault_that_names_it) {
  expect_report("/muster/timekeeper", beyond("the end of job 1"));
  scene s{{{1}, {{"node", 1, 2, 0.25}}}, {{0, class_id{0}, 10}, {0, class_id{0}, end_of_clock / 2}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

TEST(job, of_a_source_that_leaves_the_range_of_time_is_a_fault_that_says_so) {
  expect_report("/muster/timekeeper", beyond("a job of size 4611686018427387900"));  // 2^62 - 4
  scene s{{{1}, {{"node", 1, 1, 1.0}}}, {{10, class_id{0}, end_of_clock - 4}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

const std::vector<job_request> late{{0, class_id{0}, 10}, {end_of_clock, class_id{0}, 10}};

TEST(arrival, beyond_the_range_of_time_is_a_fault_when_time_has_come_to_its_end) {
  expect_report("/muster/timekeeper", beyond("the next arrival of a job"));
  scene s{{{1}, {{"node", 1, 1, 1.0}}}, late};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
  EXPECT_EQ(s.log.records.size(), 1u);
}

TEST(arrival, beyond_the_range_of_time_is_no_fault_of_a_simulation_that_ends_before) {
  struct stopper final : timer_observer {
    explicit stopper(timekeeper& stopped) : time(stopped) {}
    void expired(ticks, std::uint32_t) override { time.stop(); }
    timekeeper& time;
  };
  scene s{{{1}, {{"node", 1, 1, 1.0}}}, late};
  stopper stops{s.time};
  s.time.arm(1000, timer_rank::observation, stops, 0);
  sc_core::sc_start();
  EXPECT_EQ(s.log.records.size(), 1u);
}

/// No jobs, and what is said of when the last of them is expected.
struct announced_end final : workload {
  explicit announced_end(ticks when) : end(when) {}
  bool next(job_request&) override { return false; }
  std::optional<ticks> expected_end() const override { return end; }
  ticks end;
};

// 2^62 ps are 4.61e6 s: nine tenths of them are the limit.
void expect_warning_of_source(ticks end, const std::optional<std::string>& warning) {
  if (warning) expect_report("/muster/job_source", *warning);
  scene s{{{1}, {{"node", 1, 1, 1.0}}}};
  announced_end jobs{end};
  job_source source{"announced", s.time, jobs, s.log};
  source.submissions.bind(s.central.submissions);
  sc_core::sc_start();
}

TEST(job_source, warns_of_jobs_expected_beyond_the_range_of_time_and_names_the_resolution_that_has_room) {
  expect_warning_of_source(end_of_clock / 16 * 15,
                           "'announced': the last job is expected at about 4.32e+06 s, and simulated time ends after "
                           "4.61e+06 s at a resolution of 1 ps: call sc_core::sc_set_time_resolution(1, "
                           "sc_core::SC_NS) before any module is built, or submit fewer jobs");
}

TEST(job_source, warns_of_no_jobs_that_are_expected_within_the_range_of_time) {
  expect_warning_of_source(end_of_clock / 16 * 14, std::nullopt);
}

TEST(pooled_job, that_would_end_beyond_the_range_of_time_is_a_fault_that_names_it) {
  expect_report("/muster/timekeeper", beyond("an event of job 1"));
  scene s{{{1}, {{"node", 1, 1, 0.25}}, "fcfs_pooled"}, {{0, class_id{0}, 10}, {0, class_id{0}, end_of_clock / 2}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

// Four costs, each as long as all time, add up to 2^64.
TEST(costs, that_add_up_beyond_the_range_of_time_are_a_fault_that_names_the_job) {
  expect_report("/muster/timekeeper", beyond("an event of job 0"));
  layout l{{1}, {{"node", 1, 1, 1.0}}};
  l.costs.dispatch_latency = l.costs.set_up = largest;
  l.costs.wake = end_of_clock;
  l.costs.sleep_after = 1;
  scene s{l, {{10, class_id{0}, 50}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

TEST(costs, of_a_migration_end_with_the_range_of_time) {
  slice_descriptor moved{0, 1, 10, slice_start::migrated, largest};
  server_costs all;
  all.dispatch_latency = all.restore = all.migration = end_of_clock;
  all.ticks_per_byte = 1e9;
  EXPECT_EQ(all.before_work(moved), end_of_clock);
  moved.state = 100;
  EXPECT_EQ((server_costs{1, 2, 3, 4, 0.5}.before_work(moved)), 1u + 4 + 50 + 3);
}

TEST(decisions, that_take_beyond_the_range_of_time_are_a_fault) {
  expect_report("/muster/timekeeper",
                "simulated time leaves the range of the clock; take fewer jobs or a coarser time_unit");
  layout l{{1}, {{"node", 1, 1, 1.0}}};
  l.decision = 11;
  l.decision_per_job = largest;  // together 10 beyond what ticks can hold
  scene s{l, {{10, class_id{0}, 50}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

struct foreign_dispatch : testing::Test {
  timekeeper time{"time"};
  faulty_initiator initiator{"initiator"};
  server node{"node", time, {1, 1}};

  status dispatch(ticks duration, ticks delay) {
    slice_descriptor work{1, 1, duration};
    prepare(initiator.first, tlm::TLM_WRITE_COMMAND, server_register::doorbell, &work, sizeof work);
    EXPECT_EQ(initiator.send(initiator.first, tlm::BEGIN_REQ, delay), tlm::TLM_COMPLETED);
    return initiator.first.get_response_status();
  }
};

TEST_F(foreign_dispatch, of_a_slice_that_leaves_the_range_of_time_is_a_generic_error) {
  initiator.socket.bind(node.dispatch);
  initiator.does = [&](faulty_initiator& me) {
    sc_core::wait(to_sc_time(1000));
    for (const ticks duration : {largest, end_of_clock, end_of_clock - 1000})
      EXPECT_EQ(dispatch(duration, 0), tlm::TLM_GENERIC_ERROR_RESPONSE);
    for (const ticks delay : {largest, largest - 1000, end_of_clock - 1000})
      EXPECT_EQ(dispatch(10, delay), tlm::TLM_GENERIC_ERROR_RESPONSE);
    std::uint64_t value = 0;
    for (sc_core::sc_time t : {sc_core::sc_max_time(), to_sc_time(end_of_clock - 1000)}) {
      prepare(me.first, tlm::TLM_READ_COMMAND, server_register::idle_cores, &value, sizeof value);
      me.socket->b_transport(me.first, t);
      EXPECT_EQ(me.first.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
  };
  sc_core::sc_start();
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 1000u);
}

TEST_F(foreign_dispatch, over_a_link_that_leaves_the_range_of_time_is_a_generic_error) {
  link between{"between", time, 7};
  initiator.socket.bind(between.in);
  between.out.bind(node.dispatch);
  initiator.does = [&](faulty_initiator& me) {
    sc_core::wait(to_sc_time(1000));
    for (const ticks delay : {largest, end_of_clock - 1000, end_of_clock - 1007})
      EXPECT_EQ(dispatch(10, delay), tlm::TLM_GENERIC_ERROR_RESPONSE);
    std::uint64_t value = 0;
    for (const ticks delay : {largest, end_of_clock - 1007, end_of_clock - 1010}) {  // the last on the way back
      prepare(me.first, tlm::TLM_READ_COMMAND, server_register::idle_cores, &value, sizeof value);
      sc_core::sc_time t = to_sc_time(delay);
      me.socket->b_transport(me.first, t);
      EXPECT_EQ(me.first.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
  };
  sc_core::sc_start();
}

/// A server, or a scheduler, that announces its response for the end of all time.
void respond_at_the_end_of_time(faulty_target& target) {
  target.answers = [](payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = sc_core::sc_max_time();
    return tlm::TLM_COMPLETED;
  };
}

struct foreign_server_at_the_end_of_time : testing::Test {
  front_end s{{{1}, {{"node", 1, 1, 1.0}}}, {{10, class_id{0}, 30}}};
  faulty_target node{"node"};

  void expect_fault(const std::string& what) {
    respond_at_the_end_of_time(node);
    const std::string fault = fault_of_run();
    EXPECT_EQ(fault.rfind("/muster/timekeeper: ", 0), 0u) << fault;
    EXPECT_NE(fault.find("(" + what + " transaction 0x"), std::string::npos) << fault;
    EXPECT_NE(fault.find(", job 0)"), std::string::npos) << fault;
  }
};

TEST_F(foreign_server_at_the_end_of_time, is_a_fault_that_names_the_job) {
  s.central.dispatches.bind(node.socket);
  expect_fault("the effect of");
}

TEST_F(foreign_server_at_the_end_of_time, behind_a_link_is_a_fault_that_names_the_job) {
  link between{"between", s.time, 7};
  s.central.dispatches.bind(between.in);
  between.out.bind(node.socket);
  expect_fault("the arrival of BEGIN_RESP on 'between',");
}

TEST(foreign_response, that_leaves_the_range_of_time_is_a_fault) {
  timekeeper time{"time"};
  job_list jobs{{{10, class_id{0}, 30}}};
  job_log log;
  job_source source{"source", time, jobs, log};
  faulty_target central{"scheduler"};
  respond_at_the_end_of_time(central);
  source.submissions.bind(central.socket);
  EXPECT_EQ(fault_of_run().rfind("/muster/timekeeper: " + beyond("the response to job 0") + " (at ", 0), 0u);
}

}  // namespace
}  // namespace muster
