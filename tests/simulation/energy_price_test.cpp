#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/scenario/graph_folder.h"
#include "tests/simulation/random_schedule.h"
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
      EXPECT_NEAR(result.find("all", "time_capped")->value, s.time_capped / s.now, 1e-7) << what;
      if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace muster
