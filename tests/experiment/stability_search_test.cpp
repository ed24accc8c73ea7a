#include "platform/search/stability_search.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/scenario/scenario_file.h"
#include "platform/simulation/backlog.h"

namespace muster {
namespace {

// Two messages share the uplink each way. A gang's second dispatch leaves the uplink after 2 * 0.08 and its own link
// after 0.08 more; its slice ends last, and its completion takes 2 * 0.02, as that of the first slice is 0.08 ahead. So
// a job holds cores for 1 + 0.24 + 0.04 = 1.28, and the limit is 1 / 1.28 = 0.781; of what is certain of any slice it
// is 1 / 1.2 = 0.833.
std::vector<stability> gangs_on_a_shared_uplink(const std::vector<double>& rates, std::size_t workers = 2) {
  return search_stability(read_study(fmt::format(R"(
name = "gangs"
platform.servers = [{{ name = "node", count = 2 }}]
platform.link.topology = "racks"
platform.link.racks = 1
platform.link.bandwidth = 1000.0
platform.link.uplink_bandwidth = 1000.0
platform.link.dispatch_bytes = 80
platform.link.message_bytes = 20
classes = [{{ name = "gang", need = 2, share = 1.0, size = {{ distribution = "exponential", mean = 1.0 }} }}]
policy = "fcfs"
[sweep]
"arrivals.rate" = [{:.6f}]
)",
                                                 fmt::join(rates, ", ")),
                                     "test", {}),
                          workers);
}

TEST(stability_search, finds_the_limit_of_gangs_whose_messages_wait_for_each_other) {
  const std::vector<stability> found = gangs_on_a_shared_uplink({0.97 / 1.28, 1.03 / 1.28});
  EXPECT_EQ(found[0].answer, stability::verdict::stable);
  EXPECT_EQ(limit_text(found[0]), ">= 0.757812 (simulated)");
  EXPECT_EQ(found[1].answer, stability::verdict::unstable);
  EXPECT_EQ(limit_text(found[1]), "<= 0.804688 (simulated)");
  EXPECT_EQ(found[1].condition,
            "long queues grow in all simulations of the scenario itself at this rate; nothing is proved of it");
}

TEST(stability_search, concludes_nothing_at_the_limit_itself) {
  const stability found = gangs_on_a_shared_uplink({1.0 / 1.28}).front();
  EXPECT_EQ(found.answer, stability::verdict::unknown);
  EXPECT_EQ(limit_text(found), "<= 0.833333");
}

TEST(stability_search, leaves_alone_what_theory_decides) {
  const stability found = gangs_on_a_shared_uplink({0.9}).front();
  EXPECT_EQ(found.answer, stability::verdict::unstable);
  EXPECT_EQ(found.known_by, limit_evidence::bound);
}

TEST(stability_search, does_not_depend_on_the_number_of_workers) {
  const std::vector<double> rates{0.7, 0.76, 0.78, 0.82};
  const std::vector<stability> one = gangs_on_a_shared_uplink(rates, 1), three = gangs_on_a_shared_uplink(rates, 3);
  for (std::size_t p = 0; p < rates.size(); ++p) EXPECT_EQ(one[p].answer, three[p].answer) << rates[p];
}

// A fiftieth below the limit that theory proves, MSF serves the heavy jobs of a long queue for so long that as many
// light ones arrive meanwhile; the threshold of MSFQ puts an end to that. Far below the limit nothing is simulated.
TEST(stability_search, tells_where_a_long_queue_stays_long_although_the_point_is_stable) {
  const std::vector<stability> found = search_stability(read_study(R"(
name = "one_or_all"
platform.servers = [{ name = "node", cores = 32 }]
classes = [
  { name = "light", need = 1, share = 0.9, size = { distribution = "exponential", mean = 1.0 } },
  { name = "heavy", need = 32, share = 0.1, size = { distribution = "exponential", mean = 1.0 } },
]
policy = "msf"
[sweep]
policy = ["msf", "msfq"]
"arrivals.load" = [0.5, 0.96]
)",
                                                                   "test", {}),
                                                        2);
  for (const stability& s : found) EXPECT_EQ(s.answer, stability::verdict::stable);
  EXPECT_EQ(found[0].long_queue, queue_course::not_simulated);
  EXPECT_EQ(found[1].long_queue, queue_course::stays);
  EXPECT_EQ(found[2].long_queue, queue_course::not_simulated);
  EXPECT_EQ(found[3].long_queue, queue_course::drains);
}

// The policy's chain of schedules turns so slowly here that some 27,000 jobs are in the system on average: from a
// backlog of 4,000 the queue grows for long, from one of 40,000 it does not.
TEST(stability_search, does_not_take_a_queue_for_unstable_that_is_longer_on_average_than_its_backlog) {
  const std::vector<stability> found = search_stability(read_study(R"(
name = "slow_turns"
platform.servers = [{ name = "node", cores = 12 }]
classes = [
  { name = "one", need = 1, share = 0.697231784, size = { distribution = "erlang", phases = 3, mean = 1.143 } },
  { name = "two", need = 2, share = 0.27580451, size = { distribution = "deterministic", value = 1.427 } },
  { name = "ten", need = 10, share = 0.026963706, size = { distribution = "erlang", phases = 3, mean = 1.337 } },
]
policy = "nmsr"
arrivals.load = 0.97
)",
                                                                   "test", {}),
                                                        2);
  EXPECT_NE(found.front().answer, stability::verdict::unstable);
}

scenario two_classes(double share_of_second, const std::string& arrivals) {
  return read_study(fmt::format(R"(
name = "two"
[platform]
servers = [{{ name = "node" }}]
[[classes]]
name = "first"
need = 1
share = {}
size = {{ distribution = "exponential", mean = 1.0 }}
[[classes]]
name = "second"
need = 1
share = {}
size = {{ distribution = "exponential", mean = 1.0 }}
[arrivals]
{}
[policy]
name = "fcfs"
)",
                                1.0 - share_of_second, share_of_second, arrivals),
                    "test", {})
      .points.front()
      .model;
}

TEST(backlog, has_fifty_jobs_of_the_rarest_class_or_is_not_simulated) {
  EXPECT_EQ(backlog_size(two_classes(0.5, "rate = 0.5")), 4000U);
  EXPECT_EQ(backlog_size(two_classes(0.01, "rate = 0.5")), 5000U);
  EXPECT_EQ(backlog_size(two_classes(0.004, "rate = 0.5")), 0U);
  EXPECT_EQ(short_backlog_size(two_classes(0.5, "rate = 0.5")), 1000U);
  EXPECT_EQ(short_backlog_size(two_classes(0.004, "rate = 0.5")), 0U);
}

// The server always works, so that at load 0.8 the work shrinks by 0.2 in each unit of time, apart from what arrives
// beyond the mean. The time of the 3,600 arrivals in which 1,000 jobs become 100 varies by sqrt(3,600) / 0.8 = 75, the
// change by 0.2 of that.
TEST(backlog, has_a_course_with_the_variance_of_its_change) {
  const backlog_course course = follow_backlog(two_classes(0.5, "load = 0.8"), 0, 1'000);
  EXPECT_EQ(course.outcome, backlog_outcome::drains);
  EXPECT_NEAR(course.change, -0.9, 0.3);
  EXPECT_NEAR(std::sqrt(course.variance), 0.015, 0.006);
}

// At 1.9 times the mean rate for the first 500,000 s a queue would grow, and does not in the long run.
TEST(backlog, drains_by_the_mean_of_a_rate_of_arrivals_that_changes) {
  const std::string by_day = "load = 0.8\nprocess = \"profile\"\nrates = [1.9, 0.1]\nperiod = 1e6";
  EXPECT_EQ(follow_backlog(two_classes(0.5, by_day), 0, 4'000).outcome, backlog_outcome::drains);
}

}  // namespace
}  // namespace muster
