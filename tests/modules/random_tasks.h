#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "muster/modules/scheduler/scheduler_settings.h"
#include "tests/modules/plain_schedules.h"
#include "tests/modules/task_timeline.h"

// Random clusters with two to four resources, the needs of their classes, jobs, costs and faults.

namespace muster {

/// A cluster where tasks count, as a scheduler knows it.
struct task_platform {
  cluster_resources resources{};
  table<group_id, server_group> groups{};
  table<class_id, job_class> classes{};
};

namespace plain {

/// A random cluster in both forms, and what happens there.
class random_case {
 public:
  /// @param most the cluster has fewer schedules; 0: any number
  random_case(std::uint64_t seed, std::size_t most) : random(seed) {
    do {
      platform = {};
      idle = {};
      draw_servers();
      draw_classes();
    } while (most > 0 && plain::schedules_of(idle, most).size() >= most);
    draw_course();
  }

  /// The mean sizes of the classes, as declared.
  std::vector<double> mean_sizes() const {
    std::vector<double> means;
    for (const job_class& type : platform.classes) means.push_back(*type.mean_size);
    return means;
  }

  task_platform platform;
  plain_cluster idle;
  course all;

 private:
  unsigned below(unsigned most) { return static_cast<unsigned>(random() % most); }

  void draw_servers() {
    const unsigned resources =
        2 + below(3);  // cores and memory, then devices, then licences and devices of the cluster
    std::vector<resource_type>& types = platform.resources.types;
    types.push_back({"memory"});
    if (resources > 2) types.push_back({"gpu", plain::parts});
    if (resources > 3) draw_cluster();
    for (const char* name : {"slow", "fast", "odd"}) {
      server_group g{name, 1 + below(4), 1 + below(8), std::array{0.5, 1.0, 1.7}[below(3)]};
      const unsigned memory = below(20), gpus = resources > 2 ? below(4) : 0;
      g.resources = {g.cores, memory};
      if (resources > 2) g.resources.push_back(gpus);
      for (unsigned n = 0; n < g.count; ++n) {
        idle.servers.push_back({g.capacity, g.cores, memory, g.cores, memory});
        idle.servers.back().gpus.assign(gpus, plain::parts);
        idle.servers.back().group = platform.groups.size();
      }
      platform.groups.push_back(g);
      if (below(3) == 0) break;
    }
  }

  // One to three FPGAs, half of them without shares.
  void draw_cluster() {
    plain_server& whole = idle.whole;
    whole.memory = 1 + below(3);
    whole.of_each = below(2) == 0 ? 1 : plain::parts;
    whole.gpus.assign(1 + below(3), whole.of_each);
    platform.resources.types.push_back({"licence", 0, true});
    platform.resources.types.push_back({"fpga", whole.of_each, true});
    platform.resources.of_cluster = {0, 0, 0, whole.memory, whole.gpus.size()};
  }

  // Parts of an FPGA, or whole ones.
  unsigned long draw_fpgas() {
    const auto count = static_cast<unsigned>(idle.whole.gpus.size());
    const auto of_each = static_cast<unsigned>(idle.whole.of_each);
    return std::array<unsigned long, 3>{0, 1 + below(of_each), of_each * (1ul + below(count))}[below(3)];
  }

  void draw_classes() {
    std::vector<std::pair<plain_need, std::vector<group_id>>> drawn;
    while (drawn.size() < 4) {
      plain_need n = plain::random_need([this](unsigned most) { return below(most); });
      if (drawn.size() == 3) n = drawn[below(3)].first;  // perhaps on other servers
      if (platform.resources.types.size() < 3) n.gpu = 0;
      if (platform.resources.types.size() < 4) n.licences = 0;
      if (platform.resources.types.size() > 4 && drawn.size() < 3) n.fpgas = draw_fpgas();
      std::vector<group_id> groups;
      for (const group_id g : id_range<group_id>{platform.groups.size()}) groups.push_back(g);
      std::shuffle(groups.begin(), groups.end(), random);
      groups.resize(1 + below(static_cast<unsigned>(groups.size())));
      n.servers.clear();
      for (const group_id g : groups)
        for (std::size_t s = 0; s < idle.servers.size(); ++s)
          if (idle.servers[s].group == static_cast<std::size_t>(g)) n.servers.push_back(s);
      if (idle.has_room_for(n)) drawn.emplace_back(n, groups);
    }
    std::stable_sort(drawn.begin(), drawn.end(),
                     [&](const auto& a, const auto& b) { return idle.share(a.first) > idle.share(b.first); });
    for (const auto& [n, groups] : drawn) {
      job_class type;
      type.name = "class_" + std::to_string(platform.classes.size());
      type.groups = groups;
      type.tasks = n.declared();
      type.tasks->per_task.resize(std::min<std::size_t>(3, platform.resources.types.size()));
      if (!n.any_of_cluster()) type.tasks->per_job.clear();
      type.tasks->share = idle.share(n);
      type.need = n.tasks * static_cast<unsigned>(n.cores);
      type.mean_size = mean_size * (1 + below(3));
      platform.classes.push_back(type);
      idle.needs.push_back(n);
    }
  }

  // In half of the cases many events share an instant.
  void draw_course() {
    const ticks unit = below(2) == 0 ? 1 : 100'000;
    ticks at = 0;
    for (unsigned n = 0; n < 100; ++n) {
      at += random() % 800'000 / unit * unit;
      all.jobs.push_back({below(4), at, (1 + random() % 2'000'000) / unit * unit + (unit == 1 ? 0 : unit)});
    }
    for (std::size_t s = 0; s < idle.servers.size() && below(4) > 0; ++s)
      for (ticks fault = random() % 20'000'000 / unit * unit; fault < 40'000'000;) {
        const ticks down = (1 + random() % 4'000'000 / unit) * unit;
        all.faults.push_back({s, fault, down});
        fault += down + (1 + random() % 20'000'000 / unit) * unit;
      }
    all.set_up = below(2) * below(200'000) / unit * unit;
    all.save = below(2) * below(200'000) / unit * unit;
  }

  static constexpr double mean_size = 500'000.0;
  std::mt19937_64 random;
};

}  // namespace plain
}  // namespace muster
