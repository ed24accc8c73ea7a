#include "muster/modules/front/shared_servers.h"

#include <numeric>

#include "muster/modules/front/dispatcher.h"
#include "tests/modules/child.h"
#include "tests/modules/foreign_initiator.h"
#include "tests/modules/plain_sharing.h"
#include "tests/modules/reports.h"

// Several schedulers that share all servers: who gets the cores, which dispatches are refused, and when jobs start.

namespace muster {
namespace {

using plain::shared_job;
using plain::shared_loop;

class log_of_shared final : public job_observer {
 public:
  explicit log_of_shared(std::size_t jobs) : jobs_(jobs) {}
  std::vector<shared_job> jobs_;

  void job_arrives(ticks, const job_extension&) override {}
  void job_completes(ticks now, const job_extension& j) override { jobs_[j.id] = {j.started, now, j.conflicts}; }
};

// source -> dispatcher -> schedulers -> shared servers -> bank, with a checker on every hop.
std::vector<shared_job> simulate(const shared_loop::rules& r, const std::vector<job_request>& requests) {
  timekeeper time{"time"};
  numbers_of_a_test numbers;
  std::uint64_t numbered = 0;
  job_list jobs{requests};
  log_of_shared log{requests.size()};
  job_source source{"source", time, jobs, log};
  dispatcher front{"dispatcher", time, {find_dispatching("round_robin"), r.schedulers, 2, 0, &numbers}};
  layout l;
  l.needs = r.needs;
  l.groups = {{"node", r.servers, r.cores, 1.0}};
  l.policy = r.policy;
  l.decision = r.decision;
  server bank{"node", time, server_settings{r.servers, r.cores, {}}};
  shared_servers shared{"shared", time, {groups_of(l), r.schedulers, r.information_delay}};
  std::vector<std::unique_ptr<protocol_checker>> checkers;
  const auto connect = [&](auto& from, auto& to) {
    checkers.push_back(std::make_unique<protocol_checker>(sc_core::sc_gen_unique_name("checker")));
    from.bind(checkers.back()->in);
    checkers.back()->out.bind(to);
  };
  std::vector<std::unique_ptr<scheduler>> all;
  connect(source.submissions, front.in);
  for (std::uint32_t n = 0; n < r.schedulers; ++n) {
    scheduler_settings settings = scheduler_of(l);
    settings.jobs_numbered = &numbered;
    settings.shares = &shared;
    all.push_back(std::make_unique<scheduler>(("scheduler_" + std::to_string(n)).c_str(), time, settings));
    connect(front.out, all.back()->submissions);
    connect(all.back()->dispatches, shared.in);
  }
  connect(shared.out, bank.dispatch);
  sc_core::sc_start();
  EXPECT_EQ(source.outstanding_jobs(), 0u);
  EXPECT_EQ(front.open_transactions(), 0u);
  EXPECT_EQ(shared.open_transactions(), 0u);
  for (const auto& c : checkers) EXPECT_EQ(c->open_transactions(), 0u);
  for (const auto& s : all) EXPECT_EQ(s->outstanding_slices(), 0u);
  std::uint64_t conflicts = 0;
  for (std::uint32_t n = 0; n < r.schedulers; ++n) conflicts += shared.conflicts(n);
  for (std::uint32_t n = 0; n < r.servers; ++n) EXPECT_EQ(shared.held(group_id{0}, n), 0u);
  for (const shared_job& j : log.jobs_) conflicts -= j.conflicts;
  EXPECT_EQ(conflicts, 0u) << "each refused commit is a conflict of one job";
  return log.jobs_;
}

unsigned conflicts_of(const std::vector<shared_job>& jobs) {
  return std::accumulate(jobs.begin(), jobs.end(), 0u, [](unsigned n, const shared_job& j) { return n + j.conflicts; });
}

std::string text_of(const std::vector<shared_job>& jobs) {
  std::ostringstream text;
  for (const shared_job& j : jobs) text << j << '\n';
  return text.str();
}

shared_loop::rules random_rules(std::mt19937_64& random) {
  shared_loop::rules r;
  r.servers = 1 + static_cast<unsigned>(random() % 6);
  r.cores = 1 + static_cast<unsigned>(random() % 4);
  r.schedulers = 1 + static_cast<unsigned>(random() % 4);
  const unsigned all = r.servers * r.cores;
  r.needs = {1 + static_cast<unsigned>(random() % all), 1};
  if (r.needs.front() == 1) r.needs = {1};
  r.policy = std::vector<std::string>{"fcfs", "first_fit", "msf"}[random() % 3];
  r.information_delay = random() % 2 ? random() % 40 : 0;
  r.decision = random() % 3 ? random() % 12 : 0;
  return r;
}

TEST(shared_servers, start_jobs_and_refuse_dispatches_as_a_loop_job_by_job_does_on_200_random_schedules) {
  std::mt19937_64 random{32};
  unsigned conflicts = 0;
  for (int schedule = 0; schedule < 200; ++schedule) {
    const shared_loop::rules r = random_rules(random);
    const auto requests = random_jobs(120, r.needs.size(), 1 + random() % 12, 30, static_cast<unsigned>(random()));
    const auto expected = shared_loop::run(r, requests);
    conflicts += conflicts_of(expected);
    ASSERT_EQ(in_child([&] { return text_of(simulate(r, requests)); }), text_of(expected))
        << "schedule " << schedule << ": " << r.servers << " servers of " << r.cores << " cores, " << r.schedulers
        << " schedulers, " << r.policy << ", needs " << r.needs.front() << ", delay " << r.information_delay
        << ", decision " << r.decision;
  }
  EXPECT_GT(conflicts, 1'000u);
}

// Two schedulers that decide for 10 ticks, one core. The second commits 3 ticks behind the first, learns so that the
// core is held, decides again in vain until 23, and once more when the core is free at 110.
TEST(shared_servers, by_hand_of_two_schedulers_that_choose_the_same_core_the_second_waits_and_is_told_when_it_is_free) {
  const shared_loop::rules r{1, 1, 2, {1}, "fcfs", 0, 10};
  const auto jobs = simulate(r, {{0, class_id{0}, 100}, {3, class_id{0}, 5}});
  EXPECT_EQ(jobs, (std::vector<shared_job>{{10, 110, 0}, {120, 125, 1}}));
}

// Two servers of one core. The second scheduler, which knows nothing of the first until 40, dispatches a job to both
// at 1. Its core on the second server remains free, so that a job of the first scheduler starts there at 2.
TEST(shared_servers, by_hand_a_job_that_does_not_fit_on_one_of_its_servers_gets_none_of_them) {
  const shared_loop::rules r{2, 1, 2, {2, 1}, "first_fit", 40, 0};
  const auto jobs = simulate(r, {{0, class_id{1}, 10}, {1, class_id{0}, 5}, {2, class_id{1}, 7}});
  EXPECT_EQ(jobs, (std::vector<shared_job>{{0, 10, 0}, {50, 55, 1}, {2, 9, 0}}));
}

// With single cores and jobs of one size the times at which jobs start do not depend on who starts them.
TEST(shared_servers, without_delays_refuse_nothing_and_leave_no_core_idle_while_a_job_waits) {
  for (const unsigned schedulers : {2u, 3u, 5u}) {
    shared_loop::rules r{3, 2, schedulers, {1}, "fcfs", 0, 0};
    std::vector<job_request> requests = random_jobs(2'000, 1, 4, 1, schedulers);
    for (job_request& j : requests) j.size = 22;
    const auto starts_of = [&](const shared_loop::rules& rules) {
      return in_child([&] {
        auto jobs = simulate(rules, requests);
        EXPECT_EQ(conflicts_of(jobs), 0u);
        std::sort(jobs.begin(), jobs.end(), [](const auto& a, const auto& b) { return a.started < b.started; });
        return text_of(jobs);
      });
    };
    const std::string several = starts_of(r);
    r.schedulers = 1;
    EXPECT_EQ(several, starts_of(r)) << schedulers << " schedulers";
  }
}

TEST(shared_servers, of_one_scheduler_are_as_its_own) {
  for (const char* policy : {"fcfs", "first_fit", "msf"}) {
    const shared_loop::rules r{4, 3, 1, {7, 2, 1}, policy, 25, 3};
    const auto requests = random_jobs(1'000, 3, 12, 40, 5);
    const std::string alone = in_child([&] {
      layout l;
      l.needs = r.needs;
      l.groups = {{"node", r.servers, r.cores, 1.0}};
      l.policy = policy;
      l.decision = r.decision;
      scene s{l, requests};
      s.run();
      std::vector<shared_job> jobs(requests.size());
      for (const job_record& j : s.log.records) jobs[j.id] = {j.started, j.completed, 0};
      return text_of(jobs);
    });
    EXPECT_EQ(in_child([&] { return text_of(simulate(r, requests)); }), alone) << policy;
  }
}

TEST(shared_servers, need_a_policy_that_decides_by_what_is_free_alone) {
  expect_report("/muster/scheduler",
                "'scheduler_0': policy 'easy_backfill' does not share servers with other schedulers; expected one that "
                "decides by what is free alone");
  EXPECT_THROW(simulate({1, 1, 2, {1}, "easy_backfill", 0, 0}, {{0, class_id{0}, 1}}), std::exception);
}

TEST(shared_servers, are_bound_to_every_scheduler_once_for_each_bank) {
  timekeeper time{"time"};
  layout l;
  server bank{"node", time, server_settings{1, 1, {}}};
  shared_servers shared{"shared", time, {groups_of(l), 2, 0}};
  scheduler_settings settings = scheduler_of(l);
  settings.shares = &shared;
  scheduler alone{"scheduler", time, settings};
  foreign_initiator foreign{"foreign", foreign_initiator::manner::completes};
  foreign.socket.bind(alone.submissions);
  alone.dispatches.bind(shared.in);
  shared.out.bind(bank.dispatch);
  expect_report("/muster/shared_servers",
                "'shared': `in` is bound to 1 sockets of schedulers and `out` to 1 banks; expected 2 of 2 schedulers, "
                "and 1");
  EXPECT_THROW(sc_core::sc_start(), std::exception);
}

}  // namespace
}  // namespace muster
