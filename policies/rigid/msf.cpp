#include "muster/policies/catalogue.h"

namespace muster {

/// Most Servers First: at every arrival and completion jobs are considered in descending order of need, and each that
/// fits starts. Source: Quickswap paper, Section 4.1.
///
/// Choice where the paper is open: among classes of equal need jobs start in the order of arrival.
class msf final : public policy {
  void schedule(const cluster_view& cluster, decisions& decide) override {
    while (const job* next = cluster.largest_fitting()) decide.start(*next);
  }
};

extern const policy_entry msf_entry;
const policy_entry msf_entry{
    "msf",
    "Most Servers First: every job that fits starts, in descending order of need (Quickswap, Section 4.1)",
    {},
    [](const cluster_view&, const settings&, random_numbers&) -> std::unique_ptr<policy> {
      return std::make_unique<msf>();
    },
    nullptr,
    progress::rigid,
    false,
    false,
    {},
    stability_rule::greedy_by_need};

}  // namespace muster
