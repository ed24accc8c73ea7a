#include <array>

#include "tests/modules/scheduled_log.h"

// Policies with backfilling on cores and on servers with memory and devices, job by job against a plain loop of their
// definitions, on random logs.

namespace muster {
namespace {

using oracle::backfill_order;
using oracle::backfill_rule;
using oracle::backfill_settings;
using oracle::random_log;

// The sanitizers would see the same steps many times.
#ifdef MUSTER_SANITIZED
constexpr unsigned logs = 15;
#else
constexpr unsigned logs = 200;
#endif

void expect_the_same_starts(backfill_rule rule, unsigned count) {
  for (unsigned n = 0; n < count; ++n) {
    const unsigned resources = 1 + n % 3;
    const random_log log = oracle::make_random_log(n + 1000, resources);
    const backfill_settings s{rule, static_cast<backfill_order>(n % 5), static_cast<backfill_order>(n / 5 % 5),
                              std::array{1u, 1u, 2u, 1000u}[n % 4], rule == backfill_rule::fcfs};
    ASSERT_EQ(scheduled::by_the_scheduler(log, resources, s), scheduled::by_the_plain_loop(log, s))
        << "log " << n + 1000 << " of " << resources << " resources, order " << scheduled::word(s.order) << ", second "
        << scheduled::word(s.second) << ", reservations " << s.reservations;
  }
}

TEST(backfilling_of_logs, is_compared_on_logs_that_the_plain_loop_and_fcfs_serve_alike) {
  expect_the_same_starts(backfill_rule::fcfs, logs / 5);
}

TEST(backfilling_of_logs, under_easy_starts_jobs_of_tasks_when_the_plain_loop_does) {
  expect_the_same_starts(backfill_rule::easy, logs);
}

TEST(backfilling_of_logs, under_compressed_reservations_starts_jobs_of_tasks_when_the_plain_loop_does) {
  expect_the_same_starts(backfill_rule::compress, logs);
}

TEST(backfilling_of_logs, under_replanned_reservations_starts_jobs_of_tasks_when_the_plain_loop_does) {
  expect_the_same_starts(backfill_rule::replan, logs);
}

// With outages of servers: of each rule every third log, on cores, and on servers.
TEST(backfilling_of_logs, beside_outages_that_are_known_or_not_starts_and_ends_jobs_when_the_plain_loop_does) {
  constexpr std::array rules{backfill_rule::easy, backfill_rule::compress, backfill_rule::replan};
  for (unsigned n = 0; n < (logs + 1) / 2; ++n) {
    const unsigned resources = 1 + n / 3 % 3;
    random_log log = oracle::make_random_log(n + 2000, resources);
    oracle::add_outages(log, n);
    const backfill_settings s{rules[n % 3], static_cast<backfill_order>(n % 5), static_cast<backfill_order>(n / 5 % 5),
                              std::array{1u, 1u, 2u, 1000u}[n % 4]};
    ASSERT_EQ(scheduled::by_the_scheduler(log, resources, s), scheduled::by_the_plain_loop(log, s))
        << "log " << n + 2000 << " of " << resources << " resources, rule " << n % 3 << ", order "
        << scheduled::word(s.order) << ", second " << scheduled::word(s.second) << ", reservations " << s.reservations;
  }
}

}  // namespace
}  // namespace muster
