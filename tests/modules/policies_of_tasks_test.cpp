#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <tuple>

#include "tests/modules/child.h"
#include "tests/modules/plain_policies.h"
#include "tests/modules/plain_preemption.h"
#include "tests/modules/random_tasks.h"
#include "tests/modules/scene.h"

// Policies of jobs of tasks, through the scheduler and its servers, against plain rules that scan all jobs, servers and
// devices: when each job completes, on random clusters with costs and servers that fail.

namespace muster {
namespace {

using plain::random_case;

constexpr double rate_of_timers = 1e-5;

layout layout_of(const random_case& c, const std::string& policy) {
  layout l;
  l.policy = policy;
  l.groups.clear();
  for (const server_group& g : c.platform.groups) l.groups.push_back(g);
  l.resources = c.platform.resources;
  for (const job_class& type : c.platform.classes) {
    l.tasks.push_back(*type.tasks);
    l.groups_of_tasks.push_back(type.groups);
  }
  l.mean_sizes = c.mean_sizes();
  l.costs.set_up = l.costs.restore = c.all.set_up;
  l.costs.save = c.all.save;
  if (policy == "kill_restart") l.parameters = {{"budget", 0.7}, {"growth", 1.5}};
  if (policy == "randomized_timers") l.parameters = {{"rate", rate_of_timers}, {"weight", std::string{"log"}}};
  return l;
}

// @param any places jobs where the rule of placement is `random`
std::unique_ptr<plain::plain_timeline> plain_rule_of(const std::string& policy, const random_case& c,
                                                     const plain::schedules& listed, random_numbers& random,
                                                     plain::any_server* any = nullptr) {
  const auto& [idle, all] = std::tie(c.idle, c.all);
  std::vector<double> budgets = c.mean_sizes();
  for (double& budget : budgets) budget *= 0.7;
  if (policy == "msf") return std::make_unique<plain::plain_largest_first>(idle, all, any);
  if (policy == "adaptive_quickswap") return std::make_unique<plain::plain_quickswap>(idle, all, any);
  if (policy == "dominant_resource_fairness") return std::make_unique<plain::plain_fairness>(idle, all, any);
  if (policy == "tetris") return std::make_unique<plain::plain_tetris>(idle, all, c.mean_sizes());
  if (policy == "max_weight") return std::make_unique<plain::plain_max_weight>(idle, all, nullptr, listed);
  if (policy == "kill_restart") return std::make_unique<plain::plain_kill_restart>(idle, all, nullptr, budgets, 1.5);
  if (policy == "randomized_timers")
    return std::make_unique<plain::plain_timers>(idle, all, any, rate_of_timers, false, random);
  return std::make_unique<plain::plain_order>(idle, all, any, policy == "fcfs");
}

/// Notes the end of each slice.
class end_recorder final : public server_observer {
 public:
  explicit end_recorder(const layout& l) {
    std::size_t first = 0;
    for (const server_group& g : l.groups) first_.push_back(std::exchange(first, first + g.count));
  }
  void slice_begins(ticks, const slice_view&) override {}
  void slice_works(ticks, const slice_view&) override {}
  void slice_saves(ticks, const slice_view&) override {}
  void slice_ends(ticks, const slice_view& slice) override {
    text += std::to_string(slice.job) + ' ' + std::to_string(first_[slice.bank] + slice.server) + ' ';
  }

  std::string text;  // job and server

 private:
  std::vector<std::size_t> first_;  // server of each bank
};

// The policy draws by the seed 2. @return when each job completes, and behind that in a line of its own the job and the
// server of each slice, in the order in which they end
std::string by_the_scheduler(layout l, const course& all, const std::vector<course::fault>& faults) {
  std::map<std::uint32_t, std::vector<script::fault>> by_server;
  for (const course::fault& f : faults) by_server[static_cast<std::uint32_t>(f.server)].push_back({f.at, f.down});
  script fails(by_server);
  l.faults = &fails;
  numbers_of_a_test random(2);
  l.random = &random;
  std::vector<job_request> requests;
  for (const course::request& r : all.jobs)
    requests.push_back({r.arrival, class_id{static_cast<std::uint32_t>(r.type)}, r.size});
  scene s{l, requests};
  end_recorder ends(l);
  for (std::uint32_t bank = 0; bank < s.servers.size(); ++bank) s.servers[bank]->observe(&ends, bank);
  s.run_until(40'000'000'000);
  std::vector<ticks> completed(requests.size());
  for (const job_record& r : s.log.records) completed[r.id] = r.completed;
  return plain::text_of(completed) + '\n' + ends.text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Open is in which order several jobs lose a server, and whether a job saves that is preempted at the instant at which
// its set-up ends. So servers fail that one job holds at most, and set-ups end at odd times.
TEST(policies_of_tasks, let_every_job_complete_when_a_plain_rule_does_with_costs_and_servers_that_fail) {
  const std::array<std::string, 9> policies{"max_weight",
                                            "adaptive_quickswap",
                                            "kill_restart",
                                            "randomized_timers",
                                            "dominant_resource_fairness",
                                            "tetris",
                                            "msf",
                                            "fcfs",
                                            "first_fit"};
  const std::array<std::string, 7> rules{"first",       "best_fit",      "worst_fit", "fewest_servers",
                                         "dot_product", "fragmentation", "clustering"};
  unsigned preemptions = 0, interruptions = 0;
  for (unsigned round = 0; round < plain::clusters; ++round) {
    const std::string& policy = policies[round % policies.size()];
    const std::size_t few = policy == "max_weight" ? 400 : 0;
    random_case both(round + 1, few);
    both.all.one_job_a_fault = true;
    const std::string rule = policy == "tetris" ? "dot_product" : rules[round / policies.size() % rules.size()];
    if (both.all.set_up > 0) both.all.set_up |= 1;
    layout l = layout_of(both, policy);
    l.placement = policy == "tetris" ? "first" : rule;
    both.idle.rule = rule;
    numbers_of_a_test random(2);
    const auto listed = few > 0 ? plain::schedules_of(both.idle, few) : plain::schedules{};
    const auto expected = plain_rule_of(policy, both, listed, random);
    expected->run();
    std::vector<ticks> completed;
    for (std::size_t job = 0; job < both.all.jobs.size(); ++job) completed.push_back(expected->completion(job));
    ASSERT_EQ(first_line(in_child([&] { return by_the_scheduler(l, both.all, expected->faults()); })),
              plain::text_of(completed))
        << policy << " " << rule << ", round " << round;
    preemptions += expected->preemptions();
    interruptions += expected->interruptions();
  }
  EXPECT_GT(preemptions, plain::clusters);
  EXPECT_GT(interruptions, plain::clusters / 2);
}

// The next draws of the rule `random` depend on the order in which the servers of a job are given back at one instant.
// The plain rule follows the order that the scheduler had.
TEST(policies_of_tasks, have_their_jobs_placed_at_random_where_a_plain_rule_draws_the_same_places) {
  const std::array<std::string, 6> policies{
      "adaptive_quickswap", "randomized_timers", "dominant_resource_fairness", "msf", "fcfs", "first_fit"};
  unsigned open = 0;
  for (unsigned round = 0; round < plain::clusters / 4; ++round) {
    const std::string& policy = policies[round % policies.size()];
    random_case both(round + 1, 0);
    both.all.faults.clear();
    layout l = layout_of(both, policy);
    l.placement = both.idle.rule = "random";
    const std::string found = in_child([&] { return by_the_scheduler(l, both.all, {}); });
    std::istringstream ends(found.substr(std::min(found.find('\n'), found.size() - 1) + 1));
    for (course::given_back end{}; ends >> end.job >> end.server;) both.all.ends.push_back(end);
    numbers_of_a_test random(2), of_places(1);
    plain::any_server any(both.idle, of_places);
    const auto expected = plain_rule_of(policy, both, {}, random, &any);
    expected->run();
    std::vector<ticks> completed;
    for (std::size_t job = 0; job < both.all.jobs.size(); ++job) completed.push_back(expected->completion(job));
    ASSERT_EQ(first_line(found), plain::text_of(completed)) << policy << ", round " << round;
    open += both.all.ends.size() > both.all.jobs.size() ? 1 : 0;
  }
  EXPECT_GT(open, plain::clusters / 8) << "clusters in which jobs have several servers";
}

}  // namespace
}  // namespace muster
