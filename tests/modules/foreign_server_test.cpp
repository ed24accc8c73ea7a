#include "tests/modules/foreign_server.h"

#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

namespace muster {
namespace {

using manner = foreign_server::manner;

/// source -> scheduler -> (link ->) foreign server of 2 cores. The global quantum is long: local time runs ahead where
/// it may.
struct foreign_scene : front_end {
  foreign_scene(manner m, std::vector<job_request> requests, ticks latency = 0, std::vector<unsigned> needs = {1},
                const policy_entry* own_policy = nullptr)
      : front_end(layout_of(std::move(needs), own_policy), std::move(requests)), foreign("foreign", m) {
    tlm::tlm_global_quantum::instance().set(to_sc_time(1000));
    if (latency > 0) {
      between = std::make_unique<link>("link", time, latency);
      central.dispatches.bind(between->in);
      between->out.bind(hop.in);
    } else {
      central.dispatches.bind(hop.in);
    }
    hop.out.bind(foreign.socket);
  }

  static layout layout_of(std::vector<unsigned> needs, const policy_entry* own_policy) {
    layout l{std::move(needs), {{"node", 1, 2, 1.0}}};
    l.own_policy = own_policy;
    return l;
  }

  void run() const {
    front_end::run();
    EXPECT_EQ(hop.open_transactions(), 0u);
  }

  std::vector<ticks> completions() const { return log.completions(); }

  foreign_server foreign;
  protocol_checker hop{"hop"};
  std::unique_ptr<link> between;
};

// Two cores: 30 from 10 on, 10 from 11 on, 10 after it, 10 after that.
const std::vector<job_request> four_jobs{
    {10, class_id{0}, 30}, {11, class_id{0}, 10}, {12, class_id{0}, 10}, {13, class_id{0}, 15}};
const std::vector<ticks> their_completions{21, 31, 40, 46};

void four_jobs_on(manner m) {
  foreign_scene s{m, four_jobs};
  s.run();
  EXPECT_EQ(s.completions(), their_completions);
}

// Each way takes 7: a core is free again 14 later than without the link.
void four_jobs_behind_a_link_on(manner m) {
  foreign_scene s{m, four_jobs, 7};
  s.run();
  EXPECT_EQ(s.completions(), (std::vector<ticks>{35, 54, 59, 83}));
}

TEST(foreign_server, that_ignores_all_extensions_serves_jobs) { four_jobs_on(manner::plain); }

TEST(foreign_server, that_completes_at_once_with_a_delay_serves_jobs) { four_jobs_on(manner::completes_at_once); }

TEST(foreign_server, that_responds_in_the_return_path_serves_jobs) {
  foreign_scene s{manner::responds_at_once, four_jobs};
  s.run();
  EXPECT_EQ(s.completions(), their_completions);
  EXPECT_EQ(s.foreign.ends_of_responses, 4u);
}

TEST(foreign_server, that_speaks_phases_of_its_own_serves_jobs) { four_jobs_on(manner::speaks_other_phases); }

TEST(foreign_server, that_keeps_no_reference_finds_the_payload_in_use_until_its_response_is_answered) {
  four_jobs_on(manner::keeps_no_reference);
}

TEST(foreign_server, without_registers_of_its_health_is_taken_for_one_that_does_not_fail) {
  script none{{}};
  layout l{{1}, {{"node", 1, 2, 1.0}}};
  l.faults = &none;
  front_end s{l, four_jobs};
  foreign_server foreign{"foreign", manner::plain};
  s.central.dispatches.bind(foreign.socket);
  s.run();
  EXPECT_EQ(s.log.completions(), their_completions);
}

TEST(foreign_server, that_accepts_late_holds_up_the_next_dispatch) {
  foreign_scene s{manner::accepts_late, {{10, class_id{0}, 30}, {11, class_id{0}, 30}}};
  s.run();
  EXPECT_EQ(s.completions(), (std::vector<ticks>{40, 45})) << "the second dispatch leaves at 15";
  EXPECT_EQ(s.foreign.most_at_once, 2u);
}

TEST(foreign_server, that_leaves_end_req_out_holds_up_the_next_dispatch_until_the_response) {
  foreign_scene s{manner::leaves_end_req_out, {{10, class_id{0}, 30}, {11, class_id{0}, 30}, {12, class_id{0}, 5}}};
  s.run();
  EXPECT_EQ(s.completions(), (std::vector<ticks>{40, 70, 75}));
  EXPECT_EQ(s.foreign.most_at_once, 1u);
}

TEST(foreign_server, that_leaves_end_req_out_does_not_block_a_link) {
  foreign_scene s{manner::leaves_end_req_out, {{10, class_id{0}, 30}, {11, class_id{0}, 30}}, 7};
  s.run();
  EXPECT_EQ(s.completions(), (std::vector<ticks>{54, 84}));
}

TEST(foreign_server, that_is_plain_serves_jobs_behind_a_link) { four_jobs_behind_a_link_on(manner::plain); }

TEST(foreign_server, that_completes_at_once_serves_jobs_behind_a_link) {
  four_jobs_behind_a_link_on(manner::completes_at_once);
}

TEST(foreign_server, that_responds_in_the_return_path_serves_jobs_behind_a_link) {
  four_jobs_behind_a_link_on(manner::responds_at_once);
}

TEST(foreign_server, that_speaks_phases_of_its_own_serves_jobs_behind_a_link) {
  four_jobs_behind_a_link_on(manner::speaks_other_phases);
}

TEST(foreign_server, that_responds_within_the_request_does_not_confuse_the_policy) {
  // Both jobs start in one call of the policy, when the first one, which needs all cores, is done.
  foreign_scene s{manner::announces_the_response,
                  {{10, class_id{0}, 30}, {11, class_id{1}, 10}, {12, class_id{1}, 20}, {13, class_id{1}, 5}},
                  0,
                  {2, 1}};
  s.run();
  EXPECT_EQ(s.completions(), (std::vector<ticks>{40, 50, 55, 60}));
}

/// Starts all that fits, and notes how many calls of it are under way at once.
class notes_nested_calls final : public rigid_policy {
 public:
  static inline unsigned most = 0;

 private:
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    most = std::max(most, ++under_way_);
    for (const job* next = cluster.earliest_fitting(); next; next = cluster.earliest_fitting()) decide.start(*next);
    --under_way_;
  }
  unsigned under_way_ = 0;
};

TEST(foreign_server, that_takes_no_time_does_not_call_the_policy_while_it_is_at_work) {
  const layout rigid{{2, 1}, {{"node", 1, 2, 1.0}}};
  foreign_scene s{manner::takes_no_time,
                  {{10, class_id{0}, 30}, {10, class_id{1}, 10}, {11, class_id{1}, 20}},
                  0,
                  {2, 1},
                  &own_policy<notes_nested_calls>()};
  s.run();
  EXPECT_EQ(s.completions(), (std::vector<ticks>{10, 10, 11}));
  EXPECT_EQ(notes_nested_calls::most, 1u);
}

/// Holds a slice until it is stopped, and answers the stop in the return path.
struct stoppable_server : sc_core::sc_module {
  tlm_utils::passthrough_target_socket<stoppable_server> socket{"socket"};
  tlm::tlm_generic_payload* slice = nullptr;
  unsigned stops_ended = 0;
  sc_core::sc_event stopped;

  explicit stoppable_server(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(stoppable_server);
    socket.register_nb_transport_fw(this, &stoppable_server::forward);
    SC_METHOD(end_slice);
    sensitive << stopped;
    dont_initialize();
  }

  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_RESP) ++stops_ended;
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    const bool starts = p.get_address() % server_register::stride == server_register::doorbell;
    if (starts) {
      p.acquire();
      slice = &p;
    } else {
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      stopped.notify(sc_core::SC_ZERO_TIME);
    }
    phase = starts ? tlm::END_REQ : tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  }

  void end_slice() {
    slice->set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time t;
    EXPECT_EQ(socket->nb_transport_bw(*slice, phase, t), tlm::TLM_COMPLETED);
    slice->release();
  }
};

TEST(foreign_server, that_answers_a_stop_in_the_return_path_gets_end_resp_of_a_payload_still_held) {
  const layout l{{1}, {{"fast", 1, 1, 2.0}, {"slow", 1, 1, 1.0}}, "fcfs_pooled"};
  front_end s{l, {{10, class_id{0}, 20}}};
  foreign_server fast{"fast", manner::plain};
  stoppable_server slow{"slow"};
  protocol_checker hop{"hop"};
  s.central.dispatches.bind(fast.socket);
  s.central.dispatches.bind(hop.in);
  hop.out.bind(slow.socket);
  s.run();
  EXPECT_EQ(s.log.completions(), std::vector<ticks>{20});
  EXPECT_EQ(slow.stops_ended, 1u);
  EXPECT_EQ(hop.open_transactions(), 0u);
}

// Nobody can use the state of a job that another server has completed.
TEST(foreign_server, that_completes_a_pooled_job_keeps_the_others_from_saving_it) {
  const layout l{{1}, {{"fast", 1, 1, 2.0}, {"slow", 1, 1, 1.0}}, "fcfs_pooled"};
  front_end s{l, {{10, class_id{0}, 100}}};
  foreign_server fast{"fast", manner::plain};
  server_costs costs;
  costs.save = 5;
  server slow{"slow", s.time, {1, 1, costs}};
  s.central.dispatches.bind(fast.socket);
  s.central.dispatches.bind(slow.dispatch);
  s.run();
  EXPECT_EQ(s.log.completions(), std::vector<ticks>{60});
  EXPECT_EQ(slow.times(0, s.time.now()).overhead, 0u);
}

/// A scheduler that somebody else has written: it takes 30 for each job, and its response is all that it answers.
class terse_scheduler : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<terse_scheduler> socket{"socket"};

  explicit terse_scheduler(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(terse_scheduler);
    socket.register_nb_transport_fw(this, &terse_scheduler::forward);
    SC_METHOD(respond);
    sensitive << done_;
    dont_initialize();
  }

 private:
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_EQ(job_, nullptr) << "a request before the response to the one ahead";
    job_ = &p;
    p.acquire();
    done_.notify(delay + to_sc_time(30));
    return tlm::TLM_ACCEPTED;
  }

  void respond() {
    tlm::tlm_generic_payload& p = *job_;
    job_ = nullptr;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time none;
    EXPECT_EQ(socket->nb_transport_bw(p, phase, none), tlm::TLM_COMPLETED);
    p.release();
  }

  tlm::tlm_generic_payload* job_ = nullptr;
  sc_core::sc_event done_;
};

// The second job waits at the source from 11 to 40; the third finds nobody there.
TEST(job_source, takes_a_response_for_the_end_req_that_the_scheduler_has_left_out) {
  timekeeper time{"time"};
  job_list jobs{{{10, class_id{0}, 1}, {11, class_id{0}, 1}, {100, class_id{0}, 1}}};
  job_log log;
  job_source source{"source", time, jobs, log};
  terse_scheduler foreign{"foreign"};
  source.submissions.bind(foreign.socket);
  sc_core::sc_start();
  EXPECT_EQ(log.completions(), (std::vector<ticks>{40, 70, 130}));
  EXPECT_EQ(source.outstanding_jobs(), 0u);
}

TEST(foreign_server, that_fails_ends_the_run_with_a_fault) {
  const std::string fault = "server 'node' could not finish a slice of job 0: TLM_GENERIC_ERROR_RESPONSE";
  expect_report("/muster/scheduler", fault);
  foreign_scene s{manner::fails, {{10, class_id{0}, 30}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

}  // namespace
}  // namespace muster
