#include "muster/policies/plugin.h"

// Policies that break the rules.

namespace muster {
namespace {

class starts_nothing final : public policy {
  void schedule(const cluster_view&, decisions&) override {}
};

class over_allocates final : public policy {
  void schedule(const cluster_view& cluster, decisions& decide) override {
    while (const job* next = cluster.largest()) decide.start(*next);
  }
};

class starts_twice final : public policy {
  void schedule(const cluster_view& cluster, decisions& decide) override {
    const job* next = cluster.earliest_fitting();
    if (!next) return;
    decide.start(*next);
    decide.start(*next);
  }
};

std::unique_ptr<policy> asks_for_what_it_has_not(const cluster_view&, const settings& given, random_numbers&) {
  given.integer("nope");
  return std::make_unique<starts_nothing>();
}

template <class Policy>
std::unique_ptr<policy> make(const cluster_view&, const settings&, random_numbers&) {
  return std::make_unique<Policy>();
}

const policy_entry entries[] = {
    {"starts_nothing", "", {}, make<starts_nothing>},
    {"over_allocates", "", {}, make<over_allocates>},
    {"starts_twice", "", {}, make<starts_twice>},
    {"asks_for_what_it_has_not", "", {{"least", integer_parameter{{1}, {9}, {2}}, ""}}, asks_for_what_it_has_not}};

}  // namespace
}  // namespace muster

MUSTER_PLUGIN(&muster::entries[0], &muster::entries[1], &muster::entries[2], &muster::entries[3])
