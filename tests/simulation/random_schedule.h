#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace muster {

/// A schedule at random, and what it costs, by a loop over the instants at which anything changes.
struct random_schedule {
  struct job {
    double arrival, size;
    double wakes = 0.0, left = 0.0;  // until its core is awake; then its work
    std::size_t server = 0, core = 0;
  };
  static constexpr std::size_t servers = 3, cores = 4, jobs = 60;
  static constexpr double idle = 2.0, overhead = 5.0, asleep = 0.5, wake = 0.25;
  struct row {
    double watts, speed;
  };
  static constexpr row rows[] = {{4.0, 0.4}, {7.0, 0.7}, {15.0, 1.0}};

  explicit random_schedule(unsigned seed) : random(seed) {
    double at = 0.0;
    for (std::size_t n = 0; n < jobs; ++n) {
      all.push_back({at, number(0.1, 6.0)});
      at += number(0.0, n % 20 == 19 ? 25.0 : 0.6);
    }
    cap_at = number(2.0, 10.0), cap = number(40.0, 90.0), cap_ends = number(15.0, 30.0);
    fails = number(1.0, 12.0), returns = fails + number(1.0, 12.0);
    for (int n = 0; n < 5; ++n) prices.push_back(number(0.05, 0.5));
    period = number(3.0, 9.0);
    for (double from = 0.0; from < 20.0; from += number(0.5, 5.0)) grid.push_back({from, number(50.0, 700.0)});
  }

  // A number that a file has exactly.
  double number(double least, double most) {
    return std::round(std::uniform_real_distribution<double>(least, most)(random) * 1000.0) / 1000.0;
  }

  std::string list() const {
    std::string text;
    for (std::size_t n = 0; n < jobs; ++n) text += fmt::format("{},{},{}\n", n, all[n].arrival, all[n].size);
    return text;
  }
  std::string column() const {
    std::string text = "time,g\n";
    for (const auto& [from, value] : grid) text += fmt::format("{},{}\n", from, value);
    return text;
  }
  std::string scenario(const std::string& governor) const {
    std::string table;
    for (const row& r : rows)
      table += fmt::format("{{ frequency = {}, watts = {}, speed = {} }}, ", r.speed, r.watts, r.speed);
    return fmt::format(
        R"(name = "random"
policy = "fcfs"
classes = [{{ name = "job" }}]
arrivals = {{ process = "list", file = "jobs.csv" }}
run = {{ warm_up = 0 }}
platform.servers = [{{ name = "node", count = {}, cores = {}, power = {{ {} }}, frequencies = [{}], governor = "{}" }}]
events = [{{ at = {}, power_cap = {} }}, {{ at = {}, power_cap = "none" }},
  {{ at = {}, servers = "node", count = 1, action = "fail" }}, {{ at = {}, servers = "node", action = "return" }}]
price = {{ energy = {{ prices = [{}, {}, {}, {}, {}], period = {} }}, carbon = {{ file = "grid.csv", column = "g" }} }}
)",
        servers, cores,
        fmt::format("idle = {}, overhead = {}, asleep = {}, sleep_after = 0, wake = {}", idle, overhead, asleep, wake),
        table, governor, cap_at, cap, cap_ends, fails, returns, prices[0], prices[1], prices[2], prices[3], prices[4],
        period);
  }

  row choice(const std::string& governor, std::size_t busy) const {
    if (governor == "race_to_idle") return rows[2];
    if (governor == "slow_down") return rows[0];
    for (const row& r : rows)
      if (r.speed >= static_cast<double>(busy) / cores) return r;
    return rows[2];
  }
  double tariff(double now) const {
    return prices[static_cast<std::size_t>(std::fmod(now, period) / period * 5.0) % 5];
  }
  double next_price(double now) const {
    double next = (std::floor(now / period * 5.0 + 1e-9) + 1.0) * period / 5.0;
    if (next - now < 1e-9) next += period / 5.0;
    for (const auto& step : grid)
      if (step.first > now + 1e-9) next = std::min(next, step.first);
    return next;
  }
  double grams(double now) const {
    double value = grid.front().second;
    for (const auto& [from, of] : grid)
      if (from <= now + 1e-9) value = of;
    return value;
  }

  /// Goes from instant to instant at which anything changes.
  void simulate(const std::string& governor) {
    while (true) {
      happen();
      if (done == jobs) break;
      const speeds all_speeds = speeds_now(governor);
      const double lasts = next_instant(all_speeds) - now;
      for (const std::size_t n : running) {
        job& j = all[n];
        double& passes = j.wakes > 1e-9 ? j.wakes : j.left;
        passes -= lasts * (j.wakes > 1e-9 ? 1.0 : all_speeds.of_server[j.server]);
      }
      energy += all_speeds.power * lasts;
      cost += all_speeds.power * lasts * tariff(now + lasts / 2);
      carbon += all_speeds.power * lasts * grams(now + lasts / 2);
      time_capped += all_speeds.capped ? lasts : 0.0;
      now += lasts;
    }
  }

  struct speeds {
    std::vector<double> of_server;
    double power;
    bool capped;
  };

  /// What happens now: ends, a failure, a return, arrivals and starts.
  void happen() {
    const auto is = [&](double time) { return std::abs(time - now) < 1e-9; };
    for (const std::size_t n : std::vector<std::size_t>(running)) {
      if (all[n].wakes > 1e-9 || all[n].left > 1e-9) continue;
      leave(n);
      response += now - all[n].arrival;
      ++done;
    }
    start();
    if (is(fails)) fail();
    if (is(returns)) {
      up = true;
      idle_since[0].assign(cores, now);
    }
    for (; arrived < jobs && all[arrived].arrival <= now + 1e-9; ++arrived) queue.push_back(arrived);
    start();
  }
  /// Gives back the core of a job: the first that is taken again.
  void leave(std::size_t n) {
    running.erase(std::find(running.begin(), running.end(), n));
    free[all[n].server].push_front(all[n].core);
    idle_since[all[n].server][all[n].core] = now;
  }
  /// Jobs of the first server lose their cores one after the other, and each starts anew elsewhere if it can.
  void fail() {
    up = false;
    std::vector<std::size_t> lost;
    for (const std::size_t n : running)
      if (all[n].server == 0) lost.push_back(n);
    std::sort(lost.begin(), lost.end(), [&](auto a, auto b) { return all[a].core < all[b].core; });
    for (const std::size_t n : lost) {
      leave(n);
      queue.insert(std::upper_bound(queue.begin(), queue.end(), n), n);
      start();
    }
  }
  void start() {
    for (std::size_t server = up ? 0 : 1; server < servers; ++server)
      while (!queue.empty() && !free[server].empty()) {
        job& j = all[queue.front()];
        j.server = server;
        j.core = free[server].front();
        j.wakes = now - idle_since[server][j.core] > 1e-9 ? wake : 0.0;
        j.left = j.size;
        running.push_back(queue.front());
        queue.pop_front();
        free[server].pop_front();
      }
  }

  speeds speeds_now(const std::string& governor) const {
    speeds found{std::vector<double>(servers), 0.0, false};
    double constant = 0.0, work = 0.0, sleeping = 0.0;
    for (std::size_t server = up ? 0 : 1; server < servers; ++server) {
      const row r = choice(governor, cores - free[server].size());
      found.of_server[server] = r.speed;
      constant += idle * cores;
      sleeping += static_cast<double>(free[server].size());
      for (const std::size_t n : running) {
        if (all[n].server != server) continue;
        if (all[n].wakes > 1e-9)
          constant += overhead - idle;
        else
          work += r.watts - idle;
      }
    }
    found.capped = now >= cap_at - 1e-9 && now < cap_ends - 1e-9 && constant + work > cap;
    const double fraction = found.capped && work > 0.0 ? std::clamp((cap - constant) / work, 0.001, 1.0) : 1.0;
    for (double& speed : found.of_server) speed *= fraction;
    found.power = constant + work * fraction - (idle - asleep) * sleeping;
    return found;
  }
  double next_instant(const speeds& known) const {
    double next = next_price(now);
    for (const double time : {cap_at, cap_ends, fails, returns})
      if (time > now + 1e-9) next = std::min(next, time);
    if (arrived < jobs) next = std::min(next, all[arrived].arrival);
    for (const std::size_t n : running) {
      const job& j = all[n];
      next = std::min(next, now + (j.wakes > 1e-9 ? j.wakes : j.left / known.of_server[j.server]));
    }
    return next;
  }

  std::mt19937_64 random;
  std::vector<job> all;
  std::vector<double> prices;
  std::vector<std::pair<double, double>> grid;
  double period, cap_at, cap, cap_ends, fails, returns;

  /// @name The course
  /// @{
  double now = 0.0;
  bool up = true;  ///< the first server
  std::size_t arrived = 0, done = 0;
  std::deque<std::size_t> queue;  ///< in the order of arrival
  std::vector<std::size_t> running;
  std::vector<std::deque<std::size_t>> free =
      std::vector<std::deque<std::size_t>>(servers, {0, 1, 2, 3});  ///< cores, the next one first
  std::vector<std::vector<double>> idle_since = std::vector<std::vector<double>>(servers, std::vector<double>(cores));
  double energy = 0.0, cost = 0.0, carbon = 0.0, response = 0.0, time_capped = 0.0;
  /// @}
};

}  // namespace muster
