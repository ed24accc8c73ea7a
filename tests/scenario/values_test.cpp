#include <gtest/gtest.h>

#include <cmath>

#include "tests/scenario/sample.h"

namespace muster {
namespace {

scenario first(const study& s) { return s.points.front().model; }

TEST(scenario_values, are_what_the_file_says) {
  const study s = read(sample);
  ASSERT_EQ(s.points.size(), 1u);
  EXPECT_TRUE(s.keys.empty());
  EXPECT_TRUE(s.points[0].values.empty());
  const scenario model = first(s);
  EXPECT_EQ(model.name, "base");
  ASSERT_EQ(model.servers.size(), 1u);
  EXPECT_EQ(model.servers[0].cores, 32u);
  ASSERT_EQ(model.classes.size(), 2u);
  EXPECT_EQ(model.classes[0].name, "light");
  EXPECT_EQ(model.classes[1].need, 32u);
  EXPECT_DOUBLE_EQ(model.classes[0].rate, 6.3);
  EXPECT_EQ(model.arrivals.kind, arrival_spec::process::poisson);
  EXPECT_DOUBLE_EQ(model.arrivals.interarrival.mean(), 1.0 / 7.0);
  EXPECT_EQ(model.run.jobs, 1000u);
}

TEST(scenario_values, take_their_defaults) {
  const scenario model = first(read(sample));
  EXPECT_EQ(model.about, "");
  EXPECT_EQ(model.unit.name, "s");
  EXPECT_EQ(model.servers[0].count, 1u);
  EXPECT_EQ(model.servers[0].capacity, 1.0);
  EXPECT_EQ(model.costs.dispatch_latency, 0.0);
  EXPECT_EQ(model.costs.set_up, 0.0);
  EXPECT_EQ(model.network.link.latency, 0.0);
  EXPECT_EQ(model.classes[0].servers, std::vector<std::string>{"node"});
  EXPECT_EQ(model.run.replications, 10u);
  EXPECT_EQ(model.run.seed, 1u);
  EXPECT_EQ(model.run.warm_up, 0.1);
  EXPECT_FALSE(model.record.until);
  EXPECT_FALSE(model.record.jobs_in_system_every);
}

TEST(scenario_values, of_a_policy_are_complete_and_in_the_order_of_its_table) {
  const scenario model = first(read(with("name = \"msfq\"", "name = \"static_quickswap\"\ndrain = \"always\"")));
  const std::vector<std::pair<std::string, setting_value>> expected{
      {"threshold", std::int64_t{31}},
      {"order", std::vector<class_id>{class_id{0}, class_id{1}}},
      {"drain", std::string{"always"}},
      {"hand_over", std::string{"after_drain"}}};
  EXPECT_EQ(model.policy.settings, expected);
}

TEST(scenario_values, of_a_policy_leave_out_parameters_that_have_no_effect) {
  const study s = read(with("name = \"msfq\"", "name = \"static_quickswap\"\nhand_over = \"published\""));
  const std::vector<std::pair<std::string, setting_value>> expected{
      {"order", std::vector<class_id>{class_id{0}, class_id{1}}}, {"hand_over", std::string{"published"}}};
  EXPECT_EQ(first(s).policy.settings, expected);
  EXPECT_EQ(s.resolved.find("threshold"), std::string::npos) << "what is refused must not be written either";
}

TEST(scenario_values, of_a_policy_may_be_just_its_name) {
  const std::string bare =
      replaced(with("[platform]", "policy = \"msf\"\n[platform]"), "[policy]\nname = \"msfq\"\n", "");
  EXPECT_EQ(first(read(bare)).policy.name, "msf");
}

TEST(scenario_values, of_each_time_unit_have_a_clock_that_is_fine_enough) {
  const auto unit = [](const std::string& name) {
    return first(read(with("name = \"base\"", "name = \"base\"\ntime_unit = \"" + name + "\""))).unit;
  };
  EXPECT_EQ(unit("s").ticks, 1'000'000'000u);
  EXPECT_EQ(unit("s").resolution_exponent, -9);
  EXPECT_EQ(unit("min").ticks, 60'000'000'000u);
  EXPECT_EQ(unit("d").ticks, 86'400'000'000'000u);
  EXPECT_EQ(unit("d").resolution_exponent, -9);
  EXPECT_EQ(unit("ms").resolution_exponent, -12);
  EXPECT_EQ(unit("us").resolution_exponent, -15);
  EXPECT_EQ(unit("ns").resolution_exponent, -15);
  for (const char* name : {"ns", "us", "ms", "s", "min", "h", "d"}) {
    const time_unit u = unit(name);
    EXPECT_EQ(u.name, name);
    EXPECT_DOUBLE_EQ(static_cast<double>(u.ticks) * std::pow(10.0, u.resolution_exponent), u.seconds);
  }
}

TEST(scenario_values, normalise_shares_that_were_rounded) {
  const scenario model = first(read(with("share = 0.9", "share = 0.9000001")));
  EXPECT_DOUBLE_EQ(model.classes[0].share + model.classes[1].share, 1.0);
  EXPECT_DOUBLE_EQ(model.classes[0].share, 0.9000001 / 1.0000001);
  EXPECT_DOUBLE_EQ(model.classes[0].rate + model.classes[1].rate, 7.0);
}

TEST(scenario_values, add_the_rates_of_the_classes_up) {
  const std::string by_rate =
      replaced(replaced(with("share = 0.9", "rate = 3"), "share = 0.1", "rate = 1.0"), "[arrivals]\nrate = 7.0\n", "");
  const scenario model = first(read(by_rate));
  EXPECT_DOUBLE_EQ(model.arrivals.rate, 4.0);
  EXPECT_DOUBLE_EQ(model.arrivals.interarrival.mean(), 0.25);
  EXPECT_DOUBLE_EQ(model.classes[0].share, 0.75);
  EXPECT_EQ(complaints(replaced(by_rate, "[policy]", "[arrivals]\nrate = 4\n[policy]")),
            "f.toml:15:8: arrivals.rate: expected no rate here, because every class has a rate");
}

TEST(scenario_values, scale_interarrival_times_to_the_rate) {
  const std::string between = "process = \"renewal\"\ninterarrival = { distribution = \"uniform\", low = 1, high = 3 }";
  const scenario scaled = first(read(with("rate = 7.0", "rate = 4.0\n" + between)));
  EXPECT_EQ(scaled.arrivals.kind, arrival_spec::process::renewal);
  EXPECT_DOUBLE_EQ(scaled.arrivals.interarrival.mean(), 0.25);
  const scenario as_is = first(read(with("rate = 7.0", between)));
  EXPECT_DOUBLE_EQ(as_is.arrivals.rate, 0.5);
  EXPECT_DOUBLE_EQ(as_is.classes[1].rate, 0.05);
}

TEST(scenario_values, make_deterministic_arrivals_of_a_constant) {
  const scenario model = first(read(with("rate = 7.0", "rate = 4.0\nprocess = \"deterministic\"")));
  EXPECT_EQ(model.arrivals.kind, arrival_spec::process::renewal);
  EXPECT_EQ(model.arrivals.interarrival.mean(), 0.25);
  EXPECT_EQ(model.arrivals.interarrival.variance(), 0.0);
}

}  // namespace
}  // namespace muster
