#include "muster/modules/front/work_stealing.h"

#include <sysc/kernel/sc_dynamic_processes.h>

#include "tests/modules/child.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/plain_stealing.h"
#include "tests/modules/reports.h"
#include "tests/modules/several_schedulers.h"

// Several schedulers with servers of their own that take waiting jobs from each other, with a checker on every hop.

namespace muster {
namespace {

using plain::moved_job;
using plain::stealing_loop;

struct cluster_of_rules {
  unsigned servers = 1, cores = 1, schedulers = 1;
  stealing_loop::rules rules{};
};

// The cores of each scheduler, to which the servers are dealt out one after the other.
cluster_of_rules with_servers(unsigned servers, unsigned cores, unsigned schedulers, stealing_loop::rules rules) {
  rules.cores.assign(schedulers, 0);
  for (unsigned n = 0; n < servers; ++n) rules.cores[n % schedulers] += cores;
  return {servers, cores, schedulers, std::move(rules)};
}

struct outcome {
  std::vector<moved_job> jobs;
  std::uint64_t stolen = 0;

  std::string text() const {
    std::ostringstream all;
    for (const moved_job& j : jobs) all << j.started << ' ' << j.completed << '\n';
    all << stolen << " stolen";
    return all.str();
  }
};

outcome by_loop(const stealing_loop::rules& r, const std::vector<job_request>& requests) {
  outcome all{stealing_loop::run(r, requests), 0};
  for (const moved_job& j : all.jobs) all.stolen += j.stolen;
  return all;
}

outcome simulate(const cluster_of_rules& c, const std::vector<job_request>& requests) {
  layout l;
  l.needs = c.rules.needs;
  l.groups = {{"node", c.servers, c.cores, 1.0}};
  l.policy = c.rules.policy;
  scene_of_schedulers s{l, c.schedulers, "round_robin", c.rules.information_delay, requests, true, true};
  s.run();
  outcome all{std::vector<moved_job>(requests.size()), 0};
  for (const job_record& j : s.log.records) {
    EXPECT_EQ(j.arrival, requests[j.id].arrival) << "a job keeps its number and its arrival";
    all.jobs[j.id] = {j.started, j.completed, false};
  }
  std::uint64_t arrived = 0;
  for (std::uint32_t n = 0; n < c.schedulers; ++n) {
    all.stolen += s.front.jobs_stolen(n);
    arrived += s.central[n]->jobs_arrived();
    EXPECT_EQ(s.front.jobs_in_system(n), 0u);
  }
  EXPECT_EQ(arrived, requests.size()) << "a job arrives once";
  return all;
}

cluster_of_rules random_cluster(std::mt19937_64& random) {
  const auto schedulers = 2 + static_cast<unsigned>(random() % 4);
  const auto servers = schedulers * (1 + static_cast<unsigned>(random() % 3)) + static_cast<unsigned>(random() % 2);
  const auto cores = 1 + static_cast<unsigned>(random() % 4);
  stealing_loop::rules r;
  const unsigned largest = 1 + static_cast<unsigned>(random() % (servers / schedulers * cores));
  r.needs = largest > 1 ? std::vector<unsigned>{largest, 1} : std::vector<unsigned>{1};
  r.policy = std::vector<std::string>{"fcfs", "first_fit", "msf"}[random() % 3];
  r.information_delay = random() % 2 ? random() % 25 : 0;
  return with_servers(servers, cores, schedulers, r);
}

TEST(work_stealing, starts_jobs_as_a_loop_job_by_job_does_on_200_random_schedules) {
  std::mt19937_64 random{32};
  std::uint64_t stolen = 0;
  for (int schedule = 0; schedule < 200; ++schedule) {
    const cluster_of_rules c = random_cluster(random);
    const auto requests =
        random_jobs(120, c.rules.needs.size(), 1 + random() % 12, 60, static_cast<unsigned>(random()));
    const outcome expected = by_loop(c.rules, requests);
    stolen += expected.stolen;
    ASSERT_EQ(in_child([&] { return simulate(c, requests).text(); }), expected.text())
        << "schedule " << schedule << ": " << c.servers << " servers of " << c.cores << " cores, " << c.schedulers
        << " schedulers, " << c.rules.policy << ", needs " << c.rules.needs.front() << ", delay "
        << c.rules.information_delay;
  }
  EXPECT_GT(stolen, 1'000u);
}

// With jobs of one core and one size the times at which jobs start do not depend on who starts them.
TEST(work_stealing, without_delay_leaves_no_core_idle_while_a_job_waits) {
  for (const unsigned schedulers : {2u, 3u, 5u}) {
    stealing_loop::rules r;
    r.needs = {1};
    std::vector<job_request> requests = random_jobs(2'000, 1, 4, 1, schedulers);
    for (job_request& j : requests) j.size = 7 * schedulers;
    const auto starts = [&](const cluster_of_rules& c) {
      return in_child([&] {
        const auto jobs = simulate(c, requests).jobs;
        std::vector<ticks> times;
        for (const moved_job& j : jobs) times.push_back(j.started);
        std::sort(times.begin(), times.end());
        std::ostringstream text;
        for (const ticks t : times) text << t << ' ';
        return text.str();
      });
    };
    EXPECT_EQ(starts(with_servers(2 * schedulers, 1, schedulers, r)), starts(with_servers(2 * schedulers, 1, 1, r)))
        << schedulers << " schedulers";
  }
}

// Two schedulers of one core, in turn: jobs 0 and 2 of 100 ticks to the first one, job 1 of 10 to the second.
TEST(work_stealing, by_hand_a_job_moves_to_the_scheduler_that_becomes_idle_one_information_delay_later) {
  const std::vector<job_request> requests{{0, class_id{0}, 100}, {0, class_id{0}, 10}, {1, class_id{0}, 100}};
  stealing_loop::rules r;
  r.needs = {1};
  EXPECT_EQ(in_child([&] { return simulate(with_servers(2, 1, 2, r), requests).text(); }),
            "0 100\n0 10\n10 110\n1 stolen");
  r.information_delay = 7;
  EXPECT_EQ(in_child([&] { return simulate(with_servers(2, 1, 2, r), requests).text(); }),
            "0 100\n0 10\n17 117\n1 stolen");
  // Too late: the job has started when the withdrawal comes.
  r.information_delay = 95;
  EXPECT_EQ(in_child([&] { return simulate(with_servers(2, 1, 2, r), requests).text(); }),
            "0 100\n0 10\n100 200\n0 stolen");
}

TEST(work_stealing, is_a_fault_where_a_scheduler_lets_no_job_be_taken) {
  stealing_loop::rules r;
  r.needs = {1};
  r.policy = "easy_backfill";
  expect_report("/muster/dispatcher",
                "scheduler 0 lets no jobs be taken; expected a policy whose entry says shares_servers, jobs that need "
                "cores alone, servers of its own that never fail, and no account of jobs' times (at 10 ps)");
  EXPECT_THROW(simulate(with_servers(2, 1, 2, r), {{0, class_id{0}, 100}, {0, class_id{0}, 10}, {1, class_id{0}, 100}}),
               std::exception);
}

TEST(work_stealing, leaves_jobs_of_submitters_without_an_extension_where_they_are) {
  layout l;
  l.groups = {{"node", 2, 1, 1.0}};
  scene_of_schedulers s{l, 2, "round_robin", 0, {}, true, true};
  foreign_initiator foreign{"foreign", foreign_initiator::manner::completes};
  foreign.socket.bind(s.front.in);
  sc_core::sc_spawn([&] {
    for (const ticks size : {100, 10, 100}) foreign.submit(0, size);
  });
  sc_core::sc_start();
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 200u);
  EXPECT_EQ(foreign.outstanding() + s.front.open_transactions(), 0u);
  EXPECT_EQ(s.front.jobs_stolen(1), 0u);
}

// A job of 10 ticks ends at tick 11 on the second scheduler, which then has an idle core. The first one has two jobs.
TEST(work_stealing, leaves_jobs_of_blocking_calls_where_they_are) {
  layout l;
  l.groups = {{"node", 2, 1, 1.0}};
  scene_of_schedulers s{l, 2, "round_robin", 0, {}, true, true};
  std::vector<ticks> completed(2);
  foreign_thread first{"first", [&](foreign_thread& me) { completed[0] = me.submit(0, 100); }};
  foreign_thread last{"last", [&](foreign_thread& me) {
                        me.wait_until(2);
                        completed[1] = me.submit(0, 100);
                      }};
  foreign_initiator between{"between", foreign_initiator::manner::completes};
  first.socket.bind(s.front.in);
  last.socket.bind(s.front.in);
  between.socket.bind(s.front.in);
  sc_core::sc_spawn([&] {
    wait(to_sc_time(1));
    between.submit(0, 10);
  });
  sc_core::sc_start();
  EXPECT_EQ(completed, (std::vector<ticks>{100, 200}));
  EXPECT_EQ(last.status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(s.front.jobs_stolen(1), 0u);
}

}  // namespace
}  // namespace muster
