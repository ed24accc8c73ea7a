#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tests/modules/child.h"
#include "tests/modules/scene.h"

// Gangs whose slices end apart, as messages to their servers take different times: the policy gets the cores of each.

namespace muster {
namespace {

// A scheduler that is joined to each server by an edge of its own.
network_graph star_of(const std::vector<ticks>& latencies) {
  network_graph graph;
  add_vertex(network_vertex{network_vertex::kind::scheduler, 0, "scheduler"}, graph);
  for (std::uint32_t s = 0; s < latencies.size(); ++s) {
    const std::size_t server = add_vertex(network_vertex{network_vertex::kind::server, s, ""}, graph);
    add_link(graph, 0, server, latencies[s], 0.0);
  }
  return graph;
}

layout servers_on(const network_graph& roads, std::uint32_t servers, std::uint32_t cores) {
  layout l;
  l.groups = {{"node", servers, cores, 1.0}};
  l.roads = &roads;
  l.slices_end_apart = true;
  return l;
}

std::string completions_of(const layout& l, const std::vector<job_request>& jobs) {
  return in_child([&] {
    scene s{l, jobs};
    s.run();
    std::vector<ticks> completed(jobs.size());
    for (const job_record& r : s.log.records) completed[r.id] = r.completed;
    std::string text;
    for (const ticks t : completed) text += std::to_string(t) + ' ';
    return text;
  });
}

// The gang's slices of 10 end at 0 + 2 + 10 and 10 + 10, as the scheduler sees them. The job behind it begins at 12 and
// needs 3 more, and its messages take 2. Without the call it waits until 20.
TEST(slices_that_end_apart, give_their_cores_to_the_next_job) {
  const network_graph roads = star_of({1, 5});
  layout l = servers_on(roads, 2, 1);
  l.needs = {2, 1};
  const std::vector<job_request> jobs{{0, class_id{0}, 10}, {2, class_id{1}, 3}};
  EXPECT_EQ(completions_of(l, jobs), "20 17 ");
  l.slices_end_apart = false;
  EXPECT_EQ(completions_of(l, jobs), "20 25 ");
}

// First come, first served on the first servers that are free, by a loop over all instants. Sizes and gaps are long, so
// that instants differ.
std::string by_a_plain_loop(const layout& l, const std::vector<ticks>& latencies,
                            const std::vector<job_request>& jobs) {
  std::vector<unsigned> idle(latencies.size(), l.groups.front().cores);
  std::vector<ticks> completed(jobs.size());
  std::multimap<ticks, std::pair<std::size_t, unsigned>> ends;  // servers and their cores
  std::deque<std::size_t> queue;
  for (std::size_t next = 0; next < jobs.size() || !queue.empty();) {
    ticks now = next < jobs.size() ? jobs[next].arrival : end_of_clock;
    if (!ends.empty()) now = std::min(now, ends.begin()->first);
    for (; !ends.empty() && ends.begin()->first == now; ends.erase(ends.begin()))
      idle[ends.begin()->second.first] += ends.begin()->second.second;
    for (; next < jobs.size() && jobs[next].arrival == now; ++next) queue.push_back(next);
    while (!queue.empty()) {
      unsigned missing = l.needs[static_cast<std::size_t>(jobs[queue.front()].type)], all = 0;
      for (const unsigned cores : idle) all += cores;
      if (missing > all) break;
      for (std::size_t s = 0; missing > 0; ++s) {
        const unsigned taken = std::min(missing, idle[s]);
        if (taken == 0) continue;
        const ticks end = now + 2 * latencies[s] + jobs[queue.front()].size;
        completed[queue.front()] = std::max(completed[queue.front()], end);
        ends.insert({end, {s, taken}});
        idle[s] -= taken;
        missing -= taken;
      }
      queue.pop_front();
    }
  }
  std::string text;
  for (const ticks t : completed) text += std::to_string(t) + ' ';
  return text;
}

TEST(slices_that_end_apart, equal_a_plain_loop_over_all_instants_job_by_job) {
  const std::vector<ticks> latencies{20'011, 90'007, 300'017, 700'001};
  const network_graph roads = star_of(latencies);
  for (unsigned round = 0; round < 6; ++round) {
    layout l = servers_on(roads, 4, 1 + round % 3);
    l.needs = {3, 2, 1};
    l.monitored = round % 2 == 1;
    const auto jobs = random_jobs(200, 3, 400'000, 3'000'000, round + 1);
    EXPECT_EQ(completions_of(l, jobs), by_a_plain_loop(l, latencies, jobs)) << "round " << round;
  }
}

// Every slice of a job ends at one instant here, also of those that are preempted or lose a server.
TEST(slices_that_end_apart, make_no_difference_where_none_do) {
  for (const char* policy : {"fcfs", "msf", "server_filling", "easy_backfill"}) {
    const auto records = [&](bool apart) {
      return in_child([&] {
        layout l;
        l.groups = {{"node", 4, 2, 1.0}};
        l.needs = {8, 4, 1};
        l.policy = policy;
        l.slices_end_apart = apart;
        script faults = random_faults(4, 4);
        l.faults = &faults;
        scene s{l, random_jobs(300, 3, 300, 100)};
        s.run_until(1'000'000);
        return s.log.text();
      });
    };
    const std::string without = records(false);
    EXPECT_GT(without.size(), 3'000u);
    EXPECT_EQ(records(true), without) << policy;
  }
}

// Decisions take 4. The gang is sent at 4, and its slices end at 16 and 24. The second job is decided from 16 to 20.
// Its slice has ended at 20 + 2 + 3, when the decision on the completion of the gang goes on, from 24 to 28.
TEST(slices_that_end_apart, take_a_decision_where_decisions_take_time) {
  const network_graph roads = star_of({1, 5});
  layout l = servers_on(roads, 2, 1);
  l.needs = {2, 1};
  l.decision = 4;
  EXPECT_EQ(completions_of(l, {{0, class_id{0}, 10}, {5, class_id{1}, 3}}), "24 28 ");
  l.slices_end_apart = false;
  EXPECT_EQ(completions_of(l, {{0, class_id{0}, 10}, {5, class_id{1}, 3}}), "24 33 ");
}

}  // namespace
}  // namespace muster
