#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <boost/algorithm/string/replace.hpp>

#include "tests/simulation/picture_checks.h"
#include "tests/simulation/replicate.h"
#include "tests/simulation/scenes.h"

// What a page draws of replications, against their measurements; conservation_test.cpp does it for random scenarios.

namespace muster {
namespace {

std::vector<replication_result> with_pictures(const scenario& model) {
  watching watch;
  watch.pictures = true;
  return replicate(model, 2, watch);
}

std::string queue_text(const std::string& run) { return one_class("count = 1", "", 0.6, exponential, run); }
scenario queue(const std::string& run) { return first_point(queue_text(run)); }

void expect_right(const scenario& model, const replication_result& found) {
  const picture_checks check(model, found);
  EXPECT_EQ(check.bins(), "");
  EXPECT_EQ(check.cores(), "");
  EXPECT_EQ(check.responses(), "");
  EXPECT_EQ(check.waits(), "");
}

TEST(pictures, have_about_200_bins_however_long_a_run_is) {
  const scenario model = queue("jobs = 40_000\nreplications = 1");
  const replication_result found = with_pictures(model).front();
  expect_right(model, found);
  EXPECT_GE(found.pictures.bins.size(), 195u);
  EXPECT_LE(found.pictures.bins.size(), 205u);
}

TEST(pictures, have_bins_of_a_run_that_goes_on_until_its_intervals_are_narrow) {
  const scenario model = queue(
      "jobs = 2000\nreplications = 1\nintervals = \"batch_means\"\nmost_replications = 100\n"
      "precision = { half_width = 0.03, metric = \"response_time\" }");
  const replication_result found = with_pictures(model).front();
  EXPECT_GT(found.jobs, 20'000u) << "many times as long as was foreseen";
  expect_right(model, found);
  EXPECT_GE(found.pictures.bins.size(), 190u);
  EXPECT_LE(found.pictures.bins.size(), 402u);
}

TEST(pictures, over_time_are_of_the_first_replication_and_responses_of_all) {
  const auto found = with_pictures(queue("jobs = 1000\nreplications = 2"));
  EXPECT_FALSE(found[0].pictures.bins.empty());
  EXPECT_TRUE(found[1].pictures.bins.empty());
  EXPECT_TRUE(found[1].pictures.cores.bins.empty());
  EXPECT_EQ(found[0].pictures.waits.size(), 10u);
  EXPECT_TRUE(found[1].pictures.waits.empty());
  EXPECT_GT(found[1].pictures.responses.at(0).times.total(), 0u);
}

TEST(pictures, of_cores_begin_with_the_measurement_and_end_after_some_hundred_slices) {
  const replication_result found = with_pictures(queue("jobs = 10_000\nwarm_up = 0.5\nreplications = 1")).front();
  EXPECT_EQ(found.pictures.cores.begin, found.pictures.bins.front().begin);
  EXPECT_GE(found.pictures.cores.slices.size(), 400u);
  EXPECT_LE(found.pictures.cores.slices.size(), 401u);
}

TEST(pictures, of_slices_have_the_devices_that_their_jobs_need_and_none_is_held_twice) {
  const scenario model = first_point(R"(name = "devices"
[platform.resources]
memory = { kind = "amount" }
gpu = { kind = "devices", shares = 4 }
[platform]
servers = [{ name = "node", count = 2, cores = 4, resources = { memory = 100, gpu = 3 } }]
[[classes]]
name = "whole"
per_task = { memory = 10, gpu = 2 }
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "part"
per_task = { gpu = 0.25 }
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
load = 0.7
[policy]
name = "first_fit"
[run]
jobs = 1000
)");
  const core_window window = with_pictures(model).front().pictures.cores;
  ASSERT_GT(window.slices.size(), 100u);
  std::map<std::string, unsigned> seen;
  for (const core_slice& s : window.slices) {
    ++seen[s.class_name];
    ASSERT_EQ(s.devices.size(), s.class_name == "whole" ? 2u : 1u);
    for (const held_device& d : s.devices) EXPECT_EQ(d.share, s.class_name == "whole" ? 1000 : 250);
    std::map<std::uint32_t, unsigned> held;  // by device, as the slice begins
    for (const core_slice& other : window.slices)
      if (other.server == s.server && other.begun <= s.begun && s.begun < other.ended.value_or(window.end))
        for (const held_device& d : other.devices) held[d.number] += d.share;
    for (const auto& [device, share] : held) {
      EXPECT_LT(device, 3u);
      EXPECT_LE(share, 1000u) << "device " << device << " at " << s.begun;
    }
  }
  EXPECT_EQ(seen.size(), 2u);
}

// What a job holds of the cluster against its slices, of all servers: from the begin of the first to the end of the
// last.
TEST(pictures, have_the_devices_of_the_cluster_that_jobs_hold_while_they_have_slices) {
  const scenario model = first_point(R"(name = "fpgas"
[platform.resources]
licence = { kind = "amount", of = "cluster", amount = 20 }
fpga = { kind = "devices", of = "cluster", amount = 3, shares = 4 }
[platform]
servers = [{ name = "node", count = 2, cores = 4 }]
costs = { set_up = 0.1 }
[[classes]]
name = "whole"
tasks = 2
per_task = { cores = 1 }
at_most_per_server = 1
per_job = { licence = 1, fpga = 2 }
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "part"
need = 1
per_job = { fpga = 0.25 }
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
load = 0.5
[policy]
name = "first_fit"
[run]
jobs = 1000
replications = 1
)");
  const replication_result found = with_pictures(model).front();
  EXPECT_EQ(picture_checks(model, found).cores(), "");
  const core_window& window = found.pictures.cores;
  constexpr std::uint64_t cluster = 2;  // behind both servers
  const auto end_of = [&](const core_slice& s) { return s.ended.value_or(window.end); };
  std::map<std::uint64_t, std::vector<const core_slice*>> by_job;
  for (const core_slice& s : window.slices)
    if (s.server < cluster) by_job[s.job].push_back(&s);
  std::map<std::string, unsigned> seen;
  for (const core_slice& s : window.slices) {
    if (s.server < cluster) continue;
    ++seen[s.class_name];
    EXPECT_EQ(s.server, cluster);
    EXPECT_EQ(s.count, 0u);
    ASSERT_EQ(s.devices.size(), s.class_name == "whole" ? 2u : 1u);
    for (const held_device& d : s.devices) EXPECT_EQ(d.share, s.class_name == "whole" ? 1000 : 250);
    ASSERT_EQ(by_job[s.job].size(), s.class_name == "whole" ? 2u : 1u) << "job " << s.job;
    for (const core_slice* slice : by_job[s.job]) {
      EXPECT_EQ(s.begun, slice->begun);
      EXPECT_EQ(s.works, slice->works);
      EXPECT_EQ(s.saves, slice->saves);
      EXPECT_EQ(s.ended, slice->ended);
    }
    std::map<std::uint32_t, unsigned> held;  // by device, as the job begins
    for (const core_slice& other : window.slices)
      if (other.server == cluster && other.begun <= s.begun && s.begun < end_of(other))
        for (const held_device& d : other.devices) held[d.number] += d.share;
    for (const auto& [device, share] : held) {
      EXPECT_LT(device, 3u);
      EXPECT_LE(share, 1000u) << "device " << device << " at " << s.begun;
    }
  }
  EXPECT_EQ(seen["whole"] + seen["part"], by_job.size()) << "every job holds some";
  EXPECT_GT(std::min(seen["whole"], seen["part"]), 50u);
}

TEST(pictures, of_slices_are_of_the_first_servers_with_512_cores_together) {
  const auto shown = [](const std::string& servers) {
    const std::string text = boost::replace_first_copy(queue_text("jobs = 2000\nreplications = 1"),
                                                       "{ name = \"node\", count = 1 }", servers);
    return with_pictures(first_point(text)).front().pictures.cores.servers;
  };
  const std::string small = "{ name = \"small\", count = 140, cores = 4 }", large = "{ name = \"large\", cores = 600 }";
  EXPECT_EQ(shown(small), 128u);
  EXPECT_EQ(shown(large), 1u) << "at least one";
  EXPECT_EQ(shown(large + ", " + small), 1u);
  EXPECT_EQ(shown("{ name = \"few\", cores = 60 }, " + small), 114u);
  EXPECT_EQ(shown("{ name = \"huge\", cores = 2000 }"), 0u) << "more than can be drawn";
}

TEST(pictures, of_all_servers_are_shares_of_busy_cores_in_200_rows_and_128_bins_at_most) {
  const scenario model = first_point(boost::replace_first_copy(
      queue_text("jobs = 60_000\nreplications = 1"), "{ name = \"node\", count = 1 }",
      "{ name = \"node\", count = 250, cores = 4 }, { name = \"other\", count = 3, cores = 7 }"));
  const replication_result found = with_pictures(model).front();
  expect_right(model, found);
  EXPECT_EQ(found.pictures.bins.front().servers.size(), 127u) << "two share a row";
  EXPECT_GE(found.pictures.cores.bins.size(), 60u);
  EXPECT_LE(found.pictures.cores.bins.size(), 129u);
}

// Of M/M/1 in the order of arrival: the core is busy whenever a job waits.
TEST(pictures, of_the_longest_waits_tell_what_ran_meanwhile) {
  const scenario model = first_point(one_class("count = 1", "", 0.95, exponential, "jobs = 20_000\nreplications = 1"));
  const replication_result found = with_pictures(model).front();
  expect_right(model, found);
  ASSERT_EQ(found.pictures.waits.size(), 10u);
  for (const long_wait& w : found.pictures.waits) EXPECT_GT(w.running.front(), 0.9) << w.wait;
}

// A rare job of 50 waits while jobs of 1 that come later preempt it, and runs itself between: two thirds of the time
// from its arrival to its end. What ran is read every 16 completions.
TEST(pictures, of_the_longest_waits_leave_out_what_the_job_ran_itself) {
  const scenario model = first_point(R"(name = "preempted"
platform.servers = [{ name = "node" }]
classes = [
  { name = "short", need = 1, share = 0.9995, size = { distribution = "deterministic", value = 1.0 } },
  { name = "long", need = 1, share = 0.0005, size = { distribution = "deterministic", value = 50.0 } },
]
arrivals.rate = 0.2
policy = "last_come_first_served"
run = { jobs = 60_000, replications = 1 }
)");
  const replication_result found = with_pictures(model).front();
  ASSERT_EQ(found.pictures.waits.size(), 10u);
  unsigned rare = 0;
  for (const long_wait& w : found.pictures.waits) {
    if (w.class_name != "long" || w.wait > 45.0) continue;  // behind another long job, or a short one itself
    ++rare;
    EXPECT_GT(w.running[0], 0.6) << w.job << " waited " << w.wait;
    EXPECT_LT(w.running[1], 0.25) << w.job << " waited " << w.wait;
  }
  EXPECT_GE(rare, 3u);
}

// Jobs that never end are preempted by all that come later; the last one of them is in service whenever no other is.
TEST(pictures, of_the_longest_waits_have_jobs_that_wait_or_are_in_service_at_the_end) {
  const scenario model = first_point(R"(name = "endless"
platform.servers = [{ name = "node" }]
classes = [
  { name = "short", need = 1, share = 0.9998, size = { distribution = "deterministic", value = 1.0 } },
  { name = "endless", need = 1, share = 0.0002, size = { distribution = "deterministic", value = 1e6 } },
]
arrivals.rate = 0.1
policy = "last_come_first_served"
run = { jobs = 20_000, replications = 1 }
)");
  const replication_result found = with_pictures(model).front();
  expect_right(model, found);
  std::uint64_t endless = 0;
  for (const long_wait& w : found.pictures.waits) endless += w.class_name == "endless" && !w.has_left;
  EXPECT_GE(endless, 1u);
  EXPECT_EQ(endless, found.balances.at(1).present);
}

TEST(pictures, of_a_point_that_is_not_drawn_are_none) {
  const scenario model = queue("jobs = 1000\nreplications = 1");
  const replication_result found = replicate(model, 1, watching{}).front(), drawn = with_pictures(model).front();
  EXPECT_TRUE(found.pictures.responses.empty());
  EXPECT_TRUE(found.pictures.bins.empty());
  EXPECT_TRUE(found.pictures.cores.bins.empty());
  EXPECT_TRUE(found.pictures.cores.slices.empty());
  EXPECT_TRUE(found.pictures.waits.empty());
  ASSERT_EQ(found.measurements.size(), drawn.measurements.size());
  for (std::size_t n = 0; n < found.measurements.size(); ++n)
    EXPECT_EQ(found.measurements[n].value, drawn.measurements[n].value) << found.measurements[n].metric;
  EXPECT_FALSE(drawn.pictures.responses.empty());
}

}  // namespace
}  // namespace muster
