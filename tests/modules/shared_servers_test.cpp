#include "muster/modules/front/shared_servers.h"

#include <numeric>

#include "muster/modules/front/dispatcher.h"
#include "tests/modules/child.h"
#include "tests/modules/plain_sharing.h"

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
  void job_completes(ticks now, const job_extension& j) override {
    jobs_[j.id] = {j.started, now, j.conflicts};
  }
};

// source -> dispatcher -> schedulers -> shared servers -> bank, with a checker on every hop.
std::vector<shared_job> simulate(const shared_loop::rules& r, const std::vector<job_request>& requests,
                                 bool accounts = false) {
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
  l.accounts_times = accounts;
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
    const auto requests =
        random_jobs(120, r.needs.size(), 1 + random() % 12, 30, static_cast<unsigned>(random()));
    const auto expected = shared_loop::run(r, requests);
    conflicts += conflicts_of(expected);
    ASSERT_EQ(in_child([&] { return text_of(simulate(r, requests)); }), text_of(expected))
        << "schedule " << schedule << ": " << r.servers << " servers of " << r.cores << " cores, " << r.schedulers
        << " schedulers, " << r.policy << ", needs " << r.needs.front() << ", delay " << r.information_delay
        << ", decision " << r.decision;
  }
  EXPECT_GT(conflicts, 1'000u);
}

}  // namespace
}  // namespace muster
