#include "muster/policies/catalogue.h"

namespace muster {

/// First come, first served: jobs start in the order of arrival; one that does not fit holds up all behind it.
/// Source: Quickswap paper, Section 1.1.
class fcfs final : public rigid_policy {
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    for (const job* next = cluster.earliest(); next && cluster.fits(*next); next = cluster.earliest())
      decide.start(*next);
  }
};

extern const policy_entry fcfs_entry = [] {
  policy_entry entry;
  entry.name = "fcfs";
  entry.about = "First come, first served; a job that does not fit holds up all behind it (Quickswap, Section 1.1)";
  entry.construct = without_settings<fcfs>;
  entry.any_resources = true;
  entry.any_needs = true;
  entry.shares_servers = true;
  entry.stable_up_to = stability_rule::in_order;
  return entry;
}();

}  // namespace muster
