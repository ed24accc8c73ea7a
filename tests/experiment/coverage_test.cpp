// Do 95 % intervals cover the truth 92 to 98 times in a hundred? Independent experiments through the whole simulator.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "platform/experiment/stopping_rules.h"
#include "platform/metrics/estimate.h"
#include "platform/metrics/metric.h"
#include "platform/theory/theory.h"
#include "tests/experiment/single_class.h"
#include "tests/simulation/replicate.h"

namespace muster {
namespace {

constexpr int experiments = 400;

const measurement& response_time(const replication_result& r) {
  for (const measurement& m : r.measurements)
    if (m.class_name == "all" && m.metric == "response_time") return m;
  throw std::logic_error("no response time");
}

// Thousands of small ones: only the number that counts comes back from each process.
std::vector<double> mean_response_times(const scenario& model) {
  std::vector<double> values(model.run.replications);
  worker_pool(2).run(
      values.size(),
      [&](std::size_t r) {
        return fmt::format("{}", response_time(run_replication(model, static_cast<std::uint32_t>(r))).value);
      },
      [&](const task_outcome& outcome) {
        if (outcome.failed) throw std::runtime_error(outcome.text);
        values[outcome.task] = std::stod(outcome.text);
        return true;
      },
      [] { return true; });
  return values;
}

bool covers(const std::vector<double>& values, double truth) {
  const estimate e = estimate_of("", "", values, 0);
  return *e.ci_low <= truth && truth <= *e.ci_high;
}

// The same replications, in order: 400 experiments of ten, and 400 that go on until the rule ends them.
void expect_coverage(int k, double load, const std::string& precision) {
  const double truth = erlang_response_time(k, load);
  scenario model = single_class(k, load, "jobs = 1500\nwarm_up = 0.1\nseed = 5\nprecision = " + precision);
  model.run.replications = 6400;
  const std::vector<double> pool = mean_response_times(model);
  model.run.replications = 10;
  const sequential_rule rule(model);
  int covered = 0;
  for (int e = 0; e < experiments; ++e) covered += covers({pool.begin() + 10 * e, pool.begin() + 10 * (e + 1)}, truth);
  EXPECT_GE(covered, 0.92 * experiments) << "of a fixed number";
  EXPECT_LE(covered, 0.98 * experiments) << "of a fixed number";
  std::size_t used = 0;
  covered = 0;
  for (int e = 0; e < experiments; ++e) {
    std::vector<replication_result> drawn;
    std::uint32_t next = rule.first_look();
    for (; next > 0; next = rule.look(drawn).next)
      while (drawn.size() < next) drawn.push_back(with_response_time(pool.at(used++)));
    ASSERT_TRUE(rule.look(drawn).reached);
    std::vector<double> values;
    for (const auto& v : drawn) values.push_back(v.measurements[0].value);
    covered += covers(values, truth);
  }
  EXPECT_GT(used, 12u * experiments) << "the rule had something to do";
  EXPECT_GE(covered, 0.92 * experiments) << "of the sequential rule";
  EXPECT_LE(covered, 0.98 * experiments) << "of the sequential rule";
}

class coverage : public testing::Test {
 protected:
  // Thousands of processes; what runs in them is sanitized elsewhere.
  void SetUp() override {
#ifdef MUSTER_SANITIZED
    GTEST_SKIP() << "takes too long under the sanitizers";
#endif
  }
};

TEST_F(coverage, of_one_server_is_92_to_98_percent) { expect_coverage(1, 0.5, "0.055"); }
TEST_F(coverage, of_many_cores_is_92_to_98_percent) { expect_coverage(4, 0.7, "0.055"); }

/// Share of experiments of ten replications each whose intervals cover the truth.
double coverage_of(const std::vector<replication_result>& pool, const std::string& metric, double truth) {
  int covered = 0;
  for (auto first = pool.begin(); first != pool.end(); first += 10) {
    const estimate found = measured_point({first, first + 10}).find("all", metric)->to_estimate();
    covered += *found.ci_low <= truth && truth <= *found.ci_high;
  }
  return covered / (static_cast<double>(pool.size()) / 10.0);
}

// Replications with their response times alone, which the intervals of means depend on: the other metrics would take
// most of the time.
std::vector<replication_result> response_times_of(const scenario& all) {
  return replicate(all, 2, {}, [](replication_result& r) {
    std::vector<measurement>& all_metrics = r.measurements;
    all_metrics.erase(std::remove_if(all_metrics.begin(), all_metrics.end(),
                                     [](const measurement& m) { return m.metric != "response_time"; }),
                      all_metrics.end());
    r.pictures = {};
    r.presence.clear();
  });
}

// Coverage with control variates: 400 experiments of ten replications, and 400 that go on until the rule ends them, for
// intervals of 0.9 times the width that those of ten have on average.
void expect_coverage_with_control_variates(scenario model, double truth, double least_factor) {
  const auto covers = [&](const estimate& e) { return *e.ci_low <= truth && truth <= *e.ci_high; };
  model.run.precision = precision_spec{{{"response_time"}}};
  model.run.replications = 6800;
  const std::vector<replication_result> pool = response_times_of(model);
  int covered = 0;
  double factor = 0.0, half_width = 0.0;
  for (auto first = pool.begin(); first != pool.begin() + 10 * experiments; first += 10) {
    const estimate e = measured_point({first, first + 10}).find("all", "response_time")->to_estimate();
    covered += covers(e);
    factor += e.variance_factor / experiments;
    half_width += *e.relative_half_width() / experiments;
  }
  EXPECT_GE(covered, 0.92 * experiments) << "of a fixed number";
  EXPECT_LE(covered, 0.98 * experiments) << "of a fixed number";
  EXPECT_GT(factor, least_factor);

  model.run.replications = 10;
  model.run.precision->targets[0].half_width = 0.9 * half_width;
  const sequential_rule rule(model);
  auto next = pool.begin();
  covered = 0;
  for (int e = 0; e < experiments; ++e) {
    const auto first = next;
    std::vector<replication_result> seen;
    for (std::uint32_t due = rule.first_look(); due > 0; due = rule.look(seen).next)
      for (; seen.size() < due; ++next) {
        ASSERT_NE(next, pool.end());
        seen.push_back(rule.seen_in(*next));
      }
    covered += covers(measured_point({first, next}).find("all", "response_time")->to_estimate());
  }
  EXPECT_GT(next - pool.begin(), 11 * experiments) << "the rule had something to do";
  EXPECT_GE(covered, 0.92 * experiments) << "of the sequential rule";
  EXPECT_LE(covered, 0.98 * experiments) << "of the sequential rule";
}

// The coupled queue is the system itself: what is left is the rounding of times. It is left out where its mean is far
// off by chance, once or twice in a hundred experiments: Student's t has heavier tails for windows as short as these.
TEST_F(coverage, of_one_server_with_control_variates_is_complete) {
  scenario model = single_class(1, 0.5, "jobs = 1000\nwarm_up = 0.2\nseed = 6\nreplications = 1000");
  const std::vector<replication_result> all = replicate(model);
  int complete = 0;
  for (auto first = all.begin(); first != all.end(); first += 10) {
    const estimate e = measured_point({first, first + 10}).find("all", "response_time")->to_estimate();
    EXPECT_LT(*e.ci_low, 2.0);
    EXPECT_GT(*e.ci_high, 2.0);
    complete += *e.relative_half_width() < 1e-4;
  }
  EXPECT_GE(complete, 97);
}
TEST_F(coverage, of_many_cores_with_control_variates_is_92_to_98_percent) {
  expect_coverage_with_control_variates(single_class(4, 0.7, "jobs = 1500\nwarm_up = 0.2\nseed = 6"),
                                        erlang_response_time(4, 0.7), 5.0);
}
TEST_F(coverage, of_jobs_of_several_cores_with_control_variates_is_92_to_98_percent) {
  const scenario model = first_point(R"(name = "one_or_all"
platform.servers = [{ name = "node", cores = 4 }]
classes = [
  { name = "one", need = 1, share = 0.8, size = { distribution = "exponential", mean = 1.0 } },
  { name = "all_cores", need = 4, share = 0.2, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.rate = 1.75
policy = "msfq"
run = { jobs = 1500, warm_up = 0.2, seed = 6 }
)");
  double truth = 0.0;
  for (const estimate& e : known_answer(model).values)
    if (e.class_name == "all" && e.metric == "response_time") truth = *e.mean;
  expect_coverage_with_control_variates(model, truth, 2.0);
}

// Arrivals that vary more than Poisson's: completions per unit of time are a ratio, whose bias is not to stay while its
// scatter is taken out. A coverage of 95 % fails once in 200 times in 100 experiments, one of 80 % passes once in 50.
TEST_F(coverage, of_throughput_under_renewal_arrivals_is_that_of_values_as_they_were_measured) {
  scenario model = first_point(R"(name = "bursts"
platform.servers = [{ name = "node", cores = 4 }]
classes = [{ name = "job", need = 1, share = 1.0, size = { distribution = "exponential", mean = 1.0 } }]
arrivals = { process = "renewal", interarrival = { distribution = "hyperexponential", mean = 0.4, scv = 4.0 } }
policy = "fcfs"
run = { jobs = 1500, warm_up = 0.2, seed = 6, replications = 1000 }
)");
  const std::vector<replication_result> pool = replicate(model);
  EXPECT_GE(coverage_of(pool, "throughput", 2.5), 0.89);
  const measured_point first({pool.begin(), pool.begin() + 10});
  EXPECT_EQ(first.find("all", "throughput")->estimated.fitted, 0u);
  EXPECT_GT(first.find("all", "response_time")->estimated.fitted, 0u) << "there are control variates";
}

// Light and heavy jobs have mean response times that differ little: the index of each replication is far below 1, and
// the mean of those covers 26 to 28 %. A coverage of 95 % fails once in 300 times in 40 experiments, one of half never
// passes.
TEST_F(coverage, of_a_fairness_index_is_that_of_an_index_of_means) {
  scenario model = first_point(R"(name = "one_or_all"
platform.servers = [{ name = "node", cores = 4 }]
classes = [
  { name = "one", need = 1, share = 0.8, size = { distribution = "exponential", mean = 1.0 } },
  { name = "all_cores", need = 4, share = 0.2, size = { distribution = "exponential", mean = 1.0 } },
]
arrivals.rate = 1.75
policy = "msfq"
run = { jobs = 1500, warm_up = 0.2, seed = 7, replications = 400 }
)");
  std::vector<double> means;
  for (const estimate& e : known_answer(model).values)
    if (e.class_name != "all" && e.metric == "response_time") means.push_back(*e.mean);
  ASSERT_EQ(means.size(), 2u);
  EXPECT_GE(coverage_of(replicate(model), "fairness_jain", jain_index(means)), 0.85);
}

void expect_coverage_of_batch_means(int k, const std::string& run) {
  scenario model = single_class(k, 0.5, "intervals = \"batch_means\"\n" + run);
  model.run.replications = experiments;
  const double truth = erlang_response_time(k, 0.5);
  int covered = 0;
  for (const replication_result& r : replicate(model))
    covered += std::abs(response_time(r).value - truth) <= response_time(r).half_width.value();
  EXPECT_GE(covered, 0.92 * experiments);
  EXPECT_LE(covered, 0.98 * experiments);
}

TEST_F(coverage, of_overlapping_batch_means_of_one_server_is_92_to_98_percent) {
  expect_coverage_of_batch_means(1, "jobs = 30000\nseed = 3");
}
TEST_F(coverage, of_overlapping_batch_means_of_many_cores_is_92_to_98_percent) {
  expect_coverage_of_batch_means(4, "jobs = 30000\nseed = 3");
}
TEST_F(coverage, of_batch_means_with_a_precision_is_92_to_98_percent) {
  expect_coverage_of_batch_means(1, "jobs = 10000\nseed = 4\nprecision = 0.03");
}

}  // namespace
}  // namespace muster
