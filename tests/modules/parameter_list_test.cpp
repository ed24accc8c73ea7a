#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "muster/modules/kernel/parameter_list.h"
#include "tests/modules/scene.h"

namespace muster {
namespace {

TEST(parameter_list, has_every_setting_and_count_of_a_cluster_once_with_its_help) {
  scene s{{{2, 1}, {{"node", 3, 2, 1.0}}}, {{0, class_id{0}, 10}, {0, class_id{1}, 20}}};
  const parameter_list all = list_parameters();
  std::set<std::string> names;
  for (const listed_parameter& p : all.all()) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_FALSE(p.help.empty()) << p.name;
    EXPECT_FALSE(p.value().empty()) << p.name;
  }
  // Each line that the settings of the scheduler print, and its counts.
  std::ostringstream printed;
  printed << s.central.settings();
  std::istringstream lines(printed.str());
  const std::string scheduler = s.central.name();
  std::size_t settings = 0;
  for (std::string line; std::getline(lines, line); ++settings)
    EXPECT_TRUE(all.find(scheduler + "." + line.substr(0, line.find(" = ")))) << line;
  EXPECT_GT(settings, 20u);
  EXPECT_EQ(list_parameters(s.central).all().size(), settings + 8);
}

TEST(parameter_list, reads_counts_at_the_moment_and_splits_units_from_values) {
  scene s{{{2, 1}, {{"node", 3, 2, 1.0}}}, {{0, class_id{0}, 10}, {0, class_id{1}, 20}}};
  const parameter_list all = list_parameters(s.central);
  const std::string scheduler = s.central.name();
  const listed_parameter& completed = *all.find(scheduler + ".jobs_completed");
  EXPECT_EQ(completed.value(), "0");
  sc_core::sc_start();
  EXPECT_EQ(completed.value(), "2");
  EXPECT_EQ(completed.unit, "jobs");
  const listed_parameter& cores = *all.find(scheduler + ".groups.node.cores");
  EXPECT_EQ(cores.value(), "2");
  EXPECT_EQ(cores.unit, "cores");
  EXPECT_EQ(cores.help, "cores of each server");
  EXPECT_EQ(all.find(scheduler + ".no_such_count"), nullptr);
  EXPECT_EQ(list_parameters(s.time).find(std::string{s.time.name()} + ".now")->value(), "20");
}

/// A module that somebody else has written.
struct listed_probe : sc_core::sc_module, listed_module {
  explicit listed_probe(const sc_core::sc_module_name& name) : sc_module(name) {}
  void list_into(parameter_list& all) const override {
    all.add_count(*this, "seen", "jobs", "jobs that were seen", [this] { return seen; });
    all.add_settings(*this, "depth = 12 bytes of all\nmode = 2nd\nnames = none\n", {{"*", "a setting"}});
  }
  std::uint64_t seen = 0;
};

TEST(parameter_list, prints_each_with_value_unit_and_help) {
  struct outer_module : sc_core::sc_module {
    listed_probe probe{"probe"};
    explicit outer_module(const sc_core::sc_module_name& name) : sc_module(name) {}
  };
  outer_module outer{"outer"};
  outer.probe.seen = 3;
  std::ostringstream out;
  out << list_parameters(outer);
  EXPECT_EQ(out.str(),
            "outer.probe.seen = 3 jobs  # jobs that were seen\n"
            "outer.probe.depth = 12 bytes of all  # a setting\n"
            "outer.probe.mode = 2nd  # a setting\n"
            "outer.probe.names = none  # a setting\n");
}

TEST(parameter_list, tells_settings_from_what_is_read_and_sets_a_level) {
  struct valve : sc_core::sc_module, listed_module {
    explicit valve(const sc_core::sc_module_name& name) : sc_module(name) {}
    void list_into(parameter_list& all) const override {
      all.add_settings(*this, "width = 3 mm\n", {{"*", "a setting"}});
      all.add_count(*this, "turns", "", "turns so far", [] { return 7; });
      all.add_level(
          *this, "opening", "", "share", [this] { return opening; }, [this](double to) { opening = to; });
      all.add_level(*this, "flow", "l/s", "flow", [this] { return opening / 3.0; });
    }
    mutable double opening = 0.1;
  } one{"one"};
  using role = listed_parameter::role;
  const parameter_list all = list_parameters(one);
  EXPECT_EQ(all.find("one.width")->use, role::setting);
  EXPECT_EQ(all.find("one.turns")->use, role::count);
  EXPECT_FALSE(all.find("one.turns")->set);
  EXPECT_EQ(all.find("one.flow")->use, role::level);
  EXPECT_FALSE(all.find("one.flow")->set);
  const listed_parameter& opening = *all.find("one.opening");
  opening.set(0.3);
  EXPECT_EQ(one.opening, 0.3);
  EXPECT_EQ(opening.value(), "0.3");
  // All digits, so that a number that is read is the number that there is.
  EXPECT_EQ(std::stod(all.find("one.flow")->value()), 0.3 / 3.0);
}

}  // namespace
}  // namespace muster
