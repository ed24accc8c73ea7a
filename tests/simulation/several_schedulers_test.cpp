#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/theory/stability/stability.h"
#include "platform/theory/theory.h"
#include "tests/oracles/markov_chain.h"
#include "tests/scenario/first_point.h"
#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// Several schedulers with servers of their own, held against what is known of parallel queues. Every interval here
// misses the truth with probability 1e-4; seeds are fixed.

namespace muster {
namespace {

// As many servers of one core as there are schedulers.
std::string queues(unsigned count, const std::string& dispatching, double load, int jobs, int replications,
                   const std::string& more = "") {
  return one_class(fmt::format("count = {}, cores = 1", count),
                   fmt::format("schedulers = {{ count = {}, dispatching = \"{}\"{} }}", count, dispatching, more),
                   load * count, exponential,
                   fmt::format("jobs = {}\nreplications = {}\nwarm_up = 0.1", jobs, replications));
}

// Two replications with a checker on every hop, each of 5,000 jobs.
std::vector<replication_result> checked_results(const std::string& text) {
  watching checked;
  checked.check_protocol = true;
  auto results = replicate(first_point(text), 2, checked);
  for (const replication_result& r : results) EXPECT_EQ(r.jobs, 5'000u);
  return results;
}

// The mean number of jobs in two queues of which the shorter one gets each arrival, by the chain of both, cut at 80.
double mean_of_two_shortest_queues(double rate) {
  constexpr std::uint32_t most = 80;
  std::vector<oracle::transition> moves;
  const auto state = [](std::uint32_t a, std::uint32_t b) { return a * (most + 1) + b; };
  for (std::uint32_t a = 0; a <= most; ++a)
    for (std::uint32_t b = 0; b <= most; ++b) {
      if (a > 0) moves.push_back({state(a, b), state(a - 1, b), 1.0});
      if (b > 0) moves.push_back({state(a, b), state(a, b - 1), 1.0});
      if (a <= b && a < most) moves.push_back({state(a, b), state(a + 1, b), a < b ? rate : rate / 2});
      if (b <= a && b < most) moves.push_back({state(a, b), state(a, b + 1), b < a ? rate : rate / 2});
    }
  const auto solved = oracle::solve_stationary((most + 1) * (most + 1), moves, 1e-10);
  double mean = 0.0;
  for (std::uint32_t a = 0; a <= most; ++a)
    for (std::uint32_t b = 0; b <= most; ++b) mean += (a + b) * solved.probability[state(a, b)];
  return mean;
}

TEST(several_schedulers, four_with_random_dispatching_are_four_clusters_of_a_quarter_each) {
  const std::string four = queues(4, "random", 0.7, 9'500, 30);
  const auto results = replicate(four);
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / 0.3);
  EXPECT_ESTIMATE(results, "jobs_in_system", "all", 4 * 0.7 / 0.3);
  EXPECT_ESTIMATE(results, "utilization", "all", 0.7);
  EXPECT_ESTIMATE(results, "throughput", "all", 2.8);
  for (const estimate& known : known_answer(first_point(four)).values)
    EXPECT_TRUE(estimate_of(results, known.metric).covers(*known.mean)) << known.metric << " by theory " << *known.mean;
}

// Round robin leaves each queue the sum of four exponential times between arrivals: E4/M/1, whose chance to wait is
// the root of s = (4 r / (4 r + 1 - s))^4 below 1, for arrivals at rate r to each.
TEST(several_schedulers, round_robin_of_poisson_arrivals_gives_each_queue_erlang_arrivals) {
  constexpr double load = 0.8;
  double waits = 0.5;
  for (int step = 0; step < 10'000; ++step) waits = std::pow(4 * load / (4 * load + 1 - waits), 4);
  const auto results = replicate(queues(4, "round_robin", load, 9'500, 30));
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / (1.0 - waits));
}

TEST(several_schedulers, the_shorter_of_two_queues_has_the_mean_of_its_markov_chain) {
  const double mean = mean_of_two_shortest_queues(1.6);
  for (const char* rule : {"shortest_queue", "power_of_d"}) {
    const auto results = replicate(queues(2, rule, 0.8, 9'500, 30));
    EXPECT_ESTIMATE(results, "jobs_in_system", "all", mean);
    EXPECT_ESTIMATE(results, "response_time", "all", mean / 1.6);
  }
}

// The supermarket model: where two of very many queues are looked at, the mean number in each is the sum of
// load^(2^i - 1), 2.3527 at load 0.9. Of 200 queues it is larger by less than 1 %.
TEST(several_schedulers, the_shorter_of_two_of_200_queues_has_the_mean_of_the_supermarket_model) {
  double mean = 0.0;
  for (int i = 1; i < 20; ++i) mean += std::pow(0.9, std::pow(2.0, i) - 1);
  const auto results = replicate(first_point(queues(200, "power_of_d", 0.9, 80'000, 8), {"run.warm_up=0.3"}));
  const auto found = estimate_of(results, "jobs_in_system");
  EXPECT_NEAR(found.mean / 200, mean, 0.01 * mean + found.half / 200);
  EXPECT_LT(found.half, 0.08 * found.mean);
}

// Numbers of jobs that are very old say nothing: ties are broken at random, and as many schedulers look short as did.
TEST(several_schedulers, the_shortest_queue_by_old_numbers_is_worse_than_a_random_one) {
  const auto mean = [](const std::string& more) {
    return estimate_of(replicate(queues(8, "shortest_queue", 0.8, 20'000, 4, more)), "response_time").mean;
  };
  const double fresh = mean(""), old = mean(", information_delay = 20.0");
  EXPECT_LT(fresh, 0.5 / 0.2);
  EXPECT_GT(old, 1.0 / 0.2);
}

TEST(several_schedulers, a_replication_is_the_same_with_a_checker_on_every_hop) {
  const std::string text = queues(4, "shortest_queue", 0.8, 20'000, 2, ", information_delay = 0.5");
  watching checked;
  checked.check_protocol = true;
  EXPECT_EQ(text_of(replicate(first_point(text))), text_of(replicate(first_point(text), 2, checked)));
}

TEST(several_schedulers, one_scheduler_in_the_table_is_the_one_without_it) {
  const auto without = one_class("count = 4, cores = 2", "", 5.0, exponential, "jobs = 20_000\nreplications = 2");
  const auto with_table = one_class("count = 4, cores = 2", "schedulers = { count = 1, dispatching = \"power_of_d\" }",
                                    5.0, exponential, "jobs = 20_000\nreplications = 2");
  EXPECT_EQ(text_of(replicate(without)), text_of(replicate(with_table)));
}

// Each of four schedulers with a decision time of 0.5 has arrivals and departures to decide about, and bears one job in
// one unit of time: four bear four, and one bears one.
TEST(several_schedulers, limits_of_stability_are_those_of_each_scheduler_by_itself) {
  const auto limits = [](unsigned count, const char* rule, double rate) {
    return examine_stability(first_point(one_class(
        "count = 64, cores = 1",
        fmt::format("decision = {{ fixed = 0.5 }}\nschedulers = {{ count = {}, dispatching = \"{}\" }}", count, rule),
        rate, exponential, "jobs = 1_000")));
  };
  using verdict = stability::verdict;
  EXPECT_NEAR(limits(1, "random", 0.9).unstable_from, 1.0, 1e-9);
  for (const char* rule : {"random", "round_robin", "shortest_queue", "power_of_d"}) {
    EXPECT_NEAR(limits(4, rule, 3.9).unstable_from, 4.0, 1e-9) << rule;
    EXPECT_EQ(limits(4, rule, 4.1).answer, verdict::unstable) << rule;
    EXPECT_NE(limits(4, rule, 3.9).answer, verdict::unstable) << rule;
  }
}

// Of ten servers two of four schedulers have three and two have two: the small ones are full first.
TEST(several_schedulers, the_smallest_share_of_the_servers_limits_random_dispatching) {
  const auto limits = examine_stability(
      first_point(one_class("count = 10, cores = 1", "schedulers = { count = 4 }", 7.0, exponential, "jobs = 1_000")));
  ASSERT_TRUE(limits.policy_rate_is_exact());
  EXPECT_NEAR(*limits.policy_rate, 8.0, 1e-9);
}

// Whoever starts a job: of single cores none is idle while a job waits.
TEST(several_schedulers, that_share_servers_and_know_all_at_once_have_the_means_of_one) {
  const auto known =
      known_answer(first_point(one_class("count = 6, cores = 1", "", 5.0, exponential, "jobs = 1_000"))).values;
  for (const char* schedulers : {"count = 3, dispatching = \"random\"", "count = 5, dispatching = \"round_robin\""}) {
    const auto results = replicate(one_class("count = 6, cores = 1",
                                             fmt::format("schedulers = {{ partition = \"shared\", {} }}", schedulers),
                                             5.0, exponential, "jobs = 5_000\nreplications = 30\nwarm_up = 0.1"));
    for (const estimate& e : known)
      if (e.metric == "response_time" || e.metric == "jobs_in_system" || e.metric == "utilization")
        EXPECT_ESTIMATE(results, e.metric.c_str(), "all", *e.mean);
    EXPECT_EQ(estimate_of(results, "conflicts_per_job").mean, 0.0) << schedulers;
  }
}

TEST(several_schedulers, that_share_servers_collide_more_often_the_longer_they_decide) {
  const auto conflicts = [](const char* decision) {
    return estimate_of(
               replicate(one_class("count = 8, cores = 2",
                                   fmt::format("decision = {{ fixed = {} }}\nschedulers = {{ count = 4, partition = "
                                               "\"shared\" }}",
                                               decision),
                                   8.0, exponential, "jobs = 20_000\nreplications = 4")),
               "conflicts_per_job")
        .mean;
  };
  const double few = conflicts("0.005"), more = conflicts("0.05");
  EXPECT_GT(few, 0.001);
  EXPECT_GT(more, 3.0 * few);
}

TEST(several_schedulers, that_share_servers_keep_all_accounts_over_links_with_a_checker_on_every_hop) {
  const std::string text = R"(
name = "shared"
platform.servers = [{ name = "node", count = 10, cores = 4 }, { name = "fat", count = 3, cores = 8 }]
platform.link = { topology = "racks", racks = 4, latency = 0.01, bandwidth = 1e6 }
platform.costs = { set_up = 0.05 }
platform.decision = { fixed = 0.01, per_job = 0.001, per_dispatch = 0.005 }
platform.schedulers = { count = 3, partition = "shared", dispatching = "power_of_d", information_delay = 0.3 }
classes = [
  { name = "wide", need = 9, share = 0.2, size = { distribution = "exponential", mean = 2.0 } },
  { name = "small", need = 1, share = 0.8, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.load = 0.5
policy = "msf"
run = { jobs = 5_000, replications = 2 }
report.explain = true
)";
  const auto results = checked_results(text);
  EXPECT_GT(estimate_of(results, "conflicts_per_job", "wide").mean, 0.0);
  EXPECT_EQ(text_of(results), text_of(replicate(first_point(text)))) << "and the checkers change nothing";
}

TEST(several_schedulers, that_share_servers_are_bounded_by_the_work_of_all_and_have_no_answer_that_is_known) {
  const auto point = [](double rate) {
    return first_point(one_class("count = 4, cores = 1", "schedulers = { count = 2, partition = \"shared\" }", rate,
                                 exponential, "jobs = 1_000"));
  };
  EXPECT_EQ(examine_stability(point(4.1)).answer, stability::verdict::unstable);
  EXPECT_FALSE(examine_stability(point(3.9)).policy_rate);
  EXPECT_TRUE(known_answer(point(3.0)).values.empty());
}

// Erlang's C formula: the mean response time in the M/M/k queue with jobs of mean 1.
double mean_response_of_one_queue(unsigned servers, double rate) {
  double blocked = 1.0;  // Erlang's B formula, server by server
  for (unsigned k = 1; k <= servers; ++k) blocked = rate * blocked / (k + rate * blocked);
  const double load = rate / servers;
  return 1.0 + blocked / (1.0 - load * (1.0 - blocked)) / (servers - rate);
}

TEST(several_schedulers, of_one_core_each_that_steal_without_delay_have_the_mean_of_one_queue) {
  for (const char* rule : {"random", "power_of_d"}) {
    const auto results = replicate(queues(5, rule, 0.8, 5'000, 30, ", work_stealing = true"));
    EXPECT_ESTIMATE(results, "response_time", "all", mean_response_of_one_queue(5, 4.0));
    EXPECT_ESTIMATE(results, "jobs_in_system", "all", 4.0 * mean_response_of_one_queue(5, 4.0));
    EXPECT_ESTIMATE(results, "utilization", "all", 0.8);
  }
}

// The chain of the jobs at each of two schedulers of one core, of which an idle one takes a waiting job at once.
TEST(several_schedulers, that_steal_take_as_many_jobs_as_their_markov_chain) {
  constexpr std::uint32_t most = 80;
  constexpr double rate = 1.6;
  // Neither is empty, or there is one job at most.
  const auto state = [](std::uint32_t a, std::uint32_t b) {
    return a == 0 || b == 0 ? a + 2 * b : 3 + (a - 1) * most + b - 1;
  };
  std::vector<oracle::transition> moves;
  std::vector<double> thefts(3 + most * most);  // their rate in each state
  const auto move = [&](std::uint32_t from, std::uint32_t a, std::uint32_t b, double at) {
    if ((a == 0 && b > 1) || (b == 0 && a > 1)) {
      thefts[from] += at;
      std::tie(a, b) = a == 0 ? std::pair{1u, b - 1} : std::pair{a - 1, 1u};
    }
    moves.push_back({from, state(a, b), at});
  };
  for (std::uint32_t a = 0; a <= most; ++a)
    for (std::uint32_t b = 0; b <= most; ++b) {
      const std::uint32_t from = state(a, b);
      if ((a == 0 && b > 1) || (b == 0 && a > 1)) continue;
      if (a > 0) move(from, a - 1, b, 1.0);
      if (b > 0) move(from, a, b - 1, 1.0);
      if (a < most) move(from, a + 1, b, rate / 2);
      if (b < most) move(from, a, b + 1, rate / 2);
    }
  const auto solved = oracle::solve_stationary(3 + most * most, moves, 1e-10);
  double stolen = 0.0;
  for (std::size_t s = 0; s < thefts.size(); ++s) stolen += solved.probability[s] * thefts[s];
  const auto results = replicate(queues(2, "random", 0.8, 9'500, 30, ", work_stealing = true"));
  EXPECT_ESTIMATE(results, "jobs_stolen_per_job", "all", stolen / rate);
  EXPECT_ESTIMATE(results, "response_time", "all", mean_response_of_one_queue(2, rate));
}

TEST(several_schedulers, that_steal_by_old_numbers_are_between_one_queue_and_queues_that_keep_their_jobs) {
  const auto mean = [](const std::string& more) {
    return estimate_of(replicate(queues(5, "random", 0.8, 20'000, 4, more)), "response_time").mean;
  };
  const double late = mean(", work_stealing = true, information_delay = 0.5");
  EXPECT_GT(late, 1.1 * mean_response_of_one_queue(5, 4.0));
  EXPECT_LT(late, 0.6 * 5.0) << "queues that keep their jobs have a mean of 1 / 0.2";
}

TEST(several_schedulers, that_steal_keep_all_accounts_over_links_with_a_checker_on_every_hop) {
  const std::string text = R"(
name = "stealing"
[platform]
servers = [{ name = "node", count = 10, cores = 4 }, { name = "fat", count = 3, cores = 8 }]
link = { topology = "racks", racks = 4, latency = 0.01, bandwidth = 1e6 }
costs = { set_up = 0.05 }
decision = { fixed = 0.01, per_job = 0.001, per_dispatch = 0.005 }
schedulers = { count = 3, work_stealing = true, information_delay = 0.3 }
[[classes]]
name = "wide"
need = 9
share = 0.2
size = { distribution = "exponential", mean = 2.0 }
[[classes]]
name = "small"
need = 1
share = 0.8
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
load = 0.5
[policy]
name = "first_fit"
[run]
jobs = 5_000
replications = 2
)";
  const auto results = checked_results(text);
  for (const char* name : {"wide", "small"})
    EXPECT_GT(estimate_of(results, "jobs_stolen_per_job", name).mean, 0.0) << name;
  EXPECT_EQ(text_of(results), text_of(replicate(first_point(text)))) << "and the checkers change nothing";
}

TEST(several_schedulers, that_steal_do_so_in_a_cluster_that_is_controlled) {
  scenario model = first_point(queues(3, "random", 0.8, 2'000, 2, ", work_stealing = true"));
  const double alone = estimate_of(replicate(model), "jobs_stolen_per_job").mean;
  EXPECT_GT(alone, 0.1);
  model.controlled = true;
  EXPECT_EQ(estimate_of(replicate(model), "jobs_stolen_per_job").mean, alone);
}

TEST(several_schedulers, that_steal_are_bounded_by_the_work_of_all_and_have_no_answer_that_is_known) {
  const auto point = [](double rate) {
    return first_point(one_class("count = 4, cores = 1", "schedulers = { count = 2, work_stealing = true }", rate,
                                 exponential, "jobs = 1_000"));
  };
  EXPECT_EQ(examine_stability(point(4.1)).answer, stability::verdict::unstable);
  EXPECT_FALSE(examine_stability(point(3.9)).policy_rate);
  EXPECT_TRUE(known_answer(point(3.0)).values.empty());
}

// Each of four schedulers pools its two servers into one queue of twice their speed.
TEST(several_schedulers, of_pooled_jobs_are_clusters_of_a_quarter_each) {
  for (const char* policy : {"name = \"fcfs_pooled\"", "name = \"balanced_fair\"\ninterruptions_per_job = 5.0"}) {
    std::string text = one_class("count = 8, cores = 1", "schedulers = { count = 4 }", 5.6, exponential,
                                 "jobs = 3_200\nreplications = 30\nwarm_up = 0.1");
    text.replace(text.find("name = \"fcfs\""), 13, policy);
    const auto results = replicate(text);
    EXPECT_ESTIMATE(results, "response_time", "all", 1.0 / (2.0 - 1.4));
    EXPECT_ESTIMATE(results, "jobs_in_system", "all", 5.6 / (2.0 - 1.4));
    const auto known = known_answer(first_point(text)).values;
    EXPECT_FALSE(known.empty()) << policy;
    for (const estimate& e : known)
      if (e.metric == "response_time") {
        EXPECT_NEAR(*e.mean, 1.0 / (2.0 - 1.4), 1e-9);
      }
    EXPECT_NEAR(examine_stability(first_point(text)).unstable_from, 8.0, 1e-9);
  }
}

// Slotted jobs on machines of one core each. @param more keys of the platform
std::string slots(int machines, const std::string& policy, const std::string& more) {
  return fmt::format(R"(
name = "slots"
[platform]
servers = [{{ name = "machine", count = {} }}]
costs = {{ set_up = 0.05, save = 0.02 }}
{}
[[classes]]
name = "job"
units = 3
share = 1.0
utility = {{ function = "logarithmic", steepness = 5.0 }}
deadline = {{ distribution = "uniform", from = 0, to = 6 }}
[arrivals]
load = 0.9
[policy]
name = "{}"
[run]
jobs = 2_500
replications = 24
warm_up = 0.1
)",
                     machines, more, policy);
}

TEST(several_schedulers, of_slotted_jobs_are_clusters_of_a_quarter_each) {
  for (const char* policy : {"ispeed", "edf"}) {
    const std::string four = slots(8, policy, "schedulers = { count = 4 }");
    const auto all = replicate(four), quarter = replicate(slots(2, policy, ""));
    for (const auto& [metric, factor] : std::vector<std::pair<const char*, double>>{
             {"utility_rate", 4.0}, {"response_time", 1.0}, {"utilization", 1.0}, {"overhead_share", 1.0}}) {
      const auto of_all = estimate_of(all, metric), of_quarter = estimate_of(quarter, metric);
      EXPECT_NEAR(of_all.mean, factor * of_quarter.mean, std::hypot(of_all.half, factor * of_quarter.half))
          << policy << ' ' << metric;
      EXPECT_LT(of_all.half, 0.1 * of_all.mean) << policy << ' ' << metric;
    }
    EXPECT_TRUE(known_answer(first_point(four)).values.empty());
  }
}

TEST(several_schedulers, of_pooled_and_slotted_jobs_keep_all_accounts_over_links_while_servers_fail) {
  const std::string network =
      "link = { topology = \"racks\", racks = 2, latency = 0.01, bandwidth = 1e6 }\n"
      "schedulers = { count = 3, dispatching = \"power_of_d\", information_delay = 0.3 }\n";
  const std::string failing = "count = 9, cores = 2, faults = { to_failure = 30.0, to_repair = 2.0 }";
  std::string pooled = one_class(failing, network + "costs = { set_up = 0.01, save = 0.02, migration = 0.03 }", 8.0,
                                 exponential, "jobs = 5_000\nreplications = 2");
  pooled.replace(pooled.find("name = \"fcfs\""), 13, "name = \"balanced_fair\"\ninterruptions_per_job = 5.0");
  std::string slotted = slots(9, "ispeed", network);
  slotted.replace(slotted.find("count = 9"), 9, failing);
  slotted.replace(slotted.find("jobs = 2_500\nreplications = 24"), 30, "jobs = 5_000\nreplications = 2");
  for (const std::string& text : {pooled, slotted}) {
    watching checked;
    checked.check_protocol = true;
    EXPECT_EQ(text_of(replicate(first_point(text), 2, checked)), text_of(replicate(first_point(text))));
  }
}

TEST(several_schedulers, gangs_links_and_failures_keep_all_accounts) {
  const std::string text = R"(
name = "all_of_it"
platform.servers = [{ name = "node", count = 10, cores = 4, faults = { to_failure = 300.0, to_repair = 20.0 } },
                    { name = "fat", count = 3, cores = 8 }]
platform.link = { topology = "racks", racks = 4, latency = 0.01, bandwidth = 1e6 }
platform.costs = { set_up = 0.05, save = 0.1, restore = 0.1 }
platform.decision = { fixed = 0.01, per_job = 0.001 }
platform.schedulers = { count = 3, dispatching = "power_of_d", choices = 2, information_delay = 0.3 }
platform.checkpoint_every = 1.0
classes = [
  { name = "wide", need = 9, share = 0.2, state = 1e4, size = { distribution = "exponential", mean = 2.0 } },
  { name = "small", need = 1, share = 0.8, state = 1e3, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.load = 0.5
policy = "msf"
run = { jobs = 5_000, replications = 2 }
report.explain = true
)";
  const auto results = checked_results(text);
  EXPECT_GT(estimate_of(results, "time_decision").mean, 0.0) << "parts of times add up to the tick, job by job";
}

}  // namespace
}  // namespace muster
