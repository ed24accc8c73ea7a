#include <algorithm>

#include <rapidcheck.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/algorithm/string/replace.hpp>

#include "platform/metrics/metric.h"
#include "tests/simulation/picture_checks.h"
#include "tests/simulation/replicate.h"

// At its end every replication checks, to the last tick, that jobs and core time are conserved and that Little's law
// holds; a violation is a fault. Here random clusters, workloads and policies are put through it: every kind of job,
// with and without faults, links, times of decisions and costs, also under the eyes of the protocol checkers.

namespace muster {
namespace {

constexpr std::uint64_t jobs_each = 500;

/// @param slotted its jobs are: capacities are 1 then, and there are no checkpoints
std::string random_platform(int& servers, int& cores, bool slotted = false) {
  const auto groups = *rc::gen::inRange(1, 4);
  const bool fail = *rc::gen::arbitrary<bool>();
  const double to_failure = slotted ? *rc::gen::element(2.0, 20.0) : 20.0;
  std::string text = "name = \"random\"\n[platform]\nservers = [";
  for (int g = 0; g < groups; ++g) {
    const int count = *rc::gen::inRange(1, 6), each = *rc::gen::inRange(1, 5);
    servers += count;
    cores += count * each;
    text += fmt::format("{{ name = \"s{}\", count = {}, cores = {}, capacity = {}{} }},", g, count, each,
                        slotted ? 1.0 : *rc::gen::element(0.5, 1.0, 2.0),
                        fail ? fmt::format(", faults = {{ to_failure = {}, to_repair = 1.0 }}", to_failure) : "");
  }
  return text + (fail && !slotted ? "]\ncheckpoint_every = 0.2\n" : "]\n");
}

std::string random_costs(const std::string& more = "") {
  const std::string bandwidth = *rc::gen::arbitrary<bool>() ? ", bandwidth = 100.0" : "";
  return fmt::format("costs = {{ set_up = {}, dispatch_latency = {}, save = {}, restore = {}, migration = {}{}{} }}\n",
                     *rc::gen::element(0.0, 0.05), *rc::gen::element(0.0, 0.01), *rc::gen::element(0.0, 0.02),
                     *rc::gen::element(0.0, 0.03), *rc::gen::element(0.0, 0.04), bandwidth, more);
}

std::string random_network(int servers) {
  const std::string link = *rc::gen::element<std::string>(
      "latency = 0.0", "latency = 0.02", "latency = 0.001, bandwidth = 1e5",
      fmt::format("topology = \"racks\", racks = {}, latency = 0.01, uplink_bandwidth = 1e5", std::min(servers, 2)),
      "topology = \"fat_tree\", ports = 8, latency = 0.001, bandwidth = 1e4, message_bytes = 16");
  return fmt::format("link = {{ {} }}\ndecision = {{ fixed = {}, per_job = {} }}\n", link,
                     *rc::gen::element(0.0, 0.0, 0.001), *rc::gen::element(0.0, 0.0, 0.0005));
}

std::string random_class(int number, int need, const std::string& servers) {
  const std::string size = *rc::gen::element<std::string>(R"(distribution = "exponential", mean = 1.0)",
                                                          R"(distribution = "deterministic", value = 1.0)",
                                                          R"(distribution = "hyperexponential", mean = 1.0, scv = 4.0)",
                                                          R"(distribution = "pareto", shape = 2.5, mean = 1.0)");
  return fmt::format("[[classes]]\nname = \"c{}\"\nneed = {}\nrate = {}\nsize = {{ {} }}\n{}", number, need,
                     *rc::gen::element(0.1, 0.5, 2.0), size, servers);
}

std::string random_run(const std::string& policy) {
  return fmt::format("[policy]\n{}\n[run]\njobs = {}\nreplications = 1\nwarm_up = {}\n", policy, jobs_each,
                     *rc::gen::element(0.0, 0.1, 0.5));
}

std::string random_scenario() {
  int servers = 0, cores = 0;
  std::string text = random_platform(servers, cores);
  text += random_costs() + random_network(servers);
  const int classes = *rc::gen::inRange(1, 5);
  for (int c = 0; c < classes; ++c) text += random_class(c, *rc::gen::inRange(1, cores + 1), "");
  return text + random_run(fmt::format("name = \"{}\"",
                                       *rc::gen::element<std::string>("fcfs", "first_fit", "msf", "static_quickswap",
                                                                      "adaptive_quickswap")));
}

std::string random_pooled_scenario() {
  int servers = 0, cores = 0;
  std::string text = random_platform(servers, cores);
  text += random_costs() + random_network(servers);
  text += fmt::format("timers = {{ law = \"{}\", tick = {} }}\n",
                      *rc::gen::element<std::string>("exponential", "deterministic"), *rc::gen::element(0.0, 0.1));
  const int classes = *rc::gen::inRange(1, 5);
  for (int c = 0; c < classes; ++c) {
    const int drawn = *rc::gen::inRange(-servers, servers + 1);
    text += random_class(c, 1,
                         fmt::format("state = {}\n{}", *rc::gen::element(0.0, 5.0),
                                     drawn > 0 ? fmt::format("servers = {{ random = {} }}\n", drawn)
                                               : *rc::gen::element<std::string>("", "servers = [\"s0\"]\n")));
  }
  return text + random_run(*rc::gen::element<std::string>("name = \"fcfs_pooled\"",
                                                          "name = \"balanced_fair\"\ninterruptions_per_job = 5.0",
                                                          "name = \"balanced_fair\"\ntheta = 1.0"));
}

/// @param may_stay_for_ever the class may have no deadline
std::string random_slotted_class(int number, double share, bool may_stay_for_ever) {
  std::vector<std::string> deadlines{R"(deadline = { distribution = "constant", slots = 1 })",
                                     R"(deadline = { distribution = "uniform", from = 0, to = 6 })",
                                     R"(deadline = { distribution = "two_valued", tight = 0, loose = 9 })"};
  if (may_stay_for_ever) deadlines.emplace_back();
  return fmt::format(
      "[[classes]]\nname = \"c{}\"\nunits = {}\nshare = {}\nvalue = {}\nstate = {}\nutility = {}\n{}\n", number,
      *rc::gen::inRange(1, 7), share, *rc::gen::element(1.0, 10.0), *rc::gen::element(0.0, 5.0),
      *rc::gen::element<std::string>(R"({ function = "linear" })", R"({ function = "logarithmic", steepness = 5.0 })",
                                     R"({ function = "steps", tasks = 2 })"),
      *rc::gen::elementOf(deadlines));
}

std::string random_slotted_scenario() {
  int servers = 0, cores = 0;
  std::string text = random_platform(servers, cores, true);
  text +=
      random_costs(*rc::gen::element<std::string>("", ", epsilon = 0.05", ", epsilon = 0.5")) + random_network(servers);
  text += fmt::format("slot = {}\n", *rc::gen::element(1.0, 0.3, 0.06));
  const auto policy = *rc::gen::element<std::string>(
      "name = \"ispeed\"", "name = \"ispeed\"\ngain = \"literal\"", "name = \"fifo\"", "name = \"edf\"",
      "name = \"equal_partitioning\"", "name = \"equal_partitioning\"\nshare = \"fractional\"");
  // Costs may be longer than slots, and loads above 1: who is not served in turn may stay for ever without a deadline.
  const bool in_turn = policy == "name = \"fifo\"";
  const int classes = *rc::gen::inRange(1, 4);
  std::string all;
  for (int c = 0; c < classes; ++c) all += random_slotted_class(c, 1.0 / classes, in_turn);
  return text + all +
         fmt::format("[arrivals]\nprocess = \"{}\"\nload = {}\n",
                     *rc::gen::element<std::string>("poisson", "deterministic"), *rc::gen::element(0.3, 0.9, 1.5)) +
         random_run(policy);
}

/// All servers may run every class, as preemptive policies demand; states and power are there to be moved and spent.
std::string random_preemptive_scenario() {
  int servers = 0, cores = 0;
  std::string text = random_platform(servers, cores);
  if (*rc::gen::arbitrary<bool>())
    boost::algorithm::replace_all(
        text, " },",
        ", power = { idle = 1.0, active = 3.0, overhead = 2.0, asleep = 0.1, sleep_after = 0.5, wake = 0.02 } },");
  text += random_costs() + random_network(servers);
  const int classes = *rc::gen::inRange(1, 5);
  for (int c = 0; c < classes; ++c)
    text += random_class(c, *rc::gen::inRange(1, cores + 1), fmt::format("state = {}\n", *rc::gen::element(0.0, 5.0)));
  return text + random_run(*rc::gen::element<std::string>(
                    "name = \"server_filling\"", "name = \"server_filling\"\nfill = \"until_misfit\"",
                    "name = \"divisor_filling\"", "name = \"max_weight\"", "name = \"server_filling_srpt\"",
                    "name = \"kill_restart\"", "name = \"last_come_first_served\""));
}

void expect_conservation(std::string (*random_text)()) {
  ASSERT_TRUE(rc::check([random_text] {
    const std::string text = random_text();
    RC_LOG() << text;
    watching watch;
    watch.check_protocol = *rc::gen::arbitrary<bool>();
    scenario model = first_point(text);
    model.report.explain = *rc::gen::arbitrary<bool>();  // then the parts of each job's time add up, too
    const auto results = replicate(model, 1, watch);
    RC_ASSERT(results.size() == 1u);
    RC_ASSERT(results[0].jobs >= jobs_each);  // several may leave at the last instant
  }));
}

TEST(conservation, holds_for_random_clusters_workloads_and_policies) { expect_conservation(random_scenario); }

TEST(conservation, holds_for_pooled_jobs_whatever_the_timers_and_costs) { expect_conservation(random_pooled_scenario); }

TEST(conservation, holds_for_jobs_that_are_preempted_whatever_fails_is_delayed_and_costs) {
  expect_conservation(random_preemptive_scenario);
}

// However the run is watched and with how many workers: the same numbers.
TEST(conservation, of_preempted_jobs_does_not_depend_on_workers_and_checkers) {
  ASSERT_TRUE(rc::check([] {
    const std::string text = random_preemptive_scenario();
    RC_LOG() << text;
    scenario model = first_point(text, {"run.replications=2"});
    const auto found = [&](std::size_t workers, bool check_protocol) {
      watching watch;
      watch.check_protocol = check_protocol;
      std::string all;
      for (replication_result& r : replicate(model, workers, watch)) {
        r.seconds = 0.0;
        all += to_text(r);
      }
      return all;
    };
    const std::string direct = found(1, false);
    RC_ASSERT(found(2, false) == direct);
    RC_ASSERT(found(2, true) == direct);
  }));
}

TEST(conservation, holds_for_slotted_jobs_whatever_fails_is_delayed_and_costs) {
  expect_conservation(random_slotted_scenario);
}

std::string scenario_of_any_kind() {
  switch (*rc::gen::inRange(0, 4)) {
    case 0: return random_scenario();
    case 1: return random_pooled_scenario();
    case 2: return random_preemptive_scenario();
    default: return random_slotted_scenario();
  }
}

TEST(explanation, of_jobs_times_changes_no_other_result) {
  ASSERT_TRUE(rc::check([] {
    const std::string text = scenario_of_any_kind();
    RC_LOG() << text;
    scenario model = first_point(text);
    std::vector<replication_result> results[2];
    for (const bool explain : {false, true}) {
      model.report.explain = explain;
      results[explain] = replicate(model);
    }
    auto& found = results[true][0].measurements;
    const std::size_t all = found.size();
    found.erase(std::remove_if(found.begin(), found.end(),
                               [](const measurement& m) {
                                 return find_metric(m.metric)->measured.words == "report.explain = true";
                               }),
                found.end());
    RC_ASSERT(found.size() < all);
    RC_ASSERT(text_of(results[true]) == text_of(results[false]));
  }));
}

TEST(pictures, of_random_runs_agree_with_their_measurements_and_change_no_number) {
  ASSERT_TRUE(rc::check([] {
    const std::string text = scenario_of_any_kind();
    RC_LOG() << text;
    const scenario model = first_point(text);
    watching watch;
    watch.pictures = true;
    std::vector<replication_result> drawn = replicate(model, 1, watch);
    const picture_checks check(model, drawn[0]);
    for (const std::string& wrong : {check.bins(), check.cores(), check.responses(), check.waits()})
      RC_ASSERT(wrong == "");
    for (replication_result& r : drawn) r.pictures = {};
    RC_ASSERT(text_of(drawn) == text_of(replicate(model)));
  }));
}

}  // namespace
}  // namespace muster
