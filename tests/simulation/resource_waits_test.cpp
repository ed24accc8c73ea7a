#include <array>
#include <random>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/model/class_table.h"
#include "tests/simulation/explained_scene.h"

// Which resource jobs waited for: a scene that can be worked out by hand, and random clusters of one server, where what
// is free is found anew from nothing but when each job started and completed.

namespace muster {
namespace {

using lines = std::vector<std::string>;

const std::string size_and_rate = "rate = 0.1\nsize = { distribution = \"deterministic\", value = 1.0 }\n";

std::string class_of(const std::string& name, const std::string& keys) {
  return "[[classes]]\nname = \"" + name + "\"\n" + keys + "\n" + size_and_rate;
}

/// In units of time: "running 4, cores 2, memory 3".
std::string parts_of(const time_unit& unit, ticks, const job_extension& j) {
  constexpr const char* resources[] = {"cores", "memory", "gpu", "licence"};
  const job_times& t = *j.times;
  std::string text = fmt::format("running {:.12g}", unit.to_units(t[time_part::running]));
  const auto add = [&](const char* word, ticks spent) {
    if (spent > 0) text += fmt::format(", {} {:.12g}", word, unit.to_units(spent));
  };
  for (std::size_t r = 0; r < std::size(resources); ++r) add(resources[r], t.short_of(r));
  add("fragmentation", t[time_part::fragmentation]);
  add("behind_others", t[time_part::behind_others]);
  return text;
}

TEST(resource_waits, name_the_resource_that_lacks_at_the_best_place) {
  const std::string text = R"(name = "scene"
platform.resources.memory = { kind = "amount" }
platform.resources.gpu = { kind = "devices" }
platform.resources.licence = { kind = "amount", of = "cluster", amount = 1 }
platform.servers = [
  { name = "a", cores = 4, resources = { memory = 100, gpu = 2 } },
  { name = "b", cores = 4, resources = { memory = 100, gpu = 2 } },
]
)" + class_of("gpu_a", "servers = [\"a\"]\nper_task = { gpu = 1 }") +
                           class_of("gpu_b", "servers = [\"b\"]\nper_task = { gpu = 1 }\nper_job = { licence = 1 }") +
                           class_of("memory_a", "servers = [\"a\"]\nper_task = { memory = 60 }") +
                           class_of("memory_b", "servers = [\"b\"]\nper_task = { memory = 60 }") +
                           class_of("wait", "per_task = { memory = 60, gpu = 2 }") +
                           class_of("wide", "per_task = { cores = 4 }") + "[policy]\nname = \"fcfs\"\n";
  // In descending order of the largest share that a job needs of a resource, those of equal share by name.
  enum : unsigned { gpu_b, memory_a, memory_b, gpu_a, wait, wide };
  const lines found = explained(text,
                                {{0.0, memory_a, 14.0},
                                 {0.0, memory_b, 4.0},
                                 {0.0, gpu_b, 9.0},
                                 {0.0, gpu_a, 6.0},
                                 {1.0, wait, 2.0},
                                 {1.5, wide, 1.0},
                                 {7.0, gpu_a, 1.0},
                                 {8.0, gpu_b, 1.0}},
                                parts_of);
  EXPECT_EQ(found, (lines{"running 14", "running 4", "running 9", "running 6",
                          // Until 4 both servers lack memory, until 6 both lack a device; until 9 server a has the
                          // devices and b the memory.
                          "running 2, memory 3, gpu 2, fragmentation 3",
                          // Until 11 a core of both servers is held.
                          "running 1, cores 9.5",
                          // The job fits all the time, and waits behind the one before.
                          "running 1, behind_others 4",
                          // Until 9 another job has the licence, until 11 the fifth has the devices of server b, until
                          // 12 the sixth its cores.
                          "running 1, cores 1, gpu 2, licence 1"}));
}

constexpr std::size_t resources = 4;
using per_resource = std::array<std::uint64_t, resources>;

/// A job as it is written down when it completes, and for how long each resource was short.
struct life {
  ticks arrival, started, completed, fragmentation, behind_others;
  std::array<ticks, resources> short_of;
  unsigned type;
};

// On one server, what is free at each instant tells the short resource.
void expect_causes(const std::vector<life>& jobs, const per_resource& all, const std::vector<per_resource>& needs,
                   std::array<ticks, resources>& seen) {
  std::set<ticks> instants;
  for (const life& j : jobs) instants.insert({j.arrival, j.started, j.completed});
  for (const life& j : jobs) {
    std::array<ticks, resources> short_of{};
    ticks behind_others = 0;
    for (auto at = instants.find(j.arrival); *at < j.started; ++at) {
      per_resource free = all;
      for (const life& other : jobs)
        for (std::size_t r = 0; other.started <= *at && *at < other.completed && r < resources; ++r)
          free[r] -= needs[other.type][r];
      std::size_t lacks = 0;
      while (lacks < resources && free[lacks] >= needs[j.type][lacks]) ++lacks;
      (lacks == resources ? behind_others : short_of[lacks]) += *std::next(at) - *at;
    }
    EXPECT_EQ(j.short_of, short_of);
    EXPECT_EQ(j.behind_others, behind_others);
    EXPECT_EQ(j.fragmentation, 0u) << "one server has all together that it has at all";
    for (std::size_t r = 0; r < resources; ++r) seen[r] += short_of[r];
  }
}

TEST(resource_waits, on_random_servers_are_what_starts_and_completions_of_all_jobs_tell) {
  std::mt19937 random(20250101);
  const auto draw = [&](unsigned from, unsigned to) {
    return from + static_cast<unsigned>(random() % (to - from + 1));
  };
  std::array<ticks, resources> seen{};
  for (int cluster = 0; cluster < 6; ++cluster) {
    const per_resource all{draw(3, 6), draw(10, 20), draw(2, 3), draw(2, 3)};
    std::string text = fmt::format(R"(name = "random"
platform.resources.memory = {{ kind = "amount" }}
platform.resources.gpu = {{ kind = "devices" }}
platform.resources.licence = {{ kind = "amount", of = "cluster", amount = {} }}
platform.servers = [{{ name = "a", cores = {}, resources = {{ memory = {}, gpu = {} }} }}]
)",
                                   all[3], all[0], all[1], all[2]);
    for (const char* name : {"x", "y", "z"})
      text += class_of(name, fmt::format("per_task = {{ cores = {}, memory = {}, gpu = {} }}\nper_job = {{ licence = "
                                         "{} }}",
                                         draw(1, 3), draw(0, 10), draw(0, 2), draw(0, 2)));
    text += fmt::format("[policy]\nname = \"{}\"\n", cluster % 2 == 0 ? "fcfs" : "first_fit");
    SCOPED_TRACE(text);
    const scenario model = first_point(text);
    std::vector<per_resource> needs;
    for (const std::size_t at : by_descending_need(model)) {
      const task_need& need = *model.classes[at].tasks;
      needs.push_back(
          {need.per_task[0], need.per_task[1], need.per_task[2], need.per_job.empty() ? 0 : need.per_job[3]});
    }
    std::vector<scene_job> scene(80);
    double at = 0.0;
    for (scene_job& j : scene) j = {at += draw(0, 8) / 8.0, draw(0, 2), draw(1, 24) / 8.0};
    const auto told = [](const time_unit&, ticks now, const job_extension& j) {
      const job_times& t = *j.times;
      return fmt::format("{} {} {} {} {} {} {} {} {} {}", j.arrival, j.started, now, t[time_part::fragmentation],
                         t[time_part::behind_others], t.short_of(0), t.short_of(1), t.short_of(2), t.short_of(3),
                         static_cast<unsigned>(j.type));
    };
    std::vector<life> jobs;
    for (const std::string& line : explained(text, scene, told)) {
      std::istringstream words(line);
      life& j = jobs.emplace_back();
      words >> j.arrival >> j.started >> j.completed >> j.fragmentation >> j.behind_others;
      for (ticks& time : j.short_of) words >> time;
      words >> j.type;
      ASSERT_FALSE(words.fail()) << line;
    }
    ASSERT_EQ(jobs.size(), scene.size());
    expect_causes(jobs, all, needs, seen);
  }
  for (const ticks time : seen) EXPECT_GT(time, 0u) << "no job waited for one of the resources";
}

}  // namespace
}  // namespace muster
