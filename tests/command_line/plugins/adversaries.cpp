#include <stdexcept>
#include <utility>

#include "muster/policies/plugin.h"

// Policies that break the rules.

namespace muster {
namespace {

class starts_nothing final : public rigid_policy {
  void schedule(rigid_view, rigid_decisions&) override {}
};

class over_allocates final : public rigid_policy {
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = cluster.largest()) decide.start(*next);
  }
};

class starts_twice final : public rigid_policy {
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    const job* next = cluster.earliest_fitting();
    if (!next) return;
    decide.start(*next);
    decide.start(*next);
  }
};

/// Keeps something from one simulation of a process to the next, which it refuses.
class serves_one_simulation final : public rigid_policy {
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (!began_ && std::exchange(any_began_, true)) throw std::runtime_error("a second simulation");
    began_ = true;
    while (const job* next = cluster.earliest_fitting()) decide.start(*next);
  }

  static inline bool any_began_ = false;
  bool began_ = false;
};

template <class Policy>
policy_entry entry_of(std::string_view name) {
  policy_entry entry;
  entry.name = name;
  entry.construct = without_settings<Policy>;
  return entry;
}

const policy_entry starts_nothing_entry = entry_of<starts_nothing>("starts_nothing");
const policy_entry over_allocates_entry = entry_of<over_allocates>("over_allocates");
const policy_entry starts_twice_entry = entry_of<starts_twice>("starts_twice");
const policy_entry serves_one_simulation_entry = entry_of<serves_one_simulation>("serves_one_simulation");
const policy_entry asks_for_what_it_has_not_entry = [] {
  policy_entry entry;
  entry.name = "asks_for_what_it_has_not";
  entry.parameters = {{"least", integer_parameter{{1}, {9}, {2}}, ""}};
  entry.construct = [](const cluster_view&, const settings& given, random_numbers&) -> std::unique_ptr<rigid_policy> {
    given.integer("nope");
    return std::make_unique<starts_nothing>();
  };
  return entry;
}();

}  // namespace
}  // namespace muster

MUSTER_PLUGIN(&muster::starts_nothing_entry, &muster::over_allocates_entry, &muster::starts_twice_entry,
              &muster::asks_for_what_it_has_not_entry, &muster::serves_one_simulation_entry)
