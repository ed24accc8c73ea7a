#include "muster/modules/kernel/cci_parameters.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "platform/cluster/cluster.h"
#include "platform/scenario/scenario_file.h"
#include "tests/scenario/sample.h"
#include "tests/simulation/scenes.h"

// A cluster whose parameters a tool sees and sets through a broker of CCI.

namespace muster {
namespace {

/// Three servers of two cores under half their load, of which nothing is shown before show().
class cci_parameters_of_a_cluster : public testing::Test {
 protected:
  cci::cci_broker_handle broker{
      cci::cci_register_broker(new cci_utils::broker("tool")).create_broker_handle(cci::cci_originator("tool"))};
  cluster one{
      "one",
      read_study(replaced(one_class("count = 3, cores = 2", "", 3.0, exponential, "jobs = 1000\nreplications = 1"),
                          "fcfs", "easy_backfill"),
                 "half", {})
          .points.front()
          .model,
      0, controlled()};

  void show() { shown_.emplace(one.parameters(), broker); }
  cci::cci_param_handle handle(const std::string& name) { return broker.get_param_handle(name); }
  double number(const std::string& name) { return handle(name).get_cci_value().get_number(); }
  template <class Value>
  void preset(const std::string& name, Value value) {
    broker.set_preset_cci_value(name, cci::cci_value(value));
  }
  /// @return the message of CCI's error; empty: there was none
  std::string refusal_of(const std::string& name, const cci::cci_value& value) {
    try {
      handle(name).set_cci_value(value);
      return "";
    } catch (const sc_core::sc_report& report) {
      EXPECT_EQ(cci::cci_report_handler::decode_param_failure(report), cci::CCI_SET_PARAM_FAILURE) << report.what();
      return report.get_msg();
    }
  }

 private:
  static cluster_options controlled() {
    cluster_options options;
    options.controlled = true;
    return options;
  }
  std::optional<cci_parameters> shown_;
};

std::string text_of(const cci::cci_value& value) {
  return value.is_string() ? std::string{value.get_string()} : value.to_json();
}

TEST_F(cci_parameters_of_a_cluster, are_all_that_it_lists_with_value_help_and_unit_and_read_only_where_the_list_is) {
  show();
  std::size_t numbers = 0;
  const parameter_list all = one.parameters();
  for (const listed_parameter& p : all.all()) {
    const cci::cci_param_handle found = handle(p.name);
    ASSERT_TRUE(found.is_valid()) << p.name;
    EXPECT_EQ(found.get_description(), p.help) << p.name;
    const cci::cci_value value = found.get_cci_value();
    if (value.is_number()) {
      EXPECT_EQ(value.get_number(), std::stod(p.value())) << p.name;
      ++numbers;
    } else {
      EXPECT_EQ(text_of(value), p.value()) << p.name;
    }
    const cci::cci_value_map metadata = found.get_metadata();
    const std::string unit = metadata.has_entry("unit") ? text_of(metadata.at("unit").get_list().at(0)) : "";
    EXPECT_EQ(unit, p.unit) << p.name;
    const bool setting = p.use == listed_parameter::role::setting;
    EXPECT_EQ(found.get_mutable_type(), setting ? cci::CCI_IMMUTABLE_PARAM : cci::CCI_MUTABLE_PARAM) << p.name;
    EXPECT_EQ(refusal_of(p.name, value).empty(), static_cast<bool>(p.set)) << p.name;
  }
  EXPECT_EQ(broker.get_param_handles().size(), all.all().size());
  EXPECT_GT(numbers, 30u);
  EXPECT_EQ(number("one.server_node.cores"), 2.0);
  EXPECT_EQ(number("one.server_node.count"), 3.0);
}

TEST_F(cci_parameters_of_a_cluster, that_count_are_read_from_the_model_at_the_moment) {
  show();
  EXPECT_EQ(number("one.completed"), 0.0);
  sc_core::sc_start(50, sc_core::SC_SEC);
  const std::uint64_t then = one.jobs_completed();
  EXPECT_GT(then, 100u);
  EXPECT_EQ(handle("one.completed").get_cci_value().get_uint64(), then);
  EXPECT_EQ(handle("one.scheduler.jobs_completed").get_cci_value().get_uint64(), then);
  sc_core::sc_start(50, sc_core::SC_SEC);
  EXPECT_GT(number("one.completed"), static_cast<double>(then));
  EXPECT_EQ(number("one.completed"), static_cast<double>(one.jobs_completed()));
}

TEST_F(cci_parameters_of_a_cluster, that_can_be_set_reach_its_control_and_follow_it) {
  show();
  sc_core::sc_start(5, sc_core::SC_SEC);
  handle("one.speed.node").set_cci_value(cci::cci_value(0.5));
  EXPECT_EQ(number("one.speed.node"), 0.5);
  handle("one.arrival_rate").set_cci_value(cci::cci_value(0.001));
  const double arrived = number("one.arrived");
  sc_core::sc_start(50, sc_core::SC_SEC);
  EXPECT_EQ(one.control().speed(2), 0.5);
  EXPECT_EQ(one.control().arrival_rate(), 0.001);
  // At the rate of before 150 jobs arrive in that time.
  EXPECT_LE(number("one.arrived"), arrived + 3.0);
  // What is set elsewhere is seen here.
  one.control().set_speed(one.control().all_servers(), 2.0);
  sc_core::sc_start(5, sc_core::SC_SEC);
  EXPECT_EQ(number("one.speed.node"), 2.0);
}

TEST_F(cci_parameters_of_a_cluster, that_are_numbers_of_the_policy_replace_them) {
  preset("one.policy.reservations", 3.0);
  show();
  sc_core::sc_start(5, sc_core::SC_SEC);
  EXPECT_EQ(number("one.policy.reservations"), 3.0);
  handle("one.policy.reservations").set_cci_value(cci::cci_value(2.0));
  sc_core::sc_start(5, sc_core::SC_SEC);
  EXPECT_EQ(number("one.policy.reservations"), 2.0);
  EXPECT_NE(refusal_of("one.policy.reservations", cci::cci_value(0.0)).find("expected a whole number from 1"),
            std::string::npos);
  EXPECT_EQ(number("one.policy.reservations"), 2.0);
}

TEST_F(cci_parameters_of_a_cluster, that_are_set_out_of_their_range_are_refused_with_the_reason_and_change_nothing) {
  show();
  EXPECT_NE(
      refusal_of("one.speed.node", cci::cci_value(-1.0)).find("'speed.node' is set to -1; expected a number from"),
      std::string::npos);
  EXPECT_NE(refusal_of("one.in_service.node", cci::cci_value(0.5)).find("expected a whole number from 0 to 1"),
            std::string::npos);
  sc_core::sc_start(5, sc_core::SC_SEC);
  EXPECT_EQ(number("one.speed.node"), 1.0);
  EXPECT_EQ(one.control().speed(0), 1.0);
}

TEST_F(cci_parameters_of_a_cluster, are_set_by_a_preset_where_they_can_be_set) {
  preset("one.speed.node", 0.25);
  preset("one.server_node.cores", 2);  // as it is
  show();
  sc_core::sc_start(5, sc_core::SC_SEC);
  EXPECT_EQ(one.control().speed(1), 0.25);
  EXPECT_EQ(number("one.speed.node"), 0.25);
}

TEST_F(cci_parameters_of_a_cluster, refuse_a_preset_that_its_model_does_not_have) {
  preset("one.server_node.cores", 4);
  try {
    show();
    FAIL() << "the preset is ignored";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg(),
                 "'one.server_node.cores' is 2 in the model, and is preset to another value; expected a preset of what "
                 "can be set while the model runs");
  }
}

}  // namespace
}  // namespace muster
