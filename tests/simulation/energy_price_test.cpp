#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/scenario/graph_folder.h"
#include "tests/simulation/replicate.h"

// What energy costs and emits where its price changes: by hand, and on random schedules against a loop that knows
// nothing of ticks, timers and instruments.

namespace muster {
namespace {

constexpr double joules_of_kwh = 3.6e6;

class priced_energy : public graph_folder {
 protected:
  replication_result run(const std::string& jobs, const std::string& price,
                         const std::vector<std::string>& overrides = {}) const {
    write("jobs.csv", "id,arrival,size\n" + jobs);
    const std::string text = R"(name = "priced"
policy = "fcfs"
classes = [{ name = "job" }]
arrivals = { process = "list", file = "jobs.csv" }
run = { warm_up = 0 }
platform.servers = [{ name = "node", power = { idle = 1, active = 9 } }]
price = { )" + price + " }\n";
    return run_replication(read_here(text, overrides).points.front().model, 0);
  }
  static double total(const replication_result& result, const char* metric) {
    const measurement& m = *result.find("all", metric);
    return m.value * static_cast<double>(m.jobs) * joules_of_kwh;
  }
};

// The core works in 0..4 and 8..11, and draws 9, 1 and 9 W.
const std::string two_jobs = "0,0,4\n1,8,3\n";

TEST_F(priced_energy, at_one_price_is_its_product_with_that) {
  const replication_result result = run(two_jobs, "energy = 0.5, carbon = 300");
  EXPECT_NEAR(total(result, "energy_cost"), 0.5 * (36 + 4 + 27), 1e-9);
  EXPECT_NEAR(total(result, "carbon"), 300.0 * (36 + 4 + 27), 1e-6);
}

// Steps at 2.5, 5, 7.5 and 10, from 0.1 to 0.3 and back.
TEST_F(priced_energy, by_a_table_costs_what_the_price_is_at_each_time) {
  const replication_result result = run(two_jobs, "energy = { prices = [0.1, 0.3], period = \"5 s\" }");
  EXPECT_NEAR(total(result, "energy_cost"),
              0.1 * 2.5 * 9 + 0.3 * (1.5 * 9 + 1) + 0.1 * 2.5 + 0.3 * (0.5 + 2 * 9) + 0.1 * 9, 1e-9);
}

TEST_F(priced_energy, by_a_column_of_a_file_emits_the_last_value_to_the_end) {
  write("grid.csv", "hour,zone,g\n1,DE,100\n\n 6 , DE, 200\r\n");
  const replication_result result = run(two_jobs, R"(carbon = { file = "grid.csv", column = "g", time = "hour" })");
  EXPECT_NEAR(total(result, "carbon"), 100.0 * (36 + 2) + 200.0 * (2 + 27), 1e-6);
}

TEST_F(priced_energy, by_a_column_of_a_file_begins_anew_behind_its_period) {
  write("grid.csv", "time,g\n1,100\n6,200\n");
  const replication_result result = run(two_jobs, R"(carbon = { file = "grid.csv", column = "g", period = 9 })");
  EXPECT_NEAR(total(result, "carbon"), 100.0 * (36 + 2) + 200.0 * (2 + 9) + 100.0 * 18, 1e-6);
}

TEST_F(priced_energy, by_dates_counts_from_the_first_one) {
  write("grid.csv", "time,g\n2024-01-31T23:59:58Z,100\n2024-02-01T00:00:04Z,200\n");
  const replication_result result = run(two_jobs, R"(carbon = { file = "grid.csv", column = "g" })");
  EXPECT_NEAR(total(result, "carbon"), 100.0 * (36 + 2) + 200.0 * (2 + 27), 1e-6);
}

// The second job is measured alone: from its arrival on.
TEST_F(priced_energy, is_that_of_the_window_of_measurement) {
  const replication_result result = run(two_jobs, "energy = { prices = [0.1, 0.3], period = 5 }", {"run.warm_up=0.5"});
  EXPECT_NEAR(total(result, "energy_cost"), 0.3 * 2 * 9 + 0.1 * 9, 1e-9);
}

// Half a day lies between the jobs, with 43,200 steps, while nothing is left to do. The core sleeps 2 after its work.
TEST_F(priced_energy, counts_steps_while_nothing_happens) {
  const replication_result result =
      run("0,0,1\n1,43200,1\n", "energy = { prices = [0.1, 0.3], period = 2 }",
          {"platform.servers.node.power.asleep=0.25", "platform.servers.node.power.sleep_after=2"});
  EXPECT_NEAR(total(result, "energy_cost"), 0.1 * 9 + 0.3 + 0.1 + 0.2 * 0.25 * (43200 - 4) + 0.3 * 0.25 + 0.1 * 9,
              1e-6);
}

/// A schedule at random, and what it costs, by a loop over the instants at which anything changes.
struct random_schedule {
  struct job {
    double arrival, size;
    double wakes = 0.0, left = 0.0;  // until its core is awake; then its work
    std::size_t server = 0;
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

  void simulate(const std::string& governor) {
    std::deque<std::size_t> queue;
    std::vector<std::size_t> running;
    std::size_t arrived = 0, done = 0;
    double now = 0.0;
    const double never = std::numeric_limits<double>::infinity();
    bool up = true;
    while (done < jobs) {
      const auto is = [&](double time) { return std::abs(time - now) < 1e-9; };
      // What happens now: ends, failures, arrivals, starts. Cores that are free since now are awake.
      std::vector<std::size_t> awake(servers, now < 1e-9 ? cores : 0);
      for (std::size_t at = 0; at < running.size();) {
        job& j = all[running[at]];
        const bool ends = j.wakes <= 1e-9 && j.left <= 1e-9;
        response += ends ? now - j.arrival : 0.0;
        done += ends ? 1 : 0;
        awake[j.server] += ends ? 1 : 0;
        if (ends)
          running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
        else
          ++at;
      }
      if (is(fails)) {
        up = false;
        for (std::size_t at = 0; at < running.size();) {
          const std::size_t lost = running[at];
          if (all[lost].server != 0) {
            ++at;
            continue;
          }
          queue.insert(std::upper_bound(queue.begin(), queue.end(), lost), lost);
          running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
        }
      }
      if (is(returns)) up = true, awake[0] = cores;
      while (arrived < jobs && all[arrived].arrival <= now + 1e-9) queue.push_back(arrived++);
      std::vector<std::size_t> busy(servers), works(servers);
      for (const std::size_t n : running) ++busy[all[n].server];
      for (std::size_t server = up ? 0 : 1; server < servers; ++server)
        while (!queue.empty() && busy[server] < cores) {
          job& j = all[queue.front()];
          j.wakes = awake[server] > 0 ? 0.0 : wake, j.left = j.size, j.server = server;
          awake[server] -= awake[server] > 0 ? 1 : 0;
          running.push_back(queue.front());
          queue.pop_front();
          ++busy[server];
        }
      // Speeds and power from now on.
      double constant = 0.0, work = 0.0, sleeps = 0.0;
      std::vector<double> speed(servers);
      for (const std::size_t n : running) works[all[n].server] += all[n].wakes <= 1e-9 ? 1 : 0;
      for (std::size_t server = up ? 0 : 1; server < servers; ++server) {
        const row r = choice(governor, busy[server]);
        const auto waking = static_cast<double>(busy[server] - works[server]);
        speed[server] = r.speed;
        constant += idle * cores + (overhead - idle) * waking;
        work += (r.watts - idle) * static_cast<double>(works[server]);
        sleeps += static_cast<double>(cores - busy[server]);
      }
      const bool capped = now >= cap_at - 1e-9 && now < cap_ends - 1e-9 && constant + work > cap;
      const double fraction = capped && work > 0.0 ? std::clamp((cap - constant) / work, 0.001, 1.0) : 1.0;
      const double power = constant + work * fraction - (idle - asleep) * sleeps;
      // Until anything happens.
      double next = std::min(next_price(now), arrived < jobs ? all[arrived].arrival : never);
      for (const double time : {cap_at, cap_ends, fails, returns})
        if (time > now + 1e-9) next = std::min(next, time);
      for (const std::size_t n : running) {
        const job& j = all[n];
        next = std::min(next, now + (j.wakes > 1e-9 ? j.wakes : j.left / (speed[j.server] * fraction)));
      }
      if (done == jobs) break;
      const double lasts = next - now;
      for (const std::size_t n : running) {
        job& j = all[n];
        if (j.wakes > 1e-9)
          j.wakes -= lasts;
        else
          j.left -= lasts * speed[j.server] * fraction;
      }
      energy += power * lasts;
      cost += power * lasts * tariff(now + lasts / 2);
      carbon += power * lasts * grams(now + lasts / 2);
      time_capped += capped ? lasts : 0.0;
      now = next;
    }
    end = now;
  }

  std::mt19937_64 random;
  std::vector<job> all;
  std::vector<double> prices;
  std::vector<std::pair<double, double>> grid;
  double period, cap_at, cap, cap_ends, fails, returns;
  double energy = 0.0, cost = 0.0, carbon = 0.0, response = 0.0, time_capped = 0.0, end = 0.0;
};

// Servers whose frequencies follow the load or not, sleep, wake, fail and are capped, while prices change.
TEST_F(priced_energy, of_random_schedules_is_that_of_a_loop_over_their_instants) {
  for (unsigned seed = 1; seed <= 12; ++seed)
    for (const char* governor : {"on_demand", "race_to_idle", "slow_down"}) {
      random_schedule s(seed);
      write("jobs.csv", "id,arrival,size\n" + s.list());
      write("grid.csv", s.column());
      const replication_result result = run_replication(read_here(s.scenario(governor)).points.front().model, 0);
      s.simulate(governor);
      const std::string what = fmt::format("seed {}, {}", seed, governor);
      const auto expect = [&](const char* metric, double sum) {
        const measurement& m = *result.find("all", metric);
        EXPECT_NEAR(m.value * random_schedule::jobs, sum, 1e-7 * sum) << metric << ", " << what;
      };
      expect("response_time", s.response);
      expect("energy_per_job", s.energy);
      expect("energy_cost", s.cost / joules_of_kwh);
      expect("carbon", s.carbon / joules_of_kwh);
      EXPECT_NEAR(result.find("all", "time_capped")->value, s.time_capped / s.end, 1e-7) << what;
      if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace muster
