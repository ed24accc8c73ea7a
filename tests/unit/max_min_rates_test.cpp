#include "muster/modules/network/sharing/max_min_rates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "muster/policies/algorithms/linear_program.h"

namespace muster {
namespace {

using use = max_min_rates::use;
constexpr double unlimited = max_min_rates::unlimited;

struct plain_flow {
  std::vector<use> uses;  // each arc once
  double cap = unlimited;
};
/// Flows on arcs, as the definition has them.
struct sharing {
  std::vector<double> capacities;
  std::map<max_min_rates::flow, plain_flow> flows;
};
using rates = std::map<max_min_rates::flow, double>;

/// Progressive filling without any structure: each round finds the next level and who stays there.
rates filled(const sharing& all) {
  rates found;
  while (found.size() < all.flows.size()) {
    std::vector<double> left = all.capacities, shares(left.size());
    for (const auto& [name, f] : all.flows)
      for (const use& u : f.uses)
        found.count(name) ? left[u.arc] -= u.share * found.at(name) : shares[u.arc] += u.share;
    double level = unlimited;
    const auto level_of = [&](const plain_flow& f) {
      double least = f.cap;
      for (const use& u : f.uses) least = std::min(least, std::max(left[u.arc], 0.0) / shares[u.arc]);
      return least;
    };
    for (const auto& [name, f] : all.flows)
      if (!found.count(name)) level = std::min(level, level_of(f));
    rates stay;
    for (const auto& [name, f] : all.flows)
      if (!found.count(name) && level_of(f) <= level * (1.0 + 1e-12)) stay.emplace(name, level);
    found.merge(stay);
  }
  return found;
}

/// The lexicographically largest rates in ascending order, by linear programs: the highest rate that all can have, then
/// who cannot have more, then the others with these as they are.
rates by_linear_programs(const sharing& all) {
  using relation = linear_program::relation;
  rates found;
  const auto best = [&](double floor, std::optional<max_min_rates::flow> of) {
    linear_program p;
    std::vector<double> left = all.capacities;
    for (const auto& [name, rate] : found)
      for (const use& u : all.flows.at(name).uses) left[u.arc] -= u.share * rate;
    for (const double c : left) p.add_row(relation::at_most, std::max(c, 0.0));
    std::vector<linear_program::entry> of_floor;
    for (const auto& [name, f] : all.flows) {
      if (found.count(name)) continue;
      std::vector<linear_program::entry> entries;
      for (const use& u : f.uses) entries.push_back({u.arc, u.share});
      entries.push_back({p.add_row(relation::at_least, of ? floor : 0.0), 1.0});
      if (!of) of_floor.push_back({entries.back().row, -1.0});
      if (f.cap < unlimited) entries.push_back({p.add_row(relation::at_most, f.cap), 1.0});
      p.add_variable(of == name ? 1.0 : 0.0, entries);
    }
    if (!of) p.add_variable(1.0, of_floor);
    return p.maximise().value;
  };
  while (found.size() < all.flows.size()) {
    const double level = best(0.0, std::nullopt);
    rates stay;
    for (const auto& [name, f] : all.flows)
      if (!found.count(name) && best(level * (1.0 - 1e-9), name) <= level * (1.0 + 1e-6)) stay.emplace(name, level);
    if (stay.empty()) break;
    found.merge(stay);
  }
  return found;
}

/// Whether every flow has its cap, or passes a full arc on which no flow is faster, and no arc is exceeded.
::testing::AssertionResult fair(const sharing& all, const max_min_rates& solver) {
  constexpr double near = 1e-8;
  std::vector<double> load(all.capacities.size()), fastest(load.size());
  for (const auto& [name, f] : all.flows)
    for (const use& u : f.uses) {
      load[u.arc] += u.share * solver.rate(name);
      fastest[u.arc] = std::max(fastest[u.arc], solver.rate(name));
    }
  for (std::size_t a = 0; a < load.size(); ++a)
    if (load[a] > all.capacities[a] * (1.0 + near))
      return ::testing::AssertionFailure() << "arc " << a << " is exceeded: " << load[a];
  for (const auto& [name, f] : all.flows) {
    const double rate = solver.rate(name);
    bool limited = rate >= f.cap * (1.0 - near);
    for (const use& u : f.uses)
      limited =
          limited || (load[u.arc] >= all.capacities[u.arc] * (1.0 - near) && rate >= fastest[u.arc] * (1.0 - near));
    if (!limited) return ::testing::AssertionFailure() << "flow " << name << " could have more than " << rate;
  }
  return ::testing::AssertionSuccess();
}

/// Changes at random, to a solver and to the plain description alike.
class random_changes {
 public:
  random_changes(unsigned seed, std::size_t arcs) : random_(seed) {
    for (std::size_t a = 0; a < arcs; ++a) all.capacities.push_back(one_of({0.5, 1.0, 1.0, 2.0, 3.7}));
  }

  void add(max_min_rates& solver) {
    std::vector<use> uses;
    plain_flow f;
    std::set<network_arc> arcs;
    const std::size_t count = below(5) + 1;
    for (std::size_t n = 0; n < count; ++n) {
      const auto a = static_cast<network_arc>(below(all.capacities.size()));
      if (!arcs.insert(a).second) continue;
      f.uses.push_back({a, one_of({1.0, 1.0, 1.0, 0.25, 1.0 / 3.0, 2.0})});
      uses.push_back({a, f.uses.back().share / 2.0});  // twice half of it
      uses.push_back(uses.back());
    }
    f.cap = one_of({unlimited, unlimited, 0.3, 0.1, 0.0});
    all.flows[solver.add(uses, f.cap)] = f;
  }
  void change(max_min_rates& solver) {
    const std::size_t what = below(10);
    if (all.flows.size() < 2 || what < 4) return add(solver);
    auto who = all.flows.begin();
    std::advance(who, below(all.flows.size()));
    if (what < 7) {
      solver.remove(who->first);
      removed.insert(who->first);
      all.flows.erase(who);
    } else if (what < 9) {
      who->second.cap = one_of({unlimited, 1.0, 0.2, 0.0});
      solver.set_cap(who->first, who->second.cap);
    } else {
      const auto a = static_cast<network_arc>(below(all.capacities.size()));
      all.capacities[a] = one_of({0.0, 0.5, 1.0, 4.0});
      solver.set_capacity(a, all.capacities[a]);
    }
  }
  std::size_t below(std::size_t bound) { return random_() % bound; }
  double one_of(const std::vector<double>& values) { return values[below(values.size())]; }

  sharing all;
  std::set<max_min_rates::flow> removed;  // some of their numbers belong to new flows

 private:
  std::mt19937 random_;
};

TEST(max_min_rates, meet_the_definition_and_plain_filling_after_every_change) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    random_changes changes{seed, 3 + seed % 20};
    max_min_rates solver{changes.all.capacities};
    rates before;
    for (int step = 0; step < 60; ++step) {
      const std::size_t at_once = changes.below(4) + 1;
      for (std::size_t n = 0; n < at_once; ++n) changes.change(solver);
      const std::vector<max_min_rates::flow> told = solver.update();
      const std::set<max_min_rates::flow> changed(told.begin(), told.end());
      ASSERT_EQ(changed.size(), told.size()) << "none is told twice";
      ASSERT_TRUE(fair(changes.all, solver)) << "seed " << seed << ", step " << step;
      for (const auto& [name, rate] : filled(changes.all)) {
        ASSERT_NEAR(solver.rate(name), rate, 1e-7 * rate) << "seed " << seed << ", step " << step << ", flow " << name;
        const auto old = before.find(name);
        if (old != before.end() && !changed.count(name) && !changes.removed.count(name)) {
          ASSERT_EQ(solver.rate(name), old->second) << "another rate, and not told";
        }
      }
      before.clear();
      changes.removed.clear();
      for (const auto& [name, f] : changes.all.flows) before[name] = solver.rate(name);
    }
  }
}

TEST(max_min_rates, are_the_lexicographically_largest_that_linear_programs_find) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    random_changes changes{1000 + seed, 4 + seed % 6};
    max_min_rates solver{changes.all.capacities};
    for (int n = 0; n < 9; ++n) changes.add(solver);
    solver.update();
    const rates expected = by_linear_programs(changes.all);
    ASSERT_EQ(expected.size(), changes.all.flows.size());
    for (const auto& [name, rate] : expected) EXPECT_NEAR(solver.rate(name), rate, 1e-6) << "seed " << seed;
  }
}

TEST(max_min_rates, of_a_parking_lot_are_those_by_hand) {
  max_min_rates solver{{10.0, 10.0, 4.0}};
  const auto all_along = solver.add({{0, 1.0}, {1, 1.0}, {2, 1.0}});
  const auto first = solver.add({{0, 1.0}}), second = solver.add({{1, 1.0}}), third = solver.add({{2, 1.0}});
  EXPECT_EQ(solver.update().size(), 4u);
  EXPECT_EQ(solver.rate(all_along), 2.0);
  EXPECT_EQ(solver.rate(first), 8.0);
  EXPECT_EQ(solver.rate(second), 8.0);
  EXPECT_EQ(solver.rate(third), 2.0);
  solver.remove(third);
  EXPECT_EQ(solver.update().size(), 3u);
  EXPECT_EQ(solver.rate(all_along), 4.0);
  EXPECT_EQ(solver.rate(first), 6.0);
  EXPECT_EQ(solver.load(1), 10.0);
}

TEST(max_min_rates, weigh_flows_by_their_shares_of_an_arc) {
  max_min_rates solver{{12.0, 1.0}};
  const auto of_gang = solver.add({{0, 3.0}}), split = solver.add({{0, 0.5}}), slow = solver.add({{0, 1.0}, {1, 1.0}});
  solver.update();
  EXPECT_EQ(solver.rate(slow), 1.0);
  EXPECT_DOUBLE_EQ(solver.rate(of_gang), 11.0 / 3.5) << "all have the same rate; the gang takes three times of it";
  EXPECT_DOUBLE_EQ(solver.rate(split), 11.0 / 3.5);
  EXPECT_DOUBLE_EQ(solver.load(0), 12.0);
}

TEST(max_min_rates, have_no_limit_but_their_cap_where_no_arc_is_limited) {
  max_min_rates solver{{unlimited, 0.0}};
  const auto free = solver.add({{0, 1.0}}), capped = solver.add({{0, 1.0}}, 7.0), stuck = solver.add({{1, 2.0}});
  EXPECT_EQ(solver.update().size(), 2u) << "the third keeps the rate 0";
  EXPECT_EQ(solver.rate(free), unlimited);
  EXPECT_EQ(solver.rate(capped), 7.0);
  EXPECT_EQ(solver.rate(stuck), 0.0);
  solver.set_capacity(0, 10.0);
  solver.set_capacity(1, 5.0);
  solver.update();
  EXPECT_EQ(solver.rate(free), 5.0);
  EXPECT_EQ(solver.rate(capped), 5.0);
  EXPECT_EQ(solver.rate(stuck), 2.5);
}

TEST(max_min_rates, are_told_for_flows_alone_whose_rate_has_changed) {
  max_min_rates solver{{1.0, 1.0}};
  const auto here = solver.add({{0, 1.0}}), there = solver.add({{1, 1.0}});
  solver.update();
  const auto with_it = solver.add({{0, 1.0}});
  std::vector<max_min_rates::flow> changed = solver.update();
  std::sort(changed.begin(), changed.end());
  EXPECT_EQ(changed, (std::vector{here, with_it}));
  EXPECT_EQ(solver.rate(there), 1.0);
  solver.remove(with_it);
  EXPECT_EQ(solver.add({{0, 1.0}}), with_it) << "the number is used again";
  EXPECT_EQ(solver.update(), (std::vector{with_it})) << "its rate was 0 until now; the other's is the same again";
}

}  // namespace
}  // namespace muster
