#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/oracles/random_logs.h"
#include "tests/scenario/graph_folder.h"
#include "tests/simulation/job_by_job.h"

// Lists with requested times and users, simulated as scenarios under backfilling with each kind of estimates, job by
// job against a plain loop.

namespace muster {
namespace {

using oracle::backfill_order;
using oracle::backfill_rule;
using oracle::backfill_settings;
using oracle::random_log;

struct kind_of_estimates {
  const char* keys;
  bool exact, doubled, learnt, killed;
};

constexpr std::array kinds{kind_of_estimates{"", false, false, false, false},
                           kind_of_estimates{"estimate = \"exact\"\n", true, false, false, false},
                           kind_of_estimates{"estimate = { factor = 2.0 }\n", true, true, false, false},
                           kind_of_estimates{"estimate = \"learnt\"\n", false, false, true, false},
                           kind_of_estimates{"kill_at_estimate = true\n", false, false, false, true}};

std::string policy_of(const backfill_settings& s) {
  constexpr std::array orders{"arrival", "shortest", "smallest_area", "expansion_factor", "fair_share"};
  const auto word = [&](backfill_order o) { return orders[static_cast<std::size_t>(o)]; };
  if (s.rule == backfill_rule::easy)
    return fmt::format("name = \"easy_backfill\"\norder = \"{}\"\nbackfill_order = \"{}\"\nreservations = {}\n",
                       word(s.order), word(s.second), s.reservations);
  return fmt::format("name = \"conservative_backfill\"\norder = \"{}\"\non_early_end = \"{}\"\n", word(s.order),
                     s.rule == backfill_rule::replan ? "replan" : "compress");
}

// A list tells of each job what its tasks hold, and no more.
random_log with_needs_of_a_list(random_log log) {
  for (oracle::backfill_need& n : log.cluster.needs) {
    n.exclusive = false;
    n.at_most_per_server = 0;
    n.servers.clear();
  }
  return log;
}

std::string scenario_of(const random_log& log, const kind_of_estimates& kind, const backfill_settings& s) {
  const bool tasks = log.cluster.parts.size() > 1;
  std::string text = "name = \"backfilling\"\ntime_unit = \"ns\"\n";
  if (tasks)
    text += fmt::format(
        "[platform.resources]\nmemory = {{ kind = \"amount\" }}\ngpu = {{ kind = \"devices\", shares = 2 }}\n"
        "licence = {{ kind = \"amount\", of = \"cluster\", amount = {} }}\n"
        "fpga = {{ kind = \"devices\", of = \"cluster\", amount = {}, shares = {} }}\n",
        log.cluster.of_cluster[0], log.cluster.of_cluster[1], log.cluster.parts_of_cluster[1]);
  text += "[platform]\nservers = [\n";
  for (std::size_t n = 0; n < log.cluster.servers.size(); ++n) {
    const oracle::backfill_server& server = log.cluster.servers[n];
    text += fmt::format("  {{ name = \"node_{}\", cores = {}, capacity = {:.1f}", n, server.has[0], server.capacity);
    if (tasks) text += fmt::format(", resources = {{ memory = {}", server.has[1]);
    if (tasks && server.has[2] > 0) text += fmt::format(", gpu = {}", server.has[2]);
    text += tasks ? " } },\n" : " },\n";
  }
  return text + "]\n[[classes]]\nname = \"job\"\n[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n" + kind.keys +
         "[policy]\n" + policy_of(s);
}

std::string list_of(const random_log& log) {
  const bool tasks = log.cluster.parts.size() > 1;
  std::string text = "id,arrival,size,requested,user,cores";
  text += tasks ? ",tasks,memory,gpu,licence,fpga\n" : "\n";
  for (std::size_t j = 0; j < log.jobs.size(); ++j) {
    const oracle::backfill_job& job = log.jobs[j];
    const oracle::backfill_need& need = log.cluster.needs[job.need];
    text += fmt::format("{},{},{},{},user_{},{}", j, job.arrival, job.size, job.estimate, job.user, need.per_task[0]);
    const auto amount = [](std::uint64_t n, double of) {
      return n > 0 ? fmt::format(",{}", static_cast<double>(n) * of) : std::string{","};
    };
    if (tasks)
      text += fmt::format(",{}", need.tasks) + amount(need.per_task[1], 1.0) + amount(need.per_task[2], 0.5) +
              amount(need.per_job[0], 1.0) +
              amount(need.per_job[1], 1.0 / static_cast<double>(log.cluster.parts_of_cluster[1]));
    text += '\n';
  }
  return text;
}

std::string told(std::size_t job, std::uint64_t start, std::uint64_t end) {
  return fmt::format("job {} runs from {} to {}", job, start, end);
}

/// @param unit ticks of a unit of time of the list
lines by_the_plain_loop(random_log log, const kind_of_estimates& kind, backfill_settings s, ticks unit) {
  s.learns = kind.learnt;
  for (oracle::backfill_job& j : log.jobs) {
    for (auto* const time : {&j.arrival, &j.size, &j.estimate}) *time *= unit;
    if (kind.exact) j.estimate = j.size * (kind.doubled ? 2 : 1);
    if (kind.killed) j.size = std::min(j.size, j.estimate);
  }
  const auto outcomes = oracle::backfill(log.cluster, log.jobs, s);
  lines all;
  for (std::size_t j = 0; j < outcomes.size(); ++j) all.push_back(told(j, outcomes[j].start, outcomes[j].completion));
  return all;
}

class backfilling_of_a_list : public graph_folder {};

TEST_F(backfilling_of_a_list, starts_and_ends_each_job_when_the_plain_loop_does_with_each_kind_of_estimates) {
  unsigned seed = 500;
  for (const kind_of_estimates& kind : kinds)
    for (const auto rule : {backfill_rule::easy, backfill_rule::compress, backfill_rule::replan})
      for (const unsigned resources : {1u, 3u}) {
        const random_log log = with_needs_of_a_list(oracle::make_random_log(++seed, resources));
        const backfill_settings s{rule, static_cast<backfill_order>(seed % 5), backfill_order::shortest, 1 + seed % 2};
        write("jobs.csv", list_of(log));
        const scenario model = read_here(scenario_of(log, kind, s)).points.front().model;
        const auto line = [](ticks at, const job_extension& j) { return told(j.id, j.started, at); };
        ASSERT_EQ(first_difference(through_the_simulator(model, log.jobs.size(), line, 0),
                                   by_the_plain_loop(log, kind, s, model.unit.to_ticks(1.0))),
                  "")
            << "log " << seed << "\n"
            << scenario_of(log, kind, s);
      }
}

// Server 0 is out from 10 to 20. Job 1, of both servers, waits until then, as it would not end before. Job 2 takes the
// other server at 5 for 15, and job 3 server 0 until 10.
TEST_F(backfilling_of_a_list, makes_no_job_lose_servers_that_fail_as_is_known_beforehand) {
  const auto schedule_of = [&](const std::string& list, const char* action) {
    write("jobs.csv", list);
    const scenario model =
        read_here(fmt::format("name = \"outage\"\ntime_unit = \"ns\"\n"
                              "[platform]\nservers = [{{ name = \"node\", count = 2, cores = 4 }}]\n"
                              "[[classes]]\nname = \"job\"\n[arrivals]\nprocess = \"list\"\nfile = \"jobs.csv\"\n"
                              "[policy]\nname = \"easy_backfill\"\n"
                              "[[events]]\nat = 10\nservers = \"node\"\ncount = 1\nknown = true\naction = \"{}\"\n"
                              "[[events]]\nat = 20\nservers = \"node\"\naction = \"return\"\n",
                              action))
            .points.front()
            .model;
    const ticks unit = model.unit.to_ticks(1.0);
    const auto line = [&](ticks at, const job_extension& j) {
      return told(j.id, j.started / unit, at / unit) + fmt::format(", servers lost: {}", j.failures);
    };
    return through_the_simulator(model, 4, line, 0);
  };
  const lines expected{"job 0 runs from 0 to 5, servers lost: 0", "job 1 runs from 20 to 30, servers lost: 0",
                       "job 2 runs from 5 to 20, servers lost: 0", "job 3 runs from 5 to 10, servers lost: 0"};
  EXPECT_EQ(schedule_of("id,arrival,size,cores,tasks\n0,0,5,4,2\n1,1,10,4,2\n2,2,15,4,1\n3,2,5,4,1\n", "fail"),
            expected);
  EXPECT_EQ(schedule_of("id,arrival,size,cores\n0,0,5,8\n1,1,10,8\n2,2,15,4\n3,2,5,4\n", "drain"), expected);
}

}  // namespace
}  // namespace muster
