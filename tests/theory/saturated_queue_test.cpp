#include "platform/theory/stability/saturated_queue.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

using job_class = rigid_workload::job_class;

distribution exponential_size(double mean) { return distribution::make("exponential", {{"mean", {mean}}}); }
distribution fixed_size(double value) { return distribution::make("deterministic", {{"value", {value}}}); }

job_class some_jobs(unsigned need, double share, const distribution& size, double overhead = 0.0) {
  return {need, share, size.mean() + overhead, overhead, size.mean() + overhead, size};
}

rigid_workload cluster_of(unsigned cores, std::vector<job_class> classes) { return {cores, 1.0, std::move(classes)}; }

void expect_covers(const saturated_throughput& found, double truth) {
  EXPECT_TRUE(found.simulated);
  EXPECT_LE(found.low, truth);
  EXPECT_GE(found.high, truth);
  EXPECT_LT(found.high - found.low, 0.01 * truth);
}

// Light jobs of size 1 between two heavy ones start in pairs: L of them take ceil(L / 2), whose mean is the sum over m
// of P(L >= 2 m + 1) = 1/2 + 1/8 + .. = 2/3. With the heavy job of size 1 a cycle of two jobs, on average, takes 5/3.
TEST(saturated_queue, of_deterministic_sizes_is_what_one_finds_by_hand) {
  const rigid_workload workload =
      cluster_of(2, {some_jobs(1, 0.5, fixed_size(1.0)), some_jobs(2, 0.5, fixed_size(1.0))});
  EXPECT_FALSE(throughput_by_cycles(workload));
  EXPECT_FALSE(throughput_by_product_form(workload));
  EXPECT_FALSE(throughput_by_chain(workload, 600));
  expect_covers(saturated_throughput_of(workload), 1.2);
}

// Needs 2 and 3 of 4 cores, size 1 + 1/2 of overhead: pairs of the small ones that follow each other share 1.5; every
// job of 3 has 1.5 for itself. Runs of L small jobs between two of 3: mean of ceil(L / 2) is 2/3 as above; cycle 2.5.
TEST(saturated_queue, counts_overhead_and_cores_that_stay_idle) {
  const rigid_workload workload =
      cluster_of(4, {some_jobs(2, 0.5, fixed_size(1.0), 0.5), some_jobs(3, 0.5, fixed_size(1.0), 0.5)});
  expect_covers(saturated_throughput_of(workload), 2.0 / 2.5);
}

TEST(saturated_queue, of_one_core_is_the_reciprocal_of_the_mean_size_for_any_law) {
  const distribution law = distribution::make("lognormal", {{"mean", {2.0}}, {"scv", {4.0}}});
  expect_covers(throughput_by_simulation(cluster_of(1, {some_jobs(1, 0.3, law), some_jobs(1, 0.7, fixed_size(1.0))})),
                1.0 / 1.3);
}

TEST(saturated_queue, of_a_faster_cluster_is_faster) {
  rigid_workload workload = cluster_of(2, {some_jobs(1, 0.5, fixed_size(2.0)), some_jobs(2, 0.5, fixed_size(2.0))});
  workload.capacity = 2.0;
  for (job_class& c : workload.classes) c.held = 1.0;
  expect_covers(saturated_throughput_of(workload), 1.2);
}

// Two cores, shares 1/2: first job heavy: S = 1; light then heavy: S = 1; two light: S = 2. 1 / (1/2 + 1/4 + 1/8).
TEST(saturated_queue, by_product_form_is_what_one_finds_by_hand) {
  const rigid_workload workload =
      cluster_of(2, {some_jobs(1, 0.5, exponential_size(1.0)), some_jobs(2, 0.5, exponential_size(1.0))});
  EXPECT_DOUBLE_EQ(throughput_by_product_form(workload).value(), 8.0 / 7.0);
}

TEST(saturated_queue, by_product_form_by_chain_and_by_cycles_agree) {
  for (const unsigned cores : {2u, 7u, 32u}) {
    const rigid_workload workload =
        cluster_of(cores, {some_jobs(1, 0.9, exponential_size(0.7)), some_jobs(cores, 0.1, exponential_size(0.7))});
    const double expected = throughput_by_cycles(workload).value();
    EXPECT_NEAR(throughput_by_product_form(workload).value(), expected, 1e-12 * expected) << cores;
    EXPECT_NEAR(throughput_by_chain(workload, 600).value(), expected, 1e-12 * expected) << cores;
  }
  const rigid_workload four =
      cluster_of(15, {some_jobs(1, 0.5, exponential_size(1.0)), some_jobs(3, 0.25, exponential_size(1.0)),
                      some_jobs(5, 0.2, exponential_size(1.0)), some_jobs(15, 0.05, exponential_size(1.0))});
  EXPECT_NEAR(throughput_by_chain(four, 600).value(), throughput_by_product_form(four).value(), 1e-11);
  // Needs that leave cores idle, and none of 1.
  const rigid_workload odd =
      cluster_of(17, {some_jobs(3, 0.5, exponential_size(2.0)), some_jobs(4, 0.3, exponential_size(2.0)),
                      some_jobs(9, 0.2, exponential_size(2.0))});
  EXPECT_NEAR(throughput_by_chain(odd, 600).value(), throughput_by_product_form(odd).value(), 1e-11);
}

// The size of a heavy job counts by its mean only: it is alone.
TEST(saturated_queue, by_cycles_agrees_with_the_chain_for_sizes_of_two_means) {
  const rigid_workload workload =
      cluster_of(8, {some_jobs(8, 0.2, exponential_size(3.0)), some_jobs(1, 0.8, exponential_size(0.5))});
  EXPECT_NEAR(throughput_by_cycles(workload).value(), throughput_by_chain(workload, 600).value(), 1e-12);
  const distribution law = distribution::make("lognormal", {{"mean", {3.0}}, {"scv", {2.25}}});
  const rigid_workload general = cluster_of(8, {some_jobs(8, 0.2, law), some_jobs(1, 0.8, exponential_size(0.5))});
  EXPECT_EQ(throughput_by_cycles(general), throughput_by_cycles(workload));
  expect_covers(throughput_by_simulation(general), throughput_by_cycles(workload).value());
}

// 99 % intervals of twelve queues, of which the answers are known: two misses have a chance of 0.6 %.
TEST(saturated_queue, by_simulation_has_the_exact_answers_in_its_intervals) {
  int misses = 0;
  for (unsigned n = 0; n < 12; ++n) {
    const double share = 0.3 + 0.05 * n;
    const rigid_workload workload = cluster_of(6 + n, {some_jobs(1, share, exponential_size(1.0)),
                                                       some_jobs(2, 0.6 * (1.0 - share), exponential_size(2.0 + n)),
                                                       some_jobs(5, 0.4 * (1.0 - share), exponential_size(0.5))});
    const double exact = throughput_by_chain(workload, 600).value();
    const saturated_throughput found = throughput_by_simulation(workload);
    misses += found.low > exact || exact > found.high;
    EXPECT_NEAR(found.rate, exact, 0.005 * exact) << n;
  }
  EXPECT_LE(misses, 1);
}

TEST(saturated_queue, of_more_states_than_allowed_is_simulated) {
  const rigid_workload workload =
      cluster_of(64, {some_jobs(1, 0.4, exponential_size(1.0)), some_jobs(2, 0.3, exponential_size(2.0)),
                      some_jobs(3, 0.2, exponential_size(3.0)), some_jobs(7, 0.1, exponential_size(4.0))});
  EXPECT_FALSE(throughput_by_chain(workload, 600));
  EXPECT_TRUE(saturated_throughput_of(workload).simulated);
}

TEST(saturated_queue, is_the_same_whenever_it_is_simulated) {
  const rigid_workload workload =
      cluster_of(4, {some_jobs(1, 0.5, fixed_size(1.0)), some_jobs(3, 0.5, exponential_size(1.0))});
  const saturated_throughput once = throughput_by_simulation(workload), again = throughput_by_simulation(workload);
  EXPECT_EQ(once.rate, again.rate);
  EXPECT_EQ(once.low, again.low);
}

}  // namespace
}  // namespace muster
