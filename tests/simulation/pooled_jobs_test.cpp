#include <algorithm>
#include <cmath>
#include <memory>

#include <rapidcheck.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/model/class_table.h"
#include "tests/oracles/pooled_queue.h"
#include "tests/scenario/first_point.h"
#include "tests/simulation/job_by_job.h"

// Pooled jobs in the simulator against Algorithm 1 written anew: the same jobs and the same timers must lead to the
// same completions and interruptions, job by job and to the last tick.

namespace muster {
namespace {

constexpr int jobs = 300;

std::string line_of(std::uint64_t job, ticks completion, std::uint64_t interruptions) {
  return fmt::format("job {} at {} after {} interruptions", job, completion, interruptions);
}

/// The servers of an entry, each with the timer that it has in the simulator.
void append_servers(const scenario& model, const server_spec& entry, std::vector<oracle::pooled_server>& servers) {
  const double capacity = entry.cores * entry.capacity;
  const double theta = work_between_interruptions(model);
  for (std::uint32_t n = 0; n < entry.count; ++n) {
    servers.push_back({capacity, {}});
    if (!std::isfinite(theta)) continue;
    const double mean = theta / capacity;
    const bool random = model.timers.kind == timer_spec::law::exponential;
    const auto bits = std::make_shared<random_stream>(model.run.seed, 0, fmt::format("server_{}[{}]", entry.name, n),
                                                      "interruptions");
    const ticks tick = std::max<ticks>(1, model.unit.to_ticks(model.timers.tick));
    servers.back().timer = [=, unit = model.unit,
                            law = random ? distribution::make("exponential", {{"mean", {mean}}})
                                         : distribution::make("deterministic", {{"value", {mean}}})]() mutable {
      const ticks exact = std::max<ticks>(1, unit.to_ticks(law(*bits)));
      return (exact + tick - 1) / tick * tick;
    };
  }
}

lines through_the_oracle(const scenario& model) {
  std::vector<oracle::pooled_server> servers;
  std::vector<std::vector<std::uint32_t>> of_entry;  // numbers of the entry's servers
  for (const server_spec& entry : model.servers) {
    of_entry.emplace_back();
    for (std::uint32_t n = 0; n < entry.count; ++n)
      of_entry.back().push_back(static_cast<std::uint32_t>(servers.size()) + n);
    append_servers(model, entry, servers);
  }
  std::vector<oracle::pooled_job> all;
  first_jobs workload(model, 0, jobs);
  for (job_request next; workload.next(next);) {
    all.push_back({next.arrival, next.size, {}});
    const class_spec& type = model.classes[by_descending_need(model)[static_cast<std::size_t>(next.type)]];
    for (const std::uint64_t drawn : next.servers) all.back().servers.push_back(static_cast<std::uint32_t>(drawn));
    for (std::size_t e = 0; e < model.servers.size() && type.drawn == 0; ++e)
      if (std::find(type.servers.begin(), type.servers.end(), model.servers[e].name) != type.servers.end())
        all.back().servers.insert(all.back().servers.end(), of_entry[e].begin(), of_entry[e].end());
  }
  lines told;
  for (const oracle::pooled_outcome& o : serve_pooled(all, servers))
    told.push_back(line_of(told.size(), o.completion, o.interruptions));
  return told;
}

struct choices {
  std::vector<double> capacities, thetas, rates;
  std::vector<std::string> sizes, processes, ticks;
};

std::string random_scenario(const choices& from) {
  std::string text = "name = \"random\"\n[platform]\nservers = [";
  const int entries = *rc::gen::inRange(1, 5);
  int servers = 0;
  for (int e = 0; e < entries; ++e) {
    const int count = *rc::gen::inRange(1, 3);
    servers += count;
    text += fmt::format("{{ name = \"s{}\", count = {}, cores = {}, capacity = {} }}, ", e, count,
                        *rc::gen::inRange(1, 3), *rc::gen::elementOf(from.capacities));
  }
  text += fmt::format("]\ntimers = {{ law = \"{}\", tick = {} }}\n",
                      *rc::gen::element<std::string>("exponential", "deterministic"), *rc::gen::elementOf(from.ticks));
  const int classes = *rc::gen::inRange(1, 5);
  for (int c = 0; c < classes; ++c) {
    std::string usable = fmt::format("\"s{}\"", *rc::gen::inRange(0, entries));
    for (int e = 0; e < entries; ++e)
      if (*rc::gen::arbitrary<bool>() && usable.find(fmt::format("s{}", e)) == std::string::npos)
        usable += fmt::format(", \"s{}\"", e);
    const int drawn = *rc::gen::inRange(-2 * servers, servers + 1);
    text += fmt::format("[[classes]]\nname = \"c{}\"\nneed = 1\nshare = {}\nsize = {{ {} }}\nservers = {}\n", c,
                        1.0 / classes, *rc::gen::elementOf(from.sizes),
                        drawn > 0 ? fmt::format("{{ random = {} }}", drawn) : "[" + usable + "]");
  }
  text += fmt::format("[run]\njobs = {}\n[arrivals]\nprocess = \"{}\"\nrate = {}\n", jobs,
                      *rc::gen::elementOf(from.processes), *rc::gen::elementOf(from.rates));
  return text + (*rc::gen::inRange(0, 4) == 0 ? std::string("[policy]\nname = \"fcfs_pooled\"\n")
                                              : fmt::format("[policy]\nname = \"balanced_fair\"\ntheta = {}\n",
                                                            *rc::gen::elementOf(from.thetas)));
}

void expect_agreement(const choices& from) {
  ASSERT_TRUE(rc::check([&] {
    const std::string text = random_scenario(from);
    RC_LOG() << text;
    scenario point = first_point(text);
    const ticks quantum = *rc::gen::element<ticks>(0, 1'000'000, end_of_clock);
    for (point.run.seed = 1; point.run.seed <= 5; ++point.run.seed) {
      const lines found = through_the_simulator(
          point, jobs, [](ticks now, const job_extension& j) { return line_of(j.id, now, j.interruptions); }, quantum);
      const lines expected = through_the_oracle(point);
      if (found != expected) RC_FAIL(fmt::format("seed {}: {}", point.run.seed, first_difference(found, expected)));
    }
  }));
}

const std::vector<std::string> random_sizes{R"(distribution = "exponential", mean = 1.0)",
                                            R"(distribution = "uniform", low = 0.5, high = 1.5)",
                                            R"(distribution = "hyperexponential", mean = 1.0, scv = 4.0)"};

// Capacities whose sums are exact in binary: of others, the last bit of a sum depends on the order of the servers.
TEST(pooled_jobs, complete_at_the_tick_at_which_algorithm_1_completes_them) {
  expect_agreement({{0.125, 0.375, 0.75, 1.0, 1.125, 2.0},
                    {0.1, 0.5, 1.0, 5.0},
                    {0.25, 1.0, 2.0, 4.0},
                    random_sizes,
                    {"poisson", "deterministic"},
                    {"0.0", "0.01", "0.5"}});
}

TEST(pooled_jobs, complete_as_under_algorithm_1_where_most_events_come_together) {
  expect_agreement(
      {{0.5, 1.0, 2.0},
       {0.25, 0.5, 1.0},
       {0.5, 1.0, 2.0, 4.0},
       {R"(distribution = "deterministic", value = 1.0)", R"(distribution = "deterministic", value = 0.75)"},
       {"deterministic"},
       {"0.0", "0.25", "1.0"}});
}

TEST(pooled_jobs, of_very_few_ticks_complete_as_under_algorithm_1) {
  expect_agreement(
      {{1.0, 3.0, 7.0, 0.375},
       {15e-9, 40e-9},
       {1e7, 5e7, 1e8},
       {R"(distribution = "exponential", mean = 20e-9)", R"(distribution = "deterministic", value = 15e-9)"},
       {"poisson"},
       {"0.0", "1e-9", "5e-9"}});
}

}  // namespace
}  // namespace muster
