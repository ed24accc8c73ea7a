#include <algorithm>
#include <array>

#include "tests/modules/child.h"
#include "tests/modules/plain_policies.h"
#include "tests/modules/scene.h"

// Jobs of tasks on servers with cores, memory and shared devices, job by job against a plain loop that scans all
// servers and all devices.

namespace muster {
namespace {

using plain::parts;
using plain::plain_cluster;
using plain::plain_need;
using plain::text_of;

/// A random cluster in both forms.
struct random_case {
  explicit random_case(std::mt19937_64& random) {
    const auto below = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
    l.groups.clear();
    l.resources.types = {{"cores"}, {"memory"}, {"gpu", parts}, {"licence", 0, true}};
    l.resources.of_cluster = {0, 0, 0, plain.whole.memory = 1 + below(3)};
    for (const char* name : {"slow", "fast", "odd"}) {
      server_group g{name, 1 + below(4), 1 + below(8), std::array{0.5, 1.0, 1.7}[below(3)]};
      const unsigned memory = below(20), gpus = below(4);
      g.resources = {g.cores, memory, gpus};
      for (unsigned n = 0; n < g.count; ++n)
        plain.servers.push_back(
            {g.capacity, g.cores, memory, g.cores, memory, std::vector<unsigned long>(gpus, parts)});
      l.groups.push_back(g);
      if (below(3) == 0) break;
    }
    while (plain.needs.size() < 3) {
      const plain_need n = plain::random_need(below);
      if (plain.has_room_for(n)) plain.needs.push_back(n);
    }
    std::sort(plain.needs.begin(), plain.needs.end(),
              [&](const plain_need& a, const plain_need& b) { return plain.share(a) > plain.share(b); });
    for (const plain_need& n : plain.needs) {
      l.tasks.push_back(n.declared());
      l.tasks.back().share = plain.share(n);
    }
  }

  layout l;
  plain_cluster plain;
};

// The classes of a cluster as the needs of one.
std::vector<job_request> as_needs_of_one_class(layout& l, std::vector<job_request> jobs) {
  for (std::size_t n = 1; n < l.tasks.size(); ++n)
    l.submitted.push_back({l.tasks[n].tasks * static_cast<unsigned>(l.tasks[n].per_task.front()), l.tasks[n]});
  l.tasks.resize(1);
  for (job_request& j : jobs) j.need = static_cast<std::uint64_t>(std::exchange(j.type, class_id{0}));
  return jobs;
}

std::string by_a_plain_rule(const random_case& c, const std::vector<job_request>& jobs) {
  course all;
  for (const job_request& j : jobs) all.jobs.push_back({static_cast<std::size_t>(j.type), j.arrival, j.size});
  plain::plain_order rule(c.plain, all, nullptr, c.l.policy == "fcfs");
  rule.run();
  std::vector<ticks> completed;
  for (std::size_t job = 0; job < jobs.size(); ++job) completed.push_back(rule.completion(job));
  return text_of(completed);
}

TEST(tasks, that_each_job_of_one_class_brings_are_placed_as_by_a_plain_rule_job_by_job) {
  std::mt19937_64 random{12};
  for (unsigned round = 0; round < 30; ++round) {
    random_case both(random);
    both.l.policy = std::array{"fcfs", "first_fit"}[round / 2 % 2];
    both.l.placement = both.plain.rule = std::array{"first", "fragmentation"}[round % 2];
    const auto jobs = random_jobs(60, both.l.tasks.size(), 400'000, 2'000'000, round + 1);
    const auto of_one_class = as_needs_of_one_class(both.l, jobs);
    ASSERT_EQ(in_child([&] {
                scene s{both.l, of_one_class};
                s.run();
                std::vector<ticks> completed(jobs.size());
                for (const job_record& r : s.log.records) completed[r.id] = r.completed;
                return text_of(completed);
              }),
              by_a_plain_rule(both, jobs))
        << both.l.policy << " " << both.l.placement << ", round " << round;
  }
}

// The first of three jobs begins anew at 60, when the server that failed at 40 is repaired.
TEST(tasks, give_a_licence_back_when_one_of_two_banks_has_lost_a_server) {
  script faults{{{0, {{40, 20}}}, {1, {}}}};
  layout l;
  l.resources = {{{"cores"}, {"licence", 0, true}}, {0, 1}};
  l.groups = {{"a", 1, 1, 1.0}, {"b", 1, 1, 1.0}};
  l.tasks = {{2, {1, 0}, {0, 1}}};
  l.faults = &faults;
  scene s{l, {{0, class_id{0}, 100}, {10, class_id{0}, 100}, {20, class_id{0}, 100}}};
  s.run_until(1000);
  ASSERT_EQ(s.log.records.size(), 3u);
  for (std::size_t job = 0; job < 3; ++job) EXPECT_EQ(s.log.records[job].completed, 160u + 100u * job);
}

TEST(tasks, leave_all_resources_free_when_servers_have_failed_and_been_repaired) {
  for (const char* rule : {"first", "best_fit", "random", "clustering", "fragmentation"})
    for (const char* policy : {"first_fit", "msf"})
      EXPECT_EQ(in_child([&] {
                  layout l;
                  l.resources.types = {{"cores"}, {"memory"}, {"gpu", 2}};
                  l.groups = {{"node", 3, 4, 1.0}, {"wide", 1, 6, 1.0}};
                  l.groups[0].resources = {4, 10, 2};
                  l.groups[1].resources = {6, 20, 1};
                  l.tasks = {{3, {1, 4, 1}}, {1, {2, 1, 0}}};
                  l.placement = rule;
                  l.policy = policy;
                  script faults = random_faults(4, 4);
                  l.faults = &faults;
                  scene s{l, random_jobs(400, 2, 60, 60)};
                  s.run_until(60'000);
                  std::string held;
                  for (const auto& bank : s.servers)
                    for (std::uint32_t server = 0; server < bank->settings().count; ++server)
                      for (std::size_t place = 0; place < bank->resources()->places(); ++place)
                        held += ' ' + std::to_string(bank->resources()->free(server, place));
                  return std::to_string(s.central.jobs_completed()) + " jobs;" + held;
                }),
                "400 jobs; 10 2 2 10 2 2 10 2 2 20 2")
          << rule << " " << policy;
}

}  // namespace
}  // namespace muster
