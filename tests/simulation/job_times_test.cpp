#include <array>
#include <set>
#include <sstream>

#include <rapidcheck.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <boost/algorithm/string/replace.hpp>

#include "tests/simulation/explained_scene.h"

// What each job's time is spent on: scenes that can be worked out by hand, and the causes of waiting found anew from
// nothing but when each job started and completed.

namespace muster {
namespace {

/// In units of time: "running 4, no_core 2".
std::string parts_of(const time_unit& unit, ticks, const job_extension& j) {
  constexpr const char* words[] = {"running", "overhead", "network",       "decision",
                                   "failure", "no_core",  "fragmentation", "behind_others"};
  std::vector<std::string> parts;
  for (std::size_t part = 0; part < time_parts; ++part)
    if (const ticks spent = j.times->all()[part]; spent > 0)
      parts.push_back(fmt::format("{} {:.12g}", words[part], unit.to_units(spent)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> times_of(const std::string& toml, const std::vector<scene_job>& jobs) {
  return explained(toml, jobs, parts_of);
}

using lines = std::vector<std::string>;

std::string rigid_scene(const std::string& platform, const std::string& policy = "fcfs",
                        const std::string& more_of_big = "", const std::string& more_of_small = "") {
  const std::string size = "rate = 0.1\nsize = { distribution = \"deterministic\", value = 1.0 }\n";
  return "name = \"scene\"\n[platform]\n" + platform + "\n[[classes]]\nname = \"big\"\nneed = 2\n" + more_of_big +
         size + "[[classes]]\nname = \"small\"\nneed = 1\n" + more_of_small + size + "[policy]\nname = \"" + policy +
         "\"\n";
}

constexpr unsigned big = 0, small = 1;
const std::string two_cores = R"(servers = [{ name = "node", cores = 2 }])";

TEST(job_times, tell_waiting_for_a_core_from_waiting_behind_others) {
  EXPECT_EQ(times_of(rigid_scene(two_cores), {{0.0, small, 10.0}, {1.0, big, 4.0}, {2.0, small, 1.0}}),
            (lines{"running 10", "running 4, no_core 9", "running 1, no_core 4, behind_others 8"}));
}

TEST(job_times, of_a_policy_that_lets_no_core_idle_hold_no_waiting_behind_others_of_a_job_that_fits) {
  EXPECT_EQ(times_of(rigid_scene(two_cores, "first_fit"), {{0.0, small, 10.0}, {1.0, big, 4.0}, {2.0, small, 1.0}}),
            (lines{"running 10", "running 4, no_core 9", "running 1"}));
}

TEST(job_times, of_a_job_that_may_not_use_the_free_cores_hold_fragmentation) {
  const std::string text = rigid_scene(R"(servers = [{ name = "a", cores = 2 }, { name = "b", cores = 1 }])", "fcfs",
                                       "servers = [\"a\"]\n", "servers = [\"a\"]\n");
  EXPECT_EQ(times_of(text, {{0.0, big, 5.0}, {1.0, small, 1.0}, {2.0, big, 3.0}}),
            (lines{"running 5", "running 1, fragmentation 4", "running 3, no_core 3, fragmentation 1"}));
}

TEST(job_times, hold_the_decisions_about_a_job_itself) {
  // The second job's arrival waits until 1, its start is decided until 2; the first job's end at 6 is processed at
  // once.
  EXPECT_EQ(times_of(rigid_scene(two_cores + "\ndecision = { fixed = 1.0 }"), {{0.0, small, 5.0}, {0.5, small, 5.0}}),
            (lines{"running 5, decision 1", "running 5, decision 1.5"}));
  // Both jobs end at 6 and 6.5; the end of the second waits while that of the first is decided upon, until 7.
  EXPECT_EQ(times_of(rigid_scene(two_cores + "\ndecision = { fixed = 1.0 }"), {{0.0, small, 5.0}, {0.5, small, 4.5}}),
            (lines{"running 5, decision 1", "running 4.5, decision 2"}));
}

TEST(job_times, hold_orders_and_responses_under_way_and_overhead_on_the_servers) {
  EXPECT_EQ(times_of(rigid_scene(two_cores + "\nlink = { latency = 0.25 }\ncosts = { set_up = 0.5 }"),
                     {{0.0, small, 5.0}, {0.0, small, 3.0}, {1.0, small, 1.0}}),
            (lines{"running 5, overhead 0.5, network 0.5", "running 3, overhead 0.5, network 0.5",
                   "running 1, overhead 0.5, network 0.5, no_core 3"}));
}

TEST(job_times, of_a_gang_are_those_of_the_slice_that_is_the_last_to_get_so_far) {
  EXPECT_EQ(times_of(rigid_scene("servers = [{ name = \"a\", capacity = 1.0 }, { name = \"b\", capacity = 0.5 }]"),
                     {{0.0, big, 3.0}, {1.0, small, 1.0}}),
            (lines{"running 6", "running 1, no_core 5"}));
}

TEST(job_times, of_work_that_is_killed_become_failure) {
  // Budgets of 1, then 2: the small jobs lose 1 at 1 and 2 at 4, the big one 1 at 2.
  EXPECT_EQ(
      times_of(rigid_scene(two_cores, "kill_restart"), {{0.0, small, 5.0}, {0.0, small, 5.0}, {1.0, big, 2.0}}),
      (lines{"running 5, failure 3, no_core 3", "running 5, failure 3, no_core 3", "running 2, failure 1, no_core 2"}));
}

TEST(job_times, of_preempted_work_that_is_saved_stay_running_and_saving_is_overhead) {
  // The small job saves until 1.5, when the other job gets its cores, and is restored from 3.5 on.
  EXPECT_EQ(times_of(rigid_scene(two_cores + "\ncosts = { save = 0.5, restore = 0.25 }", "server_filling"),
                     {{0.0, small, 5.0}, {1.0, big, 2.0}}),
            (lines{"running 5, overhead 0.75, no_core 2", "running 2, no_core 0.5"}));
}

/// A job as it is written down when it completes, and the causes of its waiting.
struct life {
  ticks arrival, started, completed, no_core, fragmentation, behind_others, running;
  unsigned type;
};

// At each instant the cores that are free in all, and those on the servers of the class, tell the cause.
void expect_causes(const std::vector<life>& jobs, const std::array<unsigned, 2>& cores,
                   const std::array<unsigned, 2>& needs) {
  std::set<ticks> instants;
  for (const life& j : jobs) instants.insert({j.arrival, j.started, j.completed});
  for (const life& j : jobs) {
    ticks no_core = 0, fragmentation = 0, behind_others = 0;
    for (auto at = instants.find(j.arrival); *at < j.started; ++at) {
      std::array<unsigned, 2> free = cores;
      for (const life& other : jobs)
        if (other.started <= *at && *at < other.completed) free[other.type] -= needs[other.type];
      const ticks lasts = *std::next(at) - *at;
      (free[0] + free[1] < needs[j.type] ? no_core
       : free[j.type] < needs[j.type]    ? fragmentation
                                         : behind_others) += lasts;
    }
    RC_ASSERT(j.no_core == no_core);
    RC_ASSERT(j.fragmentation == fragmentation);
    RC_ASSERT(j.behind_others == behind_others);
    RC_ASSERT(j.running == j.completed - j.started);
  }
}

TEST(job_times, of_jobs_that_wait_are_what_starts_and_completions_of_all_jobs_tell) {
  ASSERT_TRUE(rc::check([] {
    const std::array<unsigned, 2> cores{*rc::gen::inRange(2u, 6u), *rc::gen::inRange(1u, 4u)};
    const std::array<unsigned, 2> needs{*rc::gen::inRange(2u, cores[0] + 1), 1};
    std::string text = rigid_scene(
        fmt::format(R"(servers = [{{ name = "a", cores = {} }}, {{ name = "b", cores = {} }}])", cores[0], cores[1]),
        *rc::gen::element<std::string>("fcfs", "first_fit", "msf"), "servers = [\"a\"]\n", "servers = [\"b\"]\n");
    boost::algorithm::replace_first(text, "need = 2", fmt::format("need = {}", needs[0]));
    RC_LOG() << text;
    std::vector<scene_job> scene(60);
    double at = 0.0;
    for (scene_job& j : scene)
      j = {at += *rc::gen::inRange(0, 9) / 8.0, *rc::gen::inRange(0u, 2u), *rc::gen::inRange(1, 40) / 8.0};
    const auto told = [](const time_unit&, ticks now, const job_extension& j) {
      const job_times& t = *j.times;
      return fmt::format("{} {} {} {} {} {} {} {}", j.arrival, j.started, now, t[time_part::no_core],
                         t[time_part::fragmentation], t[time_part::behind_others], t[time_part::running],
                         static_cast<unsigned>(j.type));
    };
    std::vector<life> jobs;
    for (const std::string& line : explained(text, scene, told)) {
      std::istringstream words(line);
      life& j = jobs.emplace_back();
      words >> j.arrival >> j.started >> j.completed >> j.no_core >> j.fragmentation >> j.behind_others >> j.running >>
          j.type;
      RC_ASSERT(!words.fail());
    }
    RC_ASSERT(jobs.size() == scene.size());
    expect_causes(jobs, cores, needs);
  }));
}

}  // namespace
}  // namespace muster
