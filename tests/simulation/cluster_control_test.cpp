#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muster/modules/server/server.h"
#include "platform/cluster/cluster.h"
#include "platform/scenario/scenario_file.h"
#include "platform/simulation/replication.h"
#include "tests/modules/child.h"
#include "tests/refusal.h"
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
