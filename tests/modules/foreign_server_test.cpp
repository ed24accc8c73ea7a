#include "tests/modules/foreign_server.h"

#include "tests/modules/reports.h"
#include "tests/modules/scene.h"

namespace muster {
namespace {

using manner = foreign_server::manner;

/// source -> scheduler -> (link ->) foreign server of 2 cores. The global quantum is long: local time runs ahead where
/// it may.
struct foreign_scene {
  foreign_scene(manner m, std::vector<job_request> requests, ticks latency = 0, std::vector<unsigned> needs = {1})
      : quantum(long_quantum()),
        l{std::move(needs), {{"node", 1, 2, 1.0}}},
        central("scheduler", time, classes_of(l), groups_of(l)),
        foreign("foreign", m) {
    jobs.jobs = std::move(requests);
    central.set_policy(make_policy("fcfs", central.view()));
    source = std::make_unique<job_source>("source", time, jobs, log);
    source->submissions.bind(central.submissions);
    if (latency > 0) {
      between = std::make_unique<link>("link", time, latency);
      central.dispatches.bind(between->in);
      between->out.bind(hop.in);
    } else {
      central.dispatches.bind(hop.in);
    }
    hop.out.bind(foreign.socket);
  }

  static bool long_quantum() {
    tlm::tlm_global_quantum::instance().set(to_sc_time(1000));
    return true;
  }

  void run() {
    sc_core::sc_start();
    EXPECT_EQ(log.records.size(), jobs.jobs.size());
    EXPECT_EQ(central.outstanding_slices(), 0u);
    EXPECT_EQ(source->outstanding_jobs(), 0u);
    EXPECT_EQ(hop.open_transactions(), 0u);
  }

  std::vector<ticks> completions() const {
    std::vector<ticks> times;
    for (const job_record& r : log.records) times.push_back(r.completed);
    return times;
  }

  bool quantum;
  layout l;
  timekeeper time{"time"};
  job_list jobs;
  job_log log;
  scheduler central;
  foreign_server foreign;
  protocol_monitor hop{"hop"};
  std::unique_ptr<job_source> source;
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

TEST(foreign_server, that_fails_ends_the_run_with_a_fault) {
  const std::string fault = "server 'node' could not finish a slice of job 0: TLM_GENERIC_ERROR_RESPONSE";
  expect_report("/muster/scheduler", fault);
  foreign_scene s{manner::fails, {{10, class_id{0}, 30}}};
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

}  // namespace
}  // namespace muster
