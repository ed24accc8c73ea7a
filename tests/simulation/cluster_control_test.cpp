#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muster/modules/server/server.h"
#include "platform/cluster/cluster.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/cluster_variables.h"
#include "platform/simulation/replication.h"
#include "tests/modules/child.h"
#include "tests/refusal.h"
#include "tests/scenario/sample.h"
#include "tests/simulation/foreign_modules.h"
#include "tests/simulation/scenes.h"

// A cluster that a foreign module controls.

namespace muster {
namespace {

/// @param events elements of that array
scenario busy_servers(const std::string& events) {
  std::string text = one_class("count = 3, cores = 2", "", 4.0, exponential, "jobs = 1000\nreplications = 1");
  if (!events.empty()) text.insert(text.find("[platform]"), "events = [" + events + "]\n");
  return read_study(text, "busy", {}).points.front().model;
}

/// A controller that halves the speed of the first two servers at an instant.
class foreign_governor final : public sc_core::sc_module {
 public:
  foreign_governor(const sc_core::sc_module_name& name, cluster_control& control, const sc_core::sc_time& at)
      : sc_module(name), control_(control), at_(at) {
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = foreign_governor;
    SC_METHOD(halve);
  }

 private:
  void halve() {
    if (sc_core::sc_time_stamp() < at_) return next_trigger(at_);
    control_.set_speed({control_.bank("server_node").first, 2}, 0.5);
  }
  cluster_control& control_;
  sc_core::sc_time at_;
};

TEST(controlled_cluster, has_the_results_of_the_event_in_whose_place_a_foreign_module_halves_the_speed) {
  const scenario by_event = busy_servers(R"({ at = 100.25, servers = "node", count = 2, speed = 0.5 })");
  const scenario plain = busy_servers("");
  const std::string expected = in_child([&] { return whole_text(run_replication(by_event, 0)); });
  const std::string unchanged = in_child([&] { return whole_text(run_replication(plain, 0)); });
  const std::string found = in_child([&]() -> std::string {
    cluster_options options;
    options.controlled = true;
    cluster one{"one", plain, 0, options};
    foreign_governor governor{"governor", one.control(), {100.25, sc_core::SC_SEC}};
    foreign_clock clock{"clock", {0.3, sc_core::SC_SEC}};
    while (!one.finished()) sc_core::sc_start(7, sc_core::SC_SEC);
    EXPECT_EQ(one.control().speed(1), 0.5);
    EXPECT_EQ(one.control().speed(2), 1.0);
    return whole_text(one.results());
  });
  EXPECT_EQ(found, expected);
  EXPECT_NE(found, unchanged);
}

/// What a foreign module requests at an instant.
struct foreign_request {
  double at;  // in seconds
  control_request what;
};

/// A module that makes requests at given times, the earliest first.
class foreign_operator final : public sc_core::sc_module {
 public:
  foreign_operator(const sc_core::sc_module_name& name, cluster_control& control, std::vector<foreign_request> all)
      : sc_module(name), control_(control), all_(std::move(all)) {
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = foreign_operator;
    SC_THREAD(operate);
  }

 private:
  void operate() {
    for (const foreign_request& r : all_) {
      wait(sc_core::sc_time{r.at, sc_core::SC_SEC} - sc_core::sc_time_stamp());
      control_.request(r.what);
    }
  }
  cluster_control& control_;
  std::vector<foreign_request> all_;
};

/// The results of a scenario with events, and of the same without them, whose place a foreign module takes.
/// @param text of the scenario without events @param later events that both have
void expect_same_by_events_and_by_requests(const std::string& text, const std::string& events,
                                           const std::vector<foreign_request>& requests,
                                           const std::string& later = "") {
  const auto read = [&](const std::string& of_event) {
    const std::string all = of_event.empty() ? text : "events = [" + of_event + "]\n" + text;
    return read_study(all, "same", {}).points.front().model;
  };
  const scenario plain = read(later);
  const scenario by_event = read(events + (later.empty() ? "" : ", " + later));
  const std::string expected = in_child([&] { return whole_text(run_replication(by_event, 0)); });
  const std::string unchanged = in_child([&] { return whole_text(run_replication(plain, 0)); });
  const std::string found = in_child([&]() -> std::string {
    cluster_options options;
    options.controlled = true;
    cluster one{"one", plain, 0, options};
    foreign_operator foreign{"foreign", one.control(), requests};
    while (!one.finished()) sc_core::sc_start(7, sc_core::SC_SEC);
    return whole_text(one.results());
  });
  EXPECT_EQ(found, expected) << events;
  EXPECT_NE(found, unchanged) << events;
}

TEST(controlled_cluster, has_the_results_of_every_kind_of_event_in_whose_place_a_foreign_module_makes_requests) {
  using action = control_request::action;
  const std::string text = one_class("count = 3, cores = 2, power = { idle = 20, active = 100 }", "", 4.0, exponential,
                                     "jobs = 1000\nreplications = 1");
  const auto same = [&](const std::string& events, const std::vector<foreign_request>& requests) {
    expect_same_by_events_and_by_requests(text, events, requests);
  };
  // Where events may take servers out of service there are rows of that: these are behind the end of the run.
  const std::string later =
      R"({ at = 1e5, servers = "node", action = "fail" }, { at = 1e6, servers = "node", action = "return" })";
  const auto same_of_outages = [&](const std::string& events, const std::vector<foreign_request>& requests) {
    expect_same_by_events_and_by_requests(text, events, requests, later);
  };
  same_of_outages(
      R"({ at = 50, servers = "node", count = 2, action = "fail" }, { at = 60, servers = "node", action = "return" })",
      {{50.0, {action::remove, {0, 2}}}, {60.0, {action::restore, {0, 2}}}});
  same_of_outages(
      R"({ at = 50, servers = "node", count = 1, action = "drain" }, { at = 90, servers = "node", action = "return" })",
      {{50.0, {action::drain, {0, 1}}}, {90.0, {action::restore, {0, 1}}}});
  same(R"({ at = 50, servers = "node", count = 2, speed = 0.75 }, { at = 90, servers = "node", speed = 2 })",
       {{50.0, {action::speed, {0, 2}, 0.75}}, {90.0, {action::speed, {0, 3}, 2.0}}});
  same("{ at = 50, rate = 0.5 }", {{50.0, {action::arrival_rate, {}, 0.5}}});
  same(R"({ at = 50, power_cap = "0.4 kW" }, { at = 70, servers = "node", count = 1, power_cap = 100 }, )"
       R"({ at = 150, power_cap = "none" })",
       {{50.0, {action::power_cap, {0, 3}, 400.0}},
        {70.0, {action::power_cap, {0, 1}, 100.0}},
        {150.0, {action::power_cap, {0, 3}, control_request::no_cap}}});
}

TEST(controlled_cluster, replaces_a_parameter_as_the_event_does) {
  control_request threshold{control_request::action::parameter};
  threshold.name = "threshold";
  threshold.setting = std::int64_t{3};
  expect_same_by_events_and_by_requests(
      cluster_of(4, {{4, 0.1, 1.0}, {1, 1.5, 1.0}}, "name = \"msfq\"\nthreshold = 0", 1000, 1),
      R"({ at = 50, parameter = "threshold", value = 3 })", {{50.0, threshold}});
}

/// A cluster of one class whose policy is given by its parameters, and the variables that it has.
class cluster_of_policy {
 public:
  explicit cluster_of_policy(const std::string& policy)
      : one_{"one", read_study(replaced(text, "name = \"fcfs\"", policy), "policies", {}).points.front().model, 0, {}} {
  }

  cluster_variables& variables() { return one_.variables(); }
  const cluster_variable& shown(const std::string& name) { return variables().all()[variables().find(name)]; }
  std::string refusal_of(const std::string& name, double value) {
    return refusal<std::invalid_argument>([&] { variables().set(variables().find(name), value); });
  }

 private:
  static inline const std::string text =
      "time_unit = \"ms\"\n" + one_class("count = 2", "", 1.0, exponential, "jobs = 100\nreplications = 1");
  cluster one_;
};

TEST(controlled_cluster, has_its_policys_numbers_as_variables_by_which_they_are_replaced_as_by_the_event) {
  const std::string text = cluster_of(4, {{4, 0.1, 1.0}, {1, 1.5, 1.0}}, "name = \"msfq\"\nthreshold = 0", 1000, 1);
  const auto model = [&](const std::string& events) { return read_study(events + text, "same", {}).points[0].model; };
  const scenario plain = model("");
  const scenario by_event = model(R"(events = [{ at = 50, parameter = "threshold", value = 3 }])"
                                  "\n");
  const std::string expected = in_child([&] { return whole_text(run_replication(by_event, 0)); });
  const std::string unchanged = in_child([&] { return whole_text(run_replication(plain, 0)); });
  const std::string found = in_child([&]() -> std::string {
    cluster one{"one", plain, 0, {}};
    cluster_variables& all = one.variables();
    const std::size_t threshold = all.find("policy.threshold");
    EXPECT_EQ(all.value(threshold), 0.0);
    sc_core::sc_start(50, sc_core::SC_SEC);
    all.set(threshold, 3.0);
    EXPECT_EQ(all.value(threshold), 3.0);
    while (!one.finished()) sc_core::sc_start(7, sc_core::SC_SEC);
    EXPECT_EQ(all.value(threshold), 3.0);
    EXPECT_THROW(all.find("policy.drain"), std::invalid_argument);  // a choice among words
    return whole_text(one.results());
  });
  EXPECT_EQ(found, expected);
  EXPECT_NE(found, unchanged);
}

TEST(controlled_cluster, refuses_a_number_of_the_policy_in_the_words_of_the_policy) {
  cluster_of_policy restarting("name = \"kill_restart\"\ngrowth = 3.0");
  EXPECT_EQ(restarting.shown("policy.budget").start, 1.0);
  EXPECT_EQ(restarting.shown("policy.growth").start, 3.0);
  EXPECT_EQ(restarting.shown("policy.growth").least, 1.0);
  EXPECT_EQ(restarting.shown("policy.growth").most, std::numeric_limits<double>::infinity());
  EXPECT_EQ(restarting.shown("policy.growth").help, "of the budget from round to round");
  for (const double value : {1.0, -2.0, std::nan("")})
    EXPECT_NE(restarting.refusal_of("policy.growth", value).find("growth: expected a number > 1, found "),
              std::string::npos)
        << restarting.refusal_of("policy.growth", value);
  EXPECT_NE(restarting.refusal_of("policy.growth", std::numeric_limits<double>::infinity()), "");
  EXPECT_EQ(restarting.variables().value(restarting.variables().find("policy.growth")), 3.0);
  EXPECT_EQ(restarting.refusal_of("policy.growth", 1.5), "");
}

TEST(controlled_cluster, has_the_whole_numbers_of_its_policy_with_their_range) {
  cluster_of_policy backfilling("name = \"easy_backfill\"");
  EXPECT_TRUE(backfilling.shown("policy.reservations").whole);
  EXPECT_EQ(backfilling.shown("policy.reservations").start, 1.0);
  EXPECT_EQ(backfilling.refusal_of("policy.reservations", 0.0),
            "'policy.reservations' is set to 0; expected a whole number from 1 to 1e+06");
  EXPECT_EQ(backfilling.refusal_of("policy.reservations", 2.5),
            "'policy.reservations' is set to 2.5; expected a whole number from 1 to 1e+06");
}

TEST(controlled_cluster, has_the_rates_of_its_policy_per_second_whatever_the_unit_of_time) {
  cluster_of_policy timers("name = \"randomized_timers\"\nrate = 0.25");
  EXPECT_EQ(timers.shown("policy.rate").unit, "1/s");
  EXPECT_DOUBLE_EQ(timers.shown("policy.rate").start, 250.0);
}

// Cores of 20 W idle and 100 W at work at half the speed from 100 on: 60 W. The load doubles.
TEST(controlled_cluster, draws_power_by_the_speeds_of_its_cores) {
  const std::string text = one_class("count = 2, power = { idle = 20, active = 100 }", "", 0.5,
                                     R"(distribution = "exponential", mean = 1.0)", "jobs = 400\nreplications = 1");
  const auto row = [&](const std::string& events, const char* metric) {
    const std::string all = events.empty() ? text : "events = [" + events + "]\n" + text;
    const replication_result r = run_replication(read_study(all, "watts", {}).points.front().model, 0);
    const measurement* const found = r.find("all", metric);
    return found ? found->value : -1.0;
  };
  const std::string slow = R"({ at = 1e-9, servers = "node", speed = 0.5 })";
  EXPECT_NEAR(row(slow, "average_power"), 2 * (20.0 + 40.0 * row(slow, "utilization")), 1e-6);
  EXPECT_NEAR(row("", "average_power"), 2 * (20.0 + 80.0 * row("", "utilization")), 1e-6);
  const std::string capped = R"({ at = 1e-9, power_cap = 120 })";  // two cores that work go at half the speed
  EXPECT_LE(row(capped, "average_power"), 120.0);
  EXPECT_GT(row(capped, "time_capped"), 0.0);
  EXPECT_LT(row(capped, "time_capped"), row(capped, "utilization"));
  EXPECT_EQ(row(slow, "time_capped"), -1.0);
}

TEST(controlled_cluster, has_variables_that_cap_power_and_show_it) {
  const std::string text = one_class("count = 2, power = { idle = 20, active = 100 }", "", 5.0, exponential,
                                     "jobs = 1000\nreplications = 1");
  cluster_options options;
  options.controlled = true;
  cluster one{"one", read_study(text, "capped", {}).points.front().model, 0, options};
  cluster_variables& all = one.variables();
  const std::size_t cap = all.find("power_cap"), power = all.find("power"), energy = all.find("energy");
  EXPECT_EQ(all.value(cap), 1e15);
  EXPECT_THROW(all.find("power_cap.node"), std::invalid_argument);  // these are all servers
  sc_core::sc_start(10, sc_core::SC_SEC);                           // more jobs have arrived than two cores can serve
  EXPECT_DOUBLE_EQ(all.value(power), 200.0);
  all.set(cap, 120.0);
  const double before = all.value(energy);
  sc_core::sc_start(10, sc_core::SC_SEC);
  EXPECT_DOUBLE_EQ(all.value(power), 120.0);
  EXPECT_NEAR(all.value(energy) - before, 1200.0, 1e-6);
  all.set(cap, 1e15);
  sc_core::sc_start(10, sc_core::SC_SEC);
  EXPECT_DOUBLE_EQ(all.value(power), 200.0);
  EXPECT_NEAR(all.value(energy) - before, 3200.0, 1e-6);
  EXPECT_EQ(one.control().power_cap({0, 2}), control_request::no_cap);
}

TEST(controlled_cluster, refuses_requests_for_servers_of_a_foreign_module) {
  std::string text = one_class("count = 2", "", 1.0, exponential, "jobs = 100\nreplications = 1");
  text.insert(text.find("{ name = \"node\""), R"({ name = "foreign", count = 2 }, )");
  cluster_options options;
  options.controlled = true;
  options.foreign_servers = {"foreign"};
  cluster one{"one", read_study(text, "two", {}).points.front().model, 0, options};
  cluster_control& control = one.control();
  EXPECT_EQ(control.server_count(), 4u);
  for (const std::uint32_t n : {0u, 1u}) {
    const std::string expected = fmt::format("server {} is of a foreign module; expected servers of the cluster", n);
    EXPECT_EQ(refusal<std::invalid_argument>([&] { control.set_speed({n, 1}, 0.5); }), expected);
    EXPECT_EQ(refusal<std::invalid_argument>([&] { control.drain({n, 1}); }), expected);
    EXPECT_EQ(refusal<std::invalid_argument>([&] { control.remove({n, 3}); }), expected);
  }
  EXPECT_EQ(control.bank("server_node").first, 2u);
  EXPECT_NO_THROW(control.set_speed(control.bank("server_node"), 0.5));
  EXPECT_NO_THROW(control.drain({3, 1}));
}

}  // namespace
}  // namespace muster
