#include "random_logs.h"

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>
#include <utility>

namespace muster::oracle {

namespace {

using amount = std::uint64_t;

class log_maker {
 public:
  log_maker(std::uint64_t seed, unsigned resources) : bits_(seed * 8 + resources), resources_(resources) {}

  random_log make() {
    if (resources_ == 1)
      pool();
    else
      servers();
    jobs();
    return std::move(log_);
  }

 private:
  amount below(amount n) { return bits_() % n; }
  template <std::size_t N>
  amount one_of(const std::array<amount, N>& values) {
    return values[below(N)];
  }

  void pool() {
    const amount cores = 4 + below(29);
    log_.cluster.servers = {{{cores}}};
    log_.groups = {0};
    for (amount n = 2 + below(6); n > 0; --n)
      log_.cluster.needs.push_back({1, {below(3) == 0 ? 1 + below(cores) : 1 + below(1 + cores / 4)}});
  }

  void servers() {
    backfill_cluster& all = log_.cluster;
    if (resources_ == 3) all.of_cluster = {1 + below(3), below(3)};
    if (resources_ == 3) all.parts_of_cluster = {0, 1 + below(2)};
    all.parts = resources_ == 3 ? std::vector<amount>{0, 0, 2} : std::vector<amount>{0, 0};
    for (amount n = 1 + below(3); n > 0; --n) {
      backfill_server server{{2 + below(7), 4 + below(17)}, std::array{0.5, 1.0, 1.0, 2.0}[below(4)]};
      if (resources_ == 3) server.has.push_back(below(4));
      log_.groups.push_back(all.servers.size());
      all.servers.insert(all.servers.end(), 1 + below(3), server);
    }
    while (all.needs.size() < 5) add_need();
  }

  // Adds a need that an idle cluster has room for: a job of it starts at once.
  void add_need() {
    backfill_need need;
    need.tasks = static_cast<unsigned>(1 + below(3));
    need.per_task = {1 + below(4), below(8)};
    if (resources_ == 3) need.per_task.push_back(one_of(std::array<amount, 5>{0, 0, 1, 2, 4}));
    if (resources_ == 3) need.per_job = {below(3) == 0 ? 1u : 0u, one_of(std::array<amount, 5>{0, 0, 1, 2, 4})};
    need.at_most_per_server = below(4) == 0 ? 1 : 0;
    need.exclusive = below(5) == 0;
    if (below(3) == 0) need.servers = some_servers();
    backfill_cluster alone = log_.cluster;
    alone.needs = {need};
    try {
      backfill(alone, {{0, 1, 1}}, {backfill_rule::fcfs});
    } catch (const std::logic_error&) {
      return;
    }
    log_.cluster.needs.push_back(need);
  }

  // The servers of some groups in any order.
  std::vector<std::size_t> some_servers() {
    std::vector<std::size_t> groups = log_.groups, servers;
    for (std::size_t n = groups.size(); n > 1; --n) std::swap(groups[n - 1], groups[below(n)]);
    groups.resize(1 + below(groups.size()));
    for (const std::size_t first : groups) {
      const auto next = std::upper_bound(log_.groups.begin(), log_.groups.end(), first);
      const std::size_t end = next == log_.groups.end() ? log_.cluster.servers.size() : *next;
      for (std::size_t s = first; s < end; ++s) servers.push_back(s);
    }
    return servers;
  }

  amount estimate_of(amount size) {
    constexpr std::array<amount, 5> rounded{50, 100, 200, 500, 1000};
    switch (below(5)) {
      case 0: return size;
      case 1: return size * one_of(std::array<amount, 4>{2, 3, 5, 10});
      case 2: return std::max<amount>(1, size / one_of(std::array<amount, 3>{2, 3, 7}));
      default:
        for (const amount most : rounded)
          if (size <= most) return most;
        return 2000;
    }
  }

  std::uint32_t some_user() {
    const auto user = static_cast<std::uint32_t>(below(6));
    return user < 5 ? user : unknown_user;
  }

  void jobs() {
    const amount count = 60 + below(61);
    const amount gap = resources_ == 1 ? 2 + below(12) : 8 + below(20);
    amount arrival = 0;
    while (log_.jobs.size() < count) {
      const amount burst = below(4) == 0 ? 1 + below(8) : 1;
      for (amount n = 0; n < burst && log_.jobs.size() < count; ++n) {
        const amount size = 10 * (below(4) == 0 ? 1 + below(60) : 1 + below(8));
        log_.jobs.push_back({arrival, size, estimate_of(size), below(log_.cluster.needs.size()), some_user()});
      }
      arrival += 10 * below(2 * gap * burst + 1);
    }
  }

  std::mt19937_64 bits_;
  unsigned resources_;
  random_log log_{};
};

}  // namespace

std::vector<std::size_t> random_log::groups_of(const backfill_need& need) const {
  std::vector<std::size_t> used;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (need.servers.empty()) used.push_back(g);
  for (const std::size_t server : need.servers) {
    const auto g = std::find(groups.begin(), groups.end(), server);
    if (g != groups.end()) used.push_back(static_cast<std::size_t>(g - groups.begin()));
  }
  return used;
}

void add_outages(random_log& log, std::uint64_t seed) {
  std::mt19937_64 bits{seed};
  const auto below = [&](amount n) { return bits() % n; };
  const bool pool = log.cluster.parts.size() == 1;
  const amount span = log.jobs.back().arrival / 10 + 100;
  const amount cores = log.cluster.servers.front().has.front();
  log.cluster.groups = log.groups;
  for (std::size_t part = 0; part < (pool ? 4 : log.cluster.servers.size()); ++part) {
    amount at = 1 + below(span / 2);
    for (amount n = below(5); n > 0; --n) {
      const amount until = at + 1 + below(60);
      backfill_outage outage{part, at * 10, until * 10, below(3) > 0, below(2) > 0};
      if (pool) outage = {0, at * 10, until * 10, true, true, cores / 4, part * (cores / 4)};
      log.cluster.outages.push_back(outage);
      at = until + 1 + below(span / 3);
    }
  }
}

random_log make_random_log(std::uint64_t seed, unsigned resources) { return log_maker(seed, resources).make(); }

}  // namespace muster::oracle
