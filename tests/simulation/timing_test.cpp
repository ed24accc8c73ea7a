#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// What latency, bandwidth and decisions add, where that is known exactly.

namespace muster {
namespace {

std::string cluster_of(unsigned servers, double rate, const std::string& size, const std::string& platform,
                       unsigned jobs = 20'000) {
  return one_class(fmt::format("count = {}", servers), platform, rate, size,
                   fmt::format("jobs = {}\nreplications = 4\nwarm_up = 0.1", jobs));
}

// Nobody waits among so many servers: each response time is the size, and what the path adds.
TEST(links, shift_every_response_by_latency_and_transmission_there_and_back) {
  const auto plain = replicate(cluster_of(200, 20.0, exponential, ""));
  const auto far = replicate(cluster_of(200, 20.0, exponential, "link = { latency = 0.1, bandwidth = 1000.0 }"));
  const double added = 2 * 0.1 + 40.0 / 1000.0 + 8.0 / 1000.0;
  const auto mean = [](const auto& results) { return estimate_of(results, "response_time").mean; };
  EXPECT_NEAR(mean(far), mean(plain) + added, 1e-9);
  EXPECT_EQ(estimate_of(plain, "waiting_time").mean, 0.0);
}

// M/D/1 at the uplink; behind it nobody waits.
TEST(uplink, is_a_queue_of_pollaczek_and_khinchine) {
  const double rate = 14.0, takes = 40.0 / 800.0, load = rate * takes;
  const auto results = replicate(cluster_of(200, rate, R"(distribution = "deterministic", value = 1.0)",
                                            R"(link = { topology = "racks", racks = 1, uplink_bandwidth = 800.0, )"
                                            R"(message_bytes = 0 })",
                                            100'000));
  EXPECT_ESTIMATE(results, "response_time", "all", 1.0 + takes + load * takes / 2.0 / (1.0 - load));
}

TEST(network, that_takes_no_time_leaves_every_byte_as_it_is) {
  const std::string plain = text_of(replicate(cluster_of(3, 2.5, exponential, "")));
  for (const char* link :
       {"link = { latency = 0.0 }", R"(link = { topology = "racks", racks = 2 })",
        R"(link = { topology = "fat_tree", ports = 4 })", "decision = { fixed = 0.0, per_job = 0.0 }"})
    EXPECT_EQ(text_of(replicate(cluster_of(3, 2.5, exponential, link))), plain) << link;
}

TEST(timing, does_not_depend_on_the_number_of_workers) {
  const scenario model =
      first_point(cluster_of(12, 5.0, exponential,
                             R"(link = { topology = "fat_tree", ports = 4, latency = 0.01, bandwidth = 2000.0 })"
                             "\ndecision = { fixed = 0.01, per_job = 0.005 }"));
  EXPECT_EQ(text_of(replicate(model, 1)), text_of(replicate(model, 3)));
}

// Regular arrivals, and each job is gone before the next one comes: the policy looks at one job when it arrives.
TEST(decision_time, is_added_to_every_job_where_jobs_do_not_meet) {
  const auto results = replicate(cluster_of(1, 0.5, R"(distribution = "deterministic", value = 1.0)",
                                            "decision = { fixed = 0.125, per_job = 0.0625 }"),
                                 {"arrivals.process=deterministic"});
  EXPECT_NEAR(estimate_of(results, "response_time").mean, 1.0 + 0.125 + 0.0625, 1e-12);
  EXPECT_NEAR(estimate_of(results, "waiting_time").mean, 0.125 + 0.0625, 1e-12);
}

// Arrivals a million seconds apart, of jobs that take two million (2e15 ns). The clock ends at 2^62 ns, before 4612
// million seconds: the job that arrives at 4610 million would end beyond it. The kernel's own time stands still, as
// nothing foreign waits in it.
TEST(fault, names_the_time_of_the_event_and_not_the_kernels) {
  std::string far = cluster_of(1, 1e-6, "distribution = \"deterministic\", value = 2e6", "", 4600);
  far.replace(far.find("[arrivals]"), 10, "[arrivals]\nprocess = \"deterministic\"");
  try {
    replicate(far);
    FAIL() << "no fault";
  } catch (const std::runtime_error& fault) {
    const std::string expected =
        "/muster/timekeeper: simulated time leaves the range of the clock; take fewer jobs or a coarser time_unit (a "
        "job of size 2000000000000000) (at 4610000000 s)";
    EXPECT_NE(std::string{fault.what()}.find(expected), std::string::npos) << fault.what();
  }
}

}  // namespace
}  // namespace muster
