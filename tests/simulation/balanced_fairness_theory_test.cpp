#include <numeric>
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/oracles/interrupting_server.h"
#include "tests/oracles/multiserver_queue.h"
#include "tests/simulation/replicate.h"

// Pooled jobs against the exact means of "Balanced fair resource sharing in computer clusters", solved in
// tests/oracles. Every interval here misses the truth with probability 1e-4; seeds are fixed.

namespace muster {
namespace {

using oracle::multiserver_queue;

const std::string exponential = R"(distribution = "exponential", mean = 1.0)";

std::string policy_of(double interruptions) {
  return interruptions == 0.0 ? R"(name = "fcfs_pooled")"
                              : fmt::format("name = \"balanced_fair\"\ninterruptions_per_job = {:.1f}", interruptions);
}

// Interruptions take time to simulate, and make the means vary less.
int fewer(int jobs, double interruptions) { return static_cast<int>(jobs / (1.0 + 0.2 * interruptions)); }

std::vector<replication_result> simulate(const multiserver_queue& queue, const std::string& size, double interruptions,
                                         int jobs, const std::string& costs = "") {
  std::string text = "name = \"theory\"\n[platform]\n" + costs + "servers = [\n";
  for (std::size_t s = 0; s < queue.capacities.size(); ++s)
    text += fmt::format("{{ name = \"s{}\", capacity = {} }},\n", s, queue.capacities[s]);
  text += "]\n";
  for (std::size_t i = 0; i < queue.classes(); ++i) {
    std::vector<std::string> names;
    for (const std::uint32_t s : queue.servers_of[i]) names.push_back(fmt::format("\"s{}\"", s));
    text += fmt::format("[[classes]]\nname = \"c{}\"\nneed = 1\nrate = {}\nsize = {{ {} }}\nservers = [{}]\n", i,
                        queue.arrival_rates[i], size, fmt::join(names, ", "));
  }
  return replicate(text + fmt::format("[policy]\n{}\n[run]\njobs = {}\nreplications = 30\nwarm_up = 0.1\n",
                                      policy_of(interruptions), fewer(jobs, interruptions)));
}

void expect_product_form(const multiserver_queue& queue, double interruptions, int jobs = 32'000) {
  const auto results = simulate(queue, exponential, interruptions, jobs);
  const std::vector<double> means = means_by_active_classes(queue);
  const double total = std::accumulate(means.begin(), means.end(), 0.0);
  const double rate = std::accumulate(queue.arrival_rates.begin(), queue.arrival_rates.end(), 0.0);
  EXPECT_ESTIMATE(results, "jobs_in_system", "all", total);
  EXPECT_ESTIMATE(results, "response_time", "all", total / rate);
  EXPECT_ESTIMATE(results, "interruptions_per_job", "all", interruptions);
  for (std::size_t i = 0; i < queue.classes(); ++i) {
    const std::string name = fmt::format("c{}", i);
    EXPECT_ESTIMATE(results, "jobs_in_system", name, means[i]);
    EXPECT_ESTIMATE(results, "response_time", name, means[i] / queue.arrival_rates[i]);
    EXPECT_ESTIMATE(results, "service_rate", name, queue.arrival_rates[i] / means[i]);
    EXPECT_ESTIMATE(results, "interruptions_per_job", name, interruptions);
  }
}

class with_interruptions : public testing::TestWithParam<double> {};
class product_form : public with_interruptions {};

TEST_P(product_form, holds_on_the_three_servers_of_figure_1) {
  expect_product_form({{1.0, 1.0, 1.0}, {{0, 2}, {1, 2}}, {1.2, 1.2}}, GetParam());
}

TEST_P(product_form, holds_on_the_two_servers_of_figure_2) {
  expect_product_form({{1.0, 1.0}, {{0, 1}, {1}}, {0.75, 0.75}}, GetParam());
}

TEST_P(product_form, holds_where_each_job_draws_two_of_ten_servers) {
  const std::string text = R"(
name = "drawn"
[platform]
servers = [{ name = "node", count = 10 }]
[[classes]]
name = "job"
need = 1
rate = 8.0
size = { distribution = "exponential", mean = 1.0 }
servers = { random = 2 }
[policy]
)";
  const auto results = replicate(text + policy_of(GetParam()) +
                                 fmt::format("\n[run]\njobs = {}\nreplications = 30\n", fewer(32'000, GetParam())));
  const double mean = oracle::mean_under_random_assignment(10, 2, 8.0);
  EXPECT_ESTIMATE(results, "jobs_in_system", "all", mean);
  EXPECT_ESTIMATE(results, "response_time", "all", mean / 8.0);
  EXPECT_ESTIMATE(results, "interruptions_per_job", "all", GetParam());
}

std::string name_of(const testing::TestParamInfo<double>& given) {
  return fmt::format("with_{}_interruptions_per_job", static_cast<int>(given.param));
}

INSTANTIATE_TEST_SUITE_P(papers_graphs, product_form, testing::Values(0.0, 1.0, 5.0), name_of);

/// 4 to 8 classes on 3 to 8 servers, where the hardest pressed set of classes has a load of 0.7.
multiserver_queue random_queue(unsigned seed) {
  std::mt19937 bits(seed);
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(bits() % n); };
  multiserver_queue queue;
  const std::uint32_t servers = 3 + below(6), classes = 4 + below(5);
  for (std::uint32_t s = 0; s < servers; ++s) queue.capacities.push_back(0.5 + 0.1 * below(16));
  queue.servers_of.resize(classes);
  for (std::uint32_t s = 0; s < servers; ++s) {
    const std::uint32_t sure = below(classes);
    for (std::uint32_t i = 0; i < classes; ++i)
      if (i == sure || below(3) == 0) queue.servers_of[i].push_back(s);
  }
  for (auto& usable : queue.servers_of)
    if (usable.empty()) usable.push_back(below(servers));
  for (std::uint32_t i = 0; i < classes; ++i) queue.arrival_rates.push_back(0.3 + 0.1 * below(8));
  const double scale = 0.7 / queue.load();
  for (double& rate : queue.arrival_rates) rate *= scale;
  return queue;
}

class random_graph : public testing::TestWithParam<std::tuple<unsigned, double>> {};

TEST_P(random_graph, has_the_product_form) {
  const auto [seed, interruptions] = GetParam();
  expect_product_form(random_queue(seed), interruptions, 16'000);
}

INSTANTIATE_TEST_SUITE_P(ten, random_graph, testing::Combine(testing::Range(1U, 11U), testing::Values(0.0, 1.0, 5.0)),
                         [](const auto& given) {
                           return fmt::format("{}_with_{}_interruptions_per_job", std::get<0>(given.param),
                                              static_cast<int>(std::get<1>(given.param)));
                         });

/// The size distributions of the paper, each as a scenario has it and as the oracle has it.
struct law {
  const char* name;
  const char* size;
  oracle::phase_sizes (*phases)();
};

void PrintTo(const law& l, std::ostream* out) { *out << l.name; }

const law laws[] = {
    {"bimodal",
     R"(distribution = "bimodal_phases", phases = [25, 1], )"
     R"(probabilities = [0.16666666666666667, 0.83333333333333333], phase_mean = 0.2)",
     oracle::bimodal_phases},
    {"hyperexponential",
     R"(distribution = "hyperexponential", )"
     R"(probabilities = [0.16666666666666667, 0.83333333333333333], means = [5.0, 0.2])",
     oracle::hyperexponential},
    {"zipf", R"(distribution = "zipf_phases", most = 200, exponent = 2.0, phase_mean = 1.0)", oracle::zipf_phases},
};

class one_server : public testing::TestWithParam<std::tuple<law, double>> {};

TEST_P(one_server, has_the_exact_mean_between_fcfs_and_processor_sharing) {
  const auto& [given, interruptions] = GetParam();
  const oracle::phase_sizes phases = given.phases();
  const double load = 0.6, rate = load / phases.mean();
  // Without interruptions this is Pollaczek-Khinchine; tests/theory/interrupting_server_test.cpp.
  const double exact = mean_at_interrupting_server(phases, rate, interruptions / phases.mean());
  const auto results = simulate({{1.0}, {{0}}, {rate}}, given.size, interruptions, 40'000);
  EXPECT_ESTIMATE(results, "jobs_in_system", "all", exact);
  EXPECT_ESTIMATE(results, "response_time", "all", exact / rate);
  EXPECT_ESTIMATE(results, "interruptions_per_job", "all", interruptions);
  // With many interruptions the mean is 0.6 to 0.8 % above that of processor sharing, which depends on the mean size
  // alone.
  if (interruptions >= 50.0) {
    EXPECT_NEAR(exact, load / (1.0 - load), 0.01 * exact);
  }
}

INSTANTIATE_TEST_SUITE_P(papers_sizes, one_server,
                         testing::Combine(testing::ValuesIn(laws), testing::Values(0.0, 1.0, 5.0)),
                         [](const auto& given) {
                           return fmt::format("{}_with_{}_interruptions_per_job", std::get<0>(given.param).name,
                                              static_cast<int>(std::get<1>(given.param)));
                         });

INSTANTIATE_TEST_SUITE_P(almost_shared, one_server,
                         testing::Combine(testing::Values(laws[0], laws[1]), testing::Values(50.0)),
                         [](const auto& given) { return std::string{std::get<0>(given.param).name}; });

TEST(interruptions, come_as_often_as_asked_for_whatever_the_sizes_and_the_graph) {
  for (const law& given : laws) {
    SCOPED_TRACE(given.name);
    const double rate = 0.9 / given.phases().mean();
    const auto results = simulate({{1.0, 2.0, 0.5}, {{0, 2}, {1, 2}}, {rate, rate}}, given.size, 3.0, 8'000);
    for (const char* name : {"c0", "c1"}) EXPECT_ESTIMATE(results, "interruptions_per_job", name, 3.0);
  }
}

TEST(costs, of_each_interruption_show_as_overhead) {
  // One set-up, and at each of two interruptions a save and a restore; a dispatch each time.
  const double load = 0.5, overhead = 0.05 + 0.01 + 2.0 * (0.02 + 0.03 + 0.01);
  const auto results = simulate({{2.0}, {{0}}, {2.0 * load}}, laws[0].size, 2.0, 16'000,
                                "costs = { set_up = 0.05, dispatch_latency = 0.01, save = 0.02, restore = 0.03, "
                                "migration = 9.0 }\n");
  EXPECT_ESTIMATE(results, "utilization", "all", load);
  EXPECT_ESTIMATE(results, "overhead_share", "all", 2.0 * load * overhead);
  EXPECT_ESTIMATE(results, "interruptions_per_job", "all", 2.0);
  EXPECT_ESTIMATE(results, "migrations_per_job", "all", 0.0);
}

}  // namespace
}  // namespace muster
