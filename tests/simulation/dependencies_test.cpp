#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/model/synthetic_workload.h"
#include "platform/simulation/cluster_hardware.h"
#include "tests/modules/child.h"
#include "tests/oracles/random_logs.h"
#include "tests/scenario/graph_folder.h"

// Jobs of a log that arrive when others have ended.

namespace muster {
namespace {

constexpr ticks in_a_second = 1'000'000'000;

/// Arrival, start and end of a job, in seconds.
using times_of_job = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

/// What became of all jobs, by their places in the log's order of arrival.
std::vector<times_of_job> simulated(const scenario& model) {
  struct recorder final : job_observer {
    void job_arrives(ticks, const job_extension&) override {}
    void job_completes(ticks now, const job_extension& j) override {
      text +=
          fmt::format("{} {} {} {}\n", j.listed, j.arrival / in_a_second, j.started / in_a_second, now / in_a_second);
    }
    std::string text;
  };
  const std::string told = in_child([&]() -> std::string {
    sc_core::sc_set_time_resolution(1.0, sc_core::SC_NS);
    try {
      const std::unique_ptr<workload> jobs = make_workload(model, 0);
      recorder seen;
      module_of<cluster_hardware> whole("cluster", model, 0, *jobs, seen, hardware_options{true});
      sc_core::sc_start();
      whole.audit(whole.time.now());
      return seen.text;
    } catch (const std::exception& fault) {
      return fault.what();
    }
  });
  std::vector<times_of_job> all(model.arrivals.jobs->size());
  std::istringstream rows(told);
  std::size_t left = all.size();
  for (std::size_t place = 0; rows >> place && place < all.size(); --left)
    rows >> std::get<0>(all[place]) >> std::get<1>(all[place]) >> std::get<2>(all[place]);
  EXPECT_EQ(left, 0u) << told;
  return all;
}

/// A line of a log. @param preceding number of a job, or -1 @param think seconds, or -1
std::string swf_line(std::size_t number, std::uint64_t arrival, std::uint64_t run, std::uint64_t cores,
                     std::uint64_t requested, int preceding, int think, unsigned user = 1) {
  return fmt::format("{} {} -1 {} -1 -1 -1 {} {} -1 1 {} 1 -1 -1 -1 {} {}\n", number, arrival, run, cores, requested,
                     user, preceding, think);
}

class replayed_dependencies : public graph_folder {
 protected:
  /// @param keys of arrivals
  scenario model_of(const std::string& log, std::uint64_t cores, const std::string& policy,
                    const std::string& keys = "") const {
    write("log.txt", log);
    return read_here(fmt::format("name = \"x\"\n[platform]\nservers = [{{ name = \"node\", cores = {} }}]\n[arrivals]\n"
                                 "process = \"log\"\nfile = \"log.txt\"\nclass_by = \"all\"\n"
                                 "dependencies = \"replay\"\n{}[policy]\nname = \"{}\"\n",
                                 cores, keys, policy))
        .points.front()
        .model;
  }
};

// Job 2 arrives 20 s after job 1, job 4 5 s after job 2, long before its time in the log, and job 8 4 s after job 7.
// Job 6 arrives with the end of job 3, and job 5, which has no think time either, not before 140.
const std::string eight_jobs = swf_line(1, 0, 100, 3, 100, -1, -1) + swf_line(2, 10, 50, 2, 50, 1, 20) +
                               swf_line(3, 15, 30, 4, 30, -1, -1) + swf_line(7, 16, 60, 1, 60, -1, -1) +
                               swf_line(8, 17, 10, 1, 10, 7, 4) + swf_line(6, 20, 10, 1, 10, 3, -1) +
                               swf_line(5, 140, 20, 2, 20, 1, -1) + swf_line(4, 300, 10, 1, 10, 2, 5);

// Job 3 needs all cores, so that jobs 7, 2 and 6 start together at its end; job 5 lacks a core until job 2 ends.
const std::vector<times_of_job> eight_jobs_under_fcfs = {{0, 0, 100},     {120, 130, 180}, {15, 100, 130},
                                                         {16, 130, 190},  {194, 194, 204}, {130, 130, 140},
                                                         {140, 180, 200}, {185, 185, 195}};

TEST_F(replayed_dependencies, give_the_schedule_under_fcfs_that_was_computed_by_hand) {
  EXPECT_EQ(simulated(model_of(eight_jobs, 4, "fcfs")), eight_jobs_under_fcfs);
}

// Job 7 starts beside job 1, so that job 8, which follows it, arrives early enough to end before job 3 begins.
TEST_F(replayed_dependencies, give_the_schedule_under_easy_backfill_that_was_computed_by_hand) {
  EXPECT_EQ(simulated(model_of(eight_jobs, 4, "easy_backfill")), (std::vector<times_of_job>{{0, 0, 100},
                                                                                            {120, 130, 180},
                                                                                            {15, 100, 130},
                                                                                            {16, 16, 76},
                                                                                            {80, 80, 90},
                                                                                            {130, 130, 140},
                                                                                            {140, 140, 160},
                                                                                            {185, 185, 195}}));
}

// Job 1 is killed at 50. Job 2 waits for it, and job 3 for both; of array 5 task 2 for that of array 4, and job 6 for
// all of array 4.
TEST_F(replayed_dependencies, of_slurm_are_on_all_jobs_that_are_named_however_they_end) {
  const std::string log =
      "JobID|Submit|Elapsed|NCPUS|Timelimit|State|Dependency\n1|0|100|1|50|TIMEOUT|\n2|10|20|1|90|COMPLETED|afterok:1\n"
      "3|11|5|1|90|COMPLETED|afterany:1:2(unfulfilled)\n4_1|12|200|1|300|COMPLETED|\n"
      "4_2|12|10|1|90|COMPLETED|afternotok:1\n5_2|13|3|1|90|COMPLETED|aftercorr:4\n"
      "6|14|1|1|90|COMPLETED|afterok:4,afterany:2\n";
  EXPECT_EQ(simulated(model_of(log, 9, "fcfs", "kill_at_estimate = true\n")),
            (std::vector<times_of_job>{
                {0, 0, 50}, {50, 50, 70}, {70, 70, 75}, {12, 12, 212}, {50, 50, 60}, {60, 60, 63}, {212, 212, 213}}));
}

// Jobs that wait for themselves, for each other, for later ones and for none that there is: none waits for ever.
TEST_F(replayed_dependencies, on_jobs_that_are_not_earlier_are_counted_and_none_waits_for_ever) {
  const std::string log = swf_line(1, 0, 10, 1, 10, 1, 5) + swf_line(2, 1, 10, 1, 10, 3, 5) +
                          swf_line(3, 2, 10, 1, 10, 2, 5) + swf_line(4, 3, 10, 1, 10, 99, 5) +
                          swf_line(5, 4, 10, 9, 10, -1, -1) + swf_line(6, 5, 10, 1, 10, 5, -1);
  const scenario model = model_of(log, 4, "fcfs");
  EXPECT_EQ(simulated(model),
            (std::vector<times_of_job>{{0, 0, 10}, {1, 1, 11}, {16, 16, 26}, {3, 3, 13}, {5, 5, 15}}));
  EXPECT_NE(
      model.arrivals.notes.front().find(
          "; 1 that arrive when other jobs have ended (first: line 3); dependencies that are not waited for: 2 on "
          "a job that is no earlier one (first: line 1), 2 on a job that is not simulated (first: line 4)"),
      std::string::npos)
      << model.arrivals.notes.front();
}

// Job 2 follows job 1 by 20 s. At time 0 another job holds all cores for 10 s; with scale 2 thinking takes twice as
// long; without job 1, which is before 3 s, it arrives as in the log.
TEST_F(replayed_dependencies, are_found_beside_jobs_at_time_0_and_in_a_part_of_the_log_and_are_scaled) {
  write("queue.csv", "state,elapsed,size,cores\nrunning,0,10,4\n");
  const std::string log = swf_line(1, 0, 100, 4, 100, -1, -1) + swf_line(2, 5, 9, 1, 9, 1, 20);
  EXPECT_EQ(simulated(model_of(log, 4, "fcfs", "[initial]\nfile = \"queue.csv\"\n")),
            (std::vector<times_of_job>{{0, 0, 10}, {0, 10, 110}, {130, 130, 139}}));
  EXPECT_EQ(simulated(model_of(log, 4, "fcfs", "scale = 2\n")),
            (std::vector<times_of_job>{{0, 0, 100}, {140, 140, 149}}));
  EXPECT_EQ(simulated(model_of(log, 4, "fcfs", "from = 3\n")), (std::vector<times_of_job>{{2, 2, 11}}));
}

struct logged_dependency {
  std::size_t on;
  int think;  // -1: not known
};

/// A random log of cores alone, and for half of its jobs one of the ten jobs before.
struct dependent_log {
  explicit dependent_log(std::uint64_t seed) : log(oracle::make_random_log(seed, 1)), on(log.jobs.size()) {
    std::mt19937_64 bits{seed};
    for (std::size_t j = 1; j < on.size(); ++j)
      if (bits() % 2 == 0)
        on[j] = {j - 1 - bits() % std::min<std::size_t>(j, 10), 10 * static_cast<int>(bits() % 30) - 10};
    for (auto& d : on)
      if (d && d->think < 0) d->think = -1;
  }
  std::string text() const {
    std::string lines;
    for (std::size_t j = 0; j < on.size(); ++j) {
      const oracle::backfill_job& job = log.jobs[j];
      lines += swf_line(j + 1, job.arrival, job.size, log.cluster.needs[job.need].per_task[0], job.estimate,
                        on[j] ? static_cast<int>(on[j]->on) + 1 : -1, on[j] ? on[j]->think : -1, job.user % 7);
    }
    return lines;
  }

  oracle::random_log log;
  std::vector<std::optional<logged_dependency>> on;
};

// The plain loop serves the jobs at the times at which they have arrived. Then each must have arrived when the loop's
// own ends say: an arrival follows from what is before it, so that one schedule alone satisfies both.
void expect_the_plain_schedule(const dependent_log& given, const std::vector<times_of_job>& found,
                               oracle::backfill_rule rule, std::uint64_t seed) {
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::get<0>(found[a]) < std::get<0>(found[b]); });
  std::vector<oracle::backfill_job> jobs;
  for (const std::size_t j : order) {
    jobs.push_back(given.log.jobs[j]);
    jobs.back().arrival = std::get<0>(found[j]);
  }
  const auto outcomes = oracle::backfill(given.log.cluster, jobs, {rule});
  std::vector<std::uint64_t> ends(found.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    ends[order[n]] = outcomes[n].completion;
    ASSERT_EQ(std::tie(std::get<1>(found[order[n]]), std::get<2>(found[order[n]])),
              std::tie(outcomes[n].start, outcomes[n].completion))
        << "log " << seed << ", job " << order[n];
  }
  for (std::size_t j = 0; j < found.size(); ++j) {
    std::uint64_t arrival = given.log.jobs[j].arrival;
    if (const auto& d = given.on[j])
      arrival = d->think >= 0 ? ends[d->on] + static_cast<unsigned>(d->think) : std::max(arrival, ends[d->on]);
    ASSERT_EQ(std::get<0>(found[j]), arrival) << "log " << seed << ", job " << j;
  }
}

TEST_F(replayed_dependencies, give_each_job_of_random_logs_the_times_of_a_plain_loop) {
  constexpr std::uint64_t logs = 40;
  for (std::uint64_t seed = 1; seed <= logs; ++seed) {
    const dependent_log given(seed);
    const bool is_easy = seed % 2 == 0;
    const scenario model = model_of(given.text(), given.log.cluster.servers.front().has.front(),
                                    is_easy ? "easy_backfill" : "fcfs", "estimate = \"requested\"\n");
    const auto rule = is_easy ? oracle::backfill_rule::easy : oracle::backfill_rule::fcfs;
    ASSERT_NO_FATAL_FAILURE(expect_the_plain_schedule(given, simulated(model), rule, seed));
  }
}

/// Arrival and end in seconds, by size, of the jobs of a replication on a cluster without bounds.
std::multimap<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> without_waits(const scenario& model,
                                                                                    std::uint32_t replication) {
  std::multimap<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> all;
  using end = std::pair<ticks, std::uint32_t>;
  std::priority_queue<end, std::vector<end>, std::greater<>> running;
  const std::unique_ptr<workload> jobs = make_workload(model, replication);
  job_request next;
  bool any = jobs->next(next);
  while (any || !running.empty()) {
    if (any && (running.empty() || next.arrival < running.top().first)) {
      running.emplace(next.arrival + next.size, next.listed);
      all.emplace(next.size / in_a_second, std::pair{next.arrival, next.arrival + next.size});
      any = jobs->next(next);
      continue;
    }
    const end first = running.top();
    running.pop();
    if (jobs->feedback()->job_completes(first.first, first.second)) any = jobs->next(next);
  }
  return all;
}

/// Chains of three jobs of each of ten users, whose sizes are 1, 2, ..; think times are 7 s.
std::string chains() {
  std::string log;
  for (int n = 0; n < 30; ++n)
    log += swf_line(static_cast<std::size_t>(n) + 1, static_cast<unsigned>(n) * 100, static_cast<unsigned>(n) + 1, 1,
                    90, n < 10 ? -1 : n - 9, 7, static_cast<unsigned>(n) % 10);
  return log;
}

TEST_F(replayed_dependencies, go_with_the_jobs_that_are_shaken) {
  const scenario model = model_of(chains(), 4, "fcfs", "replicate = \"shake\"\nshift = 500\n");
  for (std::uint32_t r = 0; r < 20; ++r) {
    const auto all = without_waits(model, r);
    ASSERT_EQ(all.size(), 30u);
    for (std::uint64_t size = 11; size <= 30; ++size)
      EXPECT_EQ(all.find(size)->second.first, all.find(size - 10)->second.second + 7 * in_a_second) << r << " " << size;
  }
  EXPECT_NE(without_waits(model, 1), without_waits(model, 2));
}

TEST_F(replayed_dependencies, stay_within_the_jobs_of_a_user_that_is_drawn) {
  const scenario model = model_of(chains(), 4, "fcfs", "replicate = \"resample\"\n");
  unsigned twice = 0;
  for (std::uint32_t r = 1; r < 20; ++r) {
    const auto all = without_waits(model, r);
    ASSERT_EQ(all.size(), 30u);
    for (std::uint64_t size = 11; size <= 30; ++size) {
      std::multiset<ticks> arrivals, allowed;
      const auto [first, end] = all.equal_range(size);
      for (auto job = first; job != end; ++job) arrivals.insert(job->second.first);
      const auto [before, last] = all.equal_range(size - 10);
      for (auto job = before; job != last; ++job) allowed.insert(job->second.second + 7 * in_a_second);
      EXPECT_EQ(arrivals, allowed) << r << " " << size;
      twice += arrivals.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(twice, 20u);
}

/// A table of jobs with numbers of arrays, whose jobs come every 3 s from 0 on and have the sizes 1, 2, ..
struct table_of_arrays {
  void add(int number, const std::string& after, int think, unsigned user = 1) {
    ++jobs;
    text += fmt::format("{},{},1,{}_{},{},{},{}\n", 3 * (jobs - 1), jobs, number, jobs, after,
                        think < 0 ? "" : fmt::format("{}", think), user);
  }

  std::uint64_t jobs = 0;
  std::string text = "arrival,size,cores,job,after,think,user\n";
};

TEST_F(replayed_dependencies, on_arrays_are_on_each_of_their_earlier_tasks) {
  struct told {
    unsigned number, after;  // 0: none
    ticks think;
  };
  table_of_arrays table;
  std::mt19937_64 bits{5};
  std::vector<told> all_told;
  for (unsigned n = 0; n < 240; ++n) {
    const told& t = all_told.emplace_back(
        told{static_cast<unsigned>(bits() % 6) + 1, static_cast<unsigned>(bits() % 9), bits() % 20});
    table.add(static_cast<int>(t.number), t.after > 0 ? fmt::format("{}", t.after) : "", static_cast<int>(t.think));
  }
  const scenario model = model_of(table.text, 4, "fcfs", "replicate = \"shake\"\nshift = 50\n");
  for (std::uint32_t r = 0; r < 3; ++r) {
    const auto all = without_waits(model, r);
    ASSERT_EQ(all.size(), all_told.size());
    unsigned waited = 0;
    for (std::size_t n = 0; n < all_told.size(); ++n) {
      ticks latest = 0;
      for (std::size_t before = 0; before < n; ++before)
        if (all_told[before].number == all_told[n].after)
          latest = std::max(latest, all.find(before + 1)->second.second);
      if (latest == 0) continue;
      ++waited;
      EXPECT_EQ(all.find(n + 1)->second.first, latest + all_told[n].think * in_a_second) << r << " " << n;
    }
    EXPECT_GT(waited, 100u);
  }
}

// A user that is drawn twice has its array and the jobs behind it twice, at the same times.
TEST_F(replayed_dependencies, on_arrays_stay_within_the_jobs_of_a_user_that_is_drawn) {
  table_of_arrays table;
  for (int n = 0; n < 60; ++n)
    table.add(n < 30 ? n % 10 + 1 : 100, n < 30 ? "" : fmt::format("{}", n % 10 + 1), 7, static_cast<unsigned>(n) % 10);
  const scenario model = model_of(table.text, 4, "fcfs", "replicate = \"resample\"\n");
  std::size_t twice = 0;
  for (std::uint32_t r = 1; r < 10; ++r) {
    const auto all = without_waits(model, r);
    ASSERT_EQ(all.size(), 60u);
    for (const auto& [size, times] : all) {
      // The tasks of the user's array have the sizes u, u + 10 and u + 20, and the last one ends last.
      const std::uint64_t last = (size - 1) % 10 + 21;
      EXPECT_EQ(times.first / in_a_second, size > 30 ? 4 * last - 3 + 7 : 3 * (size - 1)) << r << " " << size;
      twice += all.count(size) > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(twice, 20u);
}

// A joint for the 1,000 tasks, for which the 1,000 others wait; and a joint for each task, where they come in turns.
TEST_F(replayed_dependencies, of_an_array_on_an_array_are_as_many_as_their_tasks) {
  for (const bool in_turns : {false, true}) {
    table_of_arrays table;
    for (int n = 0; n < 2000; ++n) {
      const bool waits = in_turns ? n % 2 == 1 : n >= 1000;
      table.add(waits ? 2 : 1, waits ? "afterok:1" : "", -1);
    }
    const scenario model = model_of(table.text, 4, "fcfs");
    EXPECT_EQ(model.arrivals.dependencies->followers.size(), in_turns ? 2998u : 2000u);
    const auto all = without_waits(model, 0);
    ASSERT_EQ(all.size(), 2000u);
    for (std::uint64_t size = 1; size <= 2000; ++size) {
      const bool waits = in_turns ? size % 2 == 0 : size > 1000;
      const std::uint64_t last = in_turns ? size - 1 : 1000;
      EXPECT_EQ(all.find(size)->second.first / in_a_second,
                waits ? std::max(3 * (size - 1), 4 * last - 3) : 3 * (size - 1))
          << size;
    }
  }
}

/// Scenarios whose jobs are those of a list.
class listed_dependencies : public graph_folder {
 protected:
  scenario model_of(const std::string& jobs, unsigned cores, const std::string& policy,
                    const std::string& more = "") const {
    write("jobs.csv", jobs);
    return read_here(fmt::format("name = \"x\"\n[platform]\nservers = [{{ name = \"node\", cores = {} }}]\n"
                                 "[[classes]]\nname = \"job\"\n[arrivals]\nprocess = \"list\"\n"
                                 "file = \"jobs.csv\"\n[policy]\nname = \"{}\"\n{}",
                                 cores, policy, more))
        .points.front()
        .model;
  }
};

// The jobs of `eight_jobs`, whose schedule was computed by hand.
TEST_F(listed_dependencies, give_the_schedule_of_the_log_of_the_same_jobs) {
  EXPECT_EQ(simulated(model_of("id,arrival,size,cores,after,think\n1,0,100,3,,\n2,10,50,2,1,20\n3,15,30,4,,\n"
                               "7,16,60,1,,\n8,17,10,1,7,4\n6,20,10,1,3,\n5,140,20,2,1,\n4,300,10,1,2,5\n",
                               4, "fcfs")),
            eight_jobs_under_fcfs);
}

// Job 3 waits for the tasks 1 and 2 of array 7, and job 4 for task 1. A job at time 0 holds all cores until 10.
TEST_F(listed_dependencies, may_be_on_tasks_of_arrays_behind_jobs_at_time_0) {
  write("queue.csv", "state,elapsed,size,cores\nrunning,0,10,9\n");
  EXPECT_EQ(simulated(model_of("id,arrival,size,job,after\n1,1,5,7_1,\n2,2,20,7_2,\n3,3,1,,afterok:7\n4,3,1,,7_1\n", 9,
                               "fcfs", "[initial]\nfile = \"queue.csv\"\n")),
            (std::vector<times_of_job>{{0, 0, 10}, {1, 10, 15}, {2, 10, 30}, {30, 30, 31}, {15, 15, 16}}));
}

TEST_F(listed_dependencies, may_be_of_pooled_jobs) {
  EXPECT_EQ(simulated(model_of("id,arrival,size,after,think\n1,0,40,,\n2,0,4,1,5\n", 1, "fcfs_pooled")),
            (std::vector<times_of_job>{{0, 0, 40}, {45, 45, 49}}));
}

}  // namespace
}  // namespace muster
