#include "muster/policies/catalogue.h"

namespace muster {

/// First-Fit: jobs are examined in the order of arrival and each that fits starts; no reservation for those that do
/// not. Source: Quickswap paper, Section 1.1.
///
/// Free cores only become fewer during a pass, so a job that did not fit does not fit later in the pass; and all jobs
/// of a class have the same need. The first job of each class is therefore enough to find the next one to start.
class first_fit final : public policy {
  void schedule(const cluster_view& cluster, decisions& decide) override {
    while (const job* next = cluster.earliest_fitting()) decide.start(*next);
  }
};

extern const policy_entry first_fit_entry;
const policy_entry first_fit_entry{
    "first_fit",
    "In order of arrival every job that fits starts; no reservation for those that do not (Quickswap, Section 1.1)",
    {},
    [](const cluster_view&, const settings&, random_numbers&) -> std::unique_ptr<policy> {
      return std::make_unique<first_fit>();
    },
    nullptr,
    progress::rigid,
    false,
    false,
    {},
    stability_rule::greedy_by_arrival};

}  // namespace muster
