#include "muster/policies/catalogue.h"

namespace muster {

/// First come, first served: jobs start in the order of arrival; one that does not fit holds up all behind it.
/// Source: Quickswap paper, Section 1.1.
class fcfs final : public policy {
  void schedule(const cluster_view& cluster, decisions& decide) override {
    for (const job* next = cluster.earliest(); next && cluster.fits(*next); next = cluster.earliest())
      decide.start(*next);
  }
};

extern const policy_entry fcfs_entry;
const policy_entry fcfs_entry{
    "fcfs",
    "First come, first served; a job that does not fit holds up all behind it (Quickswap, Section 1.1)",
    {},
    [](const cluster_view&, const settings&, random_numbers&) -> std::unique_ptr<policy> {
      return std::make_unique<fcfs>();
    },
    nullptr,
    progress::rigid,
    false,
    false,
    {},
    stability_rule::in_order};

}  // namespace muster
