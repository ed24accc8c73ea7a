#include <array>
#include <string>

#include <gtest/gtest.h>

#include "tests/oracles/random_logs.h"
#include "tests/policies/backfilling_scene.h"

// Policies with backfilling on interchangeable cores against a plain loop of their definitions, job by job, on random
// logs.

namespace muster {
namespace {

using oracle::backfill_order;
using oracle::backfill_rule;
using oracle::backfill_settings;

constexpr std::array orders{backfill_order::arrival, backfill_order::shortest, backfill_order::smallest_area,
                            backfill_order::expansion_factor, backfill_order::fair_share};

// The sanitizers would see the same steps many times.
#ifdef MUSTER_SANITIZED
constexpr std::uint64_t logs = 30;
#else
constexpr std::uint64_t logs = 200;
#endif

std::string word(backfill_order order) {
  constexpr std::array words{"arrival", "shortest", "smallest_area", "expansion_factor", "fair_share"};
  return words[static_cast<std::size_t>(order)];
}

backfilling_scene::changes changed(const backfill_settings& s) {
  if (s.rule == backfill_rule::fcfs) return {};
  backfilling_scene::changes all{{"order", word(s.order)},
                                 {"pass", std::string{s.each_event ? "each_event" : "each_instant"}}};
  if (s.rule == backfill_rule::easy) {
    all.emplace_back("backfill_order", word(s.second));
    all.emplace_back("reservations", static_cast<std::int64_t>(s.reservations));
  } else {
    all.emplace_back("on_early_end", std::string{s.rule == backfill_rule::replan ? "replan" : "compress"});
  }
  return all;
}

std::string_view policy_of(backfill_rule rule) {
  return rule == backfill_rule::fcfs ? "fcfs" : rule == backfill_rule::easy ? "easy_backfill" : "conservative_backfill";
}

// What is told of the first job that the policy starts at another time than the loop; empty: there is none.
std::string first_difference(const oracle::random_log& log, const backfill_settings& s) {
  const auto expected = oracle::backfill(log.cluster, log.jobs, s);
  const auto found = backfilling_scene(log.cluster, policy_of(s.rule), changed(s)).run(log.jobs);
  for (std::size_t j = 0; j < found.size(); ++j)
    if (found[j] != expected[j].start)
      return "job " + std::to_string(j) + " starts at " + std::to_string(found[j]) + ", expected " +
             std::to_string(expected[j].start);
  return {};
}

void expect_the_same_starts(backfill_rule rule) {
  for (std::uint64_t seed = 1; seed <= logs; ++seed) {
    const oracle::random_log log = oracle::make_random_log(seed, 1);
    for (std::size_t o = 0; o < (rule == backfill_rule::fcfs ? 1 : orders.size()); ++o) {
      backfill_settings s{rule, orders[o]};
      if (rule == backfill_rule::easy) {
        s.second = orders[(o + seed) % orders.size()];
        s.reservations = static_cast<unsigned>(std::array{1, 1, 2, 3, 1000}[seed % 5]);
      }
      s.each_event = seed % 4 == 0;
      ASSERT_EQ(first_difference(log, s), "")
          << "log " << seed << ", order " << word(s.order) << ", second " << word(s.second) << ", reservations "
          << s.reservations << ", each event " << s.each_event;
    }
  }
}

TEST(backfilling_of_logs, is_compared_on_logs_that_the_plain_loop_and_fcfs_serve_alike) {
  expect_the_same_starts(backfill_rule::fcfs);
}

TEST(backfilling_of_logs, under_easy_starts_every_job_when_the_plain_loop_does_in_every_order) {
  expect_the_same_starts(backfill_rule::easy);
}

TEST(backfilling_of_logs, under_compressed_reservations_starts_every_job_when_the_plain_loop_does_in_every_order) {
  expect_the_same_starts(backfill_rule::compress);
}

TEST(backfilling_of_logs, under_replanned_reservations_starts_every_job_when_the_plain_loop_does_in_every_order) {
  expect_the_same_starts(backfill_rule::replan);
}

}  // namespace
}  // namespace muster
