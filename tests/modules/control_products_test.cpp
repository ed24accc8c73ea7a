#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "muster/modules/control/cluster_control.h"
#include "tests/modules/scene.h"

// Requests beside failures, preemption, costs, checkpoints and resources: random clusters, each of them once with all
// that happens to its servers in scripts, and once with a part of it by request.

namespace muster {
namespace {

using control_action = control_request::action;
using faults_by_server = std::map<std::uint32_t, std::vector<script::fault>>;

constexpr ticks end_of_test = 1'000'000;
constexpr std::uint32_t server_count = 4;

/// What happens to the servers of a cluster.
struct incidents {
  faults_by_server faults;
  std::vector<speed_change> speeds;
};

/// One of several clusters in a simulation.
struct scripted_cluster : sc_core::sc_module {
  /// @param by_script incidents that the servers have by themselves @param by_request the others
  scripted_cluster(const sc_core::sc_module_name& name, layout l, const std::vector<job_request>& jobs,
                   const incidents& by_script, const incidents& by_request)
      : sc_module(name), clock(by_script.faults), inner(settled(l, by_script), jobs), control(inner.time) {
    for (const auto& bank : inner.servers) control.add(*bank);
    control.use(inner.central);
    if (inner.speeds) control.use(*inner.speeds);
    for (const auto& [server, faults] : by_request.faults)
      for (const script::fault& f : faults) {
        control.request_at(f.at, {f.drains ? control_action::drain : control_action::remove, {server, 1}});
        control.request_at(f.at + f.down, {control_action::restore, {server, 1}});
      }
    for (const speed_change& s : by_request.speeds)
      control.request_at(s.at, {control_action::speed, {s.server, 1}, s.speed});
  }

  // What became of every job, in the order of completion, and the times of the cores of every server.
  std::string outcome() const {
    std::ostringstream text;
    for (const job_record& r : inner.log.records) {
      text << r << ' ' << r.preemptions << ' ' << r.failures << ' ' << r.waited << ' ' << r.expired << ':';
      for (const ticks part : r.spent) text << ' ' << part;
      text << '\n';
    }
    for (const auto& bank : inner.servers)
      for (std::uint32_t server = 0; server < bank->settings().count; ++server) text << times_of(*bank, server) << '\n';
    return text.str();
  }

  script clock;
  scene inner;
  cluster_control control;

 private:
  // Cores of a server are alike: which of them a job has depends on the order of events of one instant and rank.
  static std::string times_of(const server& bank, std::uint32_t server) {
    core_times sum;
    ticks down = 0;
    for (std::uint32_t core = server * bank.settings().cores; core < (server + 1) * bank.settings().cores; ++core) {
      const core_times times = bank.times(core, end_of_test);
      sum.idle += times.idle;
      sum.overhead += times.overhead;
      sum.running += times.running;
      down += bank.down_time(core, end_of_test);
    }
    return fmt::format("{} {} {} {}", sum.idle, sum.overhead, sum.running, down);
  }

  const layout& settled(layout& l, const incidents& by_script) {
    l.faults = &clock;
    if (l.policy != "edf") {
      l.speeds = by_script.speeds;
      l.speeds.push_back({end_of_test, 0, 1.0});
    }
    return l;
  }
};

// No two incidents are at one instant, as those of one instant are in another order by request.
faults_by_server random_incidents(std::mt19937_64& random, ticks offset, bool drains) {
  faults_by_server faults;
  for (std::uint32_t n = 0; n < server_count; ++n)
    for (ticks at = 16 * (random() % 30) + n + offset; at < 4'000;) {
      const ticks down = 16 * (1 + random() % 12);
      faults[n].push_back({at, down, drains && random() % 3 == 0});
      at += down + 16 * (1 + random() % 60);
    }
  return faults;
}

std::vector<speed_change> random_speeds(std::mt19937_64& random) {
  std::vector<speed_change> speeds;
  for (ticks at = 8; at < 4'000; at += 16 * (1 + random() % 20)) {
    const auto server = static_cast<std::uint32_t>(random() % server_count);
    speeds.push_back({at + server, server, static_cast<double>(1 + random() % 32) / 16.0});
  }
  return speeds;
}

/// A policy, and whether its jobs are of tasks with memory or need cores anywhere.
struct kind_of_cluster {
  const char* policy;
  bool of_tasks = false;
};

// Slotted jobs are of one unit: of slices of one job that end at one instant, the order is open (timer_tournament).
const std::vector<kind_of_cluster> kinds{{"server_filling"},         {"server_filling_srpt"}, {"divisor_filling"},
                                         {"last_come_first_served"}, {"kill_restart"},        {"first_fit"},
                                         {"easy_backfill"},          {"fcfs_pooled"},         {"kill_restart", true},
                                         {"max_weight", true},       {"first_fit", true},     {"edf"}};

layout random_layout(const kind_of_cluster& kind, std::mt19937_64& random) {
  layout l;
  l.policy = kind.policy;
  l.groups = {{"slow", 2, 4, l.policy == "edf" ? 1.0 : 0.5}, {"fast", 2, 4, 1.0}};
  l.monitored = random() % 2 == 0;
  l.accounts_times = true;
  l.mean_size = 60.0;
  if (kind.of_tasks) {
    l.resources.types = {{"cores"}, {"memory"}};
    for (server_group& g : l.groups) g.resources = {4, 10};
    l.tasks = {{3, {2, 4}}, {1, {1, 5}}};
    l.mean_sizes = {60.0, 60.0};
  } else {
    l.needs =
        l.policy == "fcfs_pooled" || l.policy == "edf" ? std::vector<unsigned>{1} : std::vector<unsigned>{8, 4, 1};
  }
  if (l.policy == "edf")
    l.worth = std::make_shared<const utility>(std::vector<double>{1.0});
  else if (random() % 2 == 0)
    l.checkpoint = random() % 40;
  if (random() % 2 == 0) {
    l.costs.set_up = random() % 10;
    l.costs.save = random() % 10;
    l.costs.restore = random() % 10;
    l.costs.migration = random() % 10;
  }
  return l;
}

std::vector<job_request> jobs_of(const layout& l, unsigned seed) {
  const std::size_t classes = l.tasks.empty() ? l.needs.size() : l.tasks.size();
  std::vector<job_request> jobs = random_jobs(60, classes, 60, 120, seed);
  if (l.policy == "edf")
    for (job_request& job : jobs) {
      job.size = l.slot;
      job.deadline = job.arrival / l.slot + 2 + job.arrival % 5;
    }
  return jobs;
}

/// Clusters in pairs, of the same name but for its end.
class pairs_of_clusters {
 public:
  void add(const layout& l, const std::vector<job_request>& jobs, const incidents& whole, const incidents& by_itself,
           const incidents& by_request) {
    const std::string name = "pair_" + std::to_string(first_.size());
    first_.push_back(std::make_unique<scripted_cluster>((name + "_a").c_str(), l, jobs, whole, incidents{}));
    second_.push_back(std::make_unique<scripted_cluster>((name + "_b").c_str(), l, jobs, by_itself, by_request));
  }
  void run_and_compare() {
    sc_core::sc_start(to_sc_time(end_of_test));
    for (std::size_t n = 0; n < first_.size(); ++n) {
      first_[n]->inner.check();
      second_[n]->inner.check();
      EXPECT_EQ(first_[n]->inner.log.records.size(), 60u) << "cluster " << n;
      EXPECT_EQ(second_[n]->outcome(), first_[n]->outcome()) << kinds[n % kinds.size()].policy << ", cluster " << n;
      for (const job_record& r : first_[n]->inner.log.records) {
        preemptions += r.preemptions;
        failures += r.failures;
      }
    }
  }
  unsigned preemptions = 0, failures = 0;

 private:
  std::vector<std::unique_ptr<scripted_cluster>> first_, second_;
};

constexpr unsigned rounds = 4;

TEST(control, beside_faults_preemption_costs_and_resources_does_what_scripts_of_the_same_incidents_do) {
  pairs_of_clusters all;
  for (unsigned round = 0; round < rounds * kinds.size(); ++round) {
    std::mt19937_64 random{round + 1};
    const layout l = random_layout(kinds[round % kinds.size()], random);
    const incidents whole{random_incidents(random, 0, true),
                          l.policy == "edf" ? std::vector<speed_change>{} : random_speeds(random)};
    incidents by_itself, by_request;
    for (const auto& [server, faults] : whole.faults)
      (random() % 2 == 0 ? by_itself : by_request).faults[server] = faults;
    for (const speed_change& s : whole.speeds) (random() % 2 == 0 ? by_itself : by_request).speeds.push_back(s);
    all.add(l, jobs_of(l, round + 1), whole, by_itself, by_request);
  }
  all.run_and_compare();
  EXPECT_GT(all.preemptions, 100u);
  EXPECT_GT(all.failures, 100u);
}

// The union of two lists of faults of a server.
std::vector<script::fault> joined(std::vector<script::fault> a, const std::vector<script::fault>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end(), [](const script::fault& x, const script::fault& y) { return x.at < y.at; });
  std::vector<script::fault> all;
  for (const script::fault& f : a) {
    if (all.empty() || f.at > all.back().at + all.back().down)
      all.push_back(f);
    else
      all.back().down = std::max(all.back().at + all.back().down, f.at + f.down) - all.back().at;
  }
  return all;
}

TEST(control, keeps_servers_that_also_fail_out_of_service_as_long_as_either_does) {
  pairs_of_clusters all;
  for (unsigned round = 0; round < rounds * kinds.size(); ++round) {
    std::mt19937_64 random{1000 + round};
    const layout l = random_layout(kinds[round % kinds.size()], random);
    const incidents by_itself{random_incidents(random, 0, false), {}},
        by_request{random_incidents(random, 4, false), {}};
    incidents whole;
    for (std::uint32_t n = 0; n < server_count; ++n)
      whole.faults[n] = joined(by_itself.faults.at(n), by_request.faults.at(n));
    all.add(l, jobs_of(l, round + 1), whole, by_itself, by_request);
  }
  all.run_and_compare();
  EXPECT_GT(all.failures, 100u);
}

}  // namespace
}  // namespace muster
