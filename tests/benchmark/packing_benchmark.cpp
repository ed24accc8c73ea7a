// How much of a cluster's GPUs rules of placement allocate: pods of a public trace arrive, each with a need of its own,
// and none leaves, until what has arrived needs as many GPUs as there are. Weng et al., "Beware of fragmentation"
// (USENIX ATC 2023), Section 6. As in the simulator of that paper, the cluster has the servers with GPUs alone, and
// rules of placement that weigh resources leave memory out.
//
// packing_benchmark NODES.csv PODS.csv [ORDERS]: files of the OpenB trace, and in how many random orders the pods come.

#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <tuple>

#include "muster/policies/cluster_state.h"
#include "muster/policies/placement.h"
#include "muster/policies/resource_layout.h"

namespace muster {
namespace {

constexpr std::uint64_t parts = 1000;  // of each GPU
const std::vector<resource_type> types{{"cores"}, {"memory"}, {"gpu", parts}};
constexpr std::size_t memory = 1;

std::vector<std::vector<std::string>> rows_of(const char* path) {
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    rows.push_back(row);
  }
  if (rows.empty()) throw std::runtime_error(std::string{"no rows in "} + path);
  rows.erase(rows.begin());
  return rows;
}

struct numbers final : random_numbers {
  explicit numbers(unsigned seed) : bits(seed) {}
  double uniform() override { return std::uniform_real_distribution<double>{}(bits); }
  std::mt19937_64 bits;
};

struct node {
  std::size_t layout;
  amounts free;
  std::map<amounts, unsigned> tasks{};  // by need, where the rule counts them
};

class packing {
 public:
  packing(const char* nodes, const char* pods) {
    std::map<amounts, std::size_t> known;
    for (const auto& row : rows_of(nodes)) {
      const amounts all{std::stoull(row[1]), std::stoull(row[2]), std::stoull(row[3])};
      if (all[2] == 0) continue;
      const auto [at, is_new] = known.emplace(all, layouts_.size());
      if (is_new) layouts_.emplace_back(types, all);
      nodes_.push_back({at->second, layouts_[at->second].all()});
      gpus_ += all[2] * parts;
      for (std::size_t r = 0; r < all.size(); ++r)
        if (r != memory) largest_[r] = std::max(largest_[r], all[r] * (types[r].is_devices() ? parts : 1));
    }
    for (const auto& row : rows_of(pods)) {
      const std::uint64_t count = std::stoull(row[3]);
      task_need need;
      need.per_task = {std::stoull(row[1]), std::stoull(row[2]), count == 1 ? std::stoull(row[4]) : count * parts};
      pods_.push_back(need);
    }
  }

  /// The classes of the mix, for the rule that looks at them: needs of pods that ask for GPUs.
  std::unique_ptr<cluster_state> mix() const {
    std::map<amounts, double> counted;
    for (const task_need& p : pods_) ++counted[p.per_task];
    table<class_id, job_class> classes;
    for (const auto& [per_task, count] : counted) {
      job_class type;
      type.name = "need_" + std::to_string(classes.size());
      type.need = static_cast<unsigned>(per_task[0]);
      type.groups = {group_id{0}};
      type.arrival_share = count / static_cast<double>(pods_.size());
      type.tasks = task_need{1, per_task};
      classes.push_back(type);
    }
    table<group_id, unsigned> cores;
    cores.push_back(200'000'000);
    return std::make_unique<cluster_state>(std::move(classes), std::move(cores));
  }

  /// The share of GPUs that is allocated at the end.
  double allocated(const placement_entry& rule, const cluster_view& mix, unsigned seed) const {
    numbers random(seed);
    std::vector<node> nodes = nodes_;
    std::vector<task_need> pods = pods_;
    std::uint64_t arrived = 0, held = 0;
    while (arrived < gpus_) {
      std::shuffle(pods.begin(), pods.end(), random.bits);
      for (const task_need& need : pods) {
        if (arrived >= gpus_) break;
        arrived += need.per_task[2];
        if (place(need, rule, mix, nodes, random)) held += need.per_task[2];
      }
    }
    return static_cast<double>(held) / static_cast<double>(gpus_);
  }

 private:
  bool place(const task_need& need, const placement_entry& rule, const cluster_view& mix, std::vector<node>& nodes,
             numbers& random) const {
    const task_request request{need, 1, largest_, mix};
    std::vector<std::size_t> fitting;
    double lowest = 1e300;
    std::map<std::tuple<std::size_t, amounts, unsigned>, double> scores;  // states that have been rated
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const resource_layout& layout = layouts_[nodes[n].layout];
      if (layout.tasks_that_fit(nodes[n].free, need) == 0) continue;
      double score = 0.0;
      if (rule.score) {
        const auto of_need = nodes[n].tasks.find(need.per_task);
        const unsigned alike = of_need == nodes[n].tasks.end() ? 0 : of_need->second;
        const auto [at, is_new] = scores.emplace(std::tuple(nodes[n].layout, nodes[n].free, alike), 0.0);
        if (is_new) at->second = rule.score({layout, nodes[n].free, 1, alike}, request);
        score = at->second;
      }
      if (score < lowest) fitting.clear();
      lowest = std::min(lowest, score);
      if (score == lowest && (fitting.empty() || rule.draws)) fitting.push_back(n);
    }
    if (fitting.empty()) return false;
    const double drawn = rule.draws ? random.uniform() : 0.0;
    node& chosen = nodes[fitting[static_cast<std::size_t>(drawn * static_cast<double>(fitting.size()))]];
    if (rule.counts_alike) ++chosen.tasks[need.per_task];
    amounts taken(chosen.free.size());
    layouts_[chosen.layout].take(chosen.free, need, 1, taken, rule.draws ? &random : nullptr);
    return true;
  }

  std::vector<resource_layout> layouts_;
  std::vector<node> nodes_;
  std::vector<task_need> pods_;
  amounts largest_ = amounts(types.size());  // of a server; 0 of what rules do not weigh
  std::uint64_t gpus_ = 0;
};

}  // namespace
}  // namespace muster

int main(int count, char** words) {
  using namespace muster;
  if (count < 3) {
    std::fputs("usage: packing_benchmark NODES.csv PODS.csv [ORDERS]\n", stderr);
    return 2;
  }
  const packing trace(words[1], words[2]);
  const unsigned orders = count > 3 ? static_cast<unsigned>(std::stoul(words[3])) : 10;
  const auto mix = trace.mix();
  for (const placement_entry* rule : placement_catalogue()) {
    double sum = 0.0;
    for (unsigned seed = 1; seed <= orders; ++seed) sum += trace.allocated(*rule, *mix, seed);
    std::printf("%-16s %.2f %%\n", std::string(rule->name).c_str(), 100.0 * sum / orders);
    std::fflush(stdout);
  }
}
