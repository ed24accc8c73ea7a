#include "muster/policies/catalogue.h"

namespace muster {

/// First-Fit: jobs are examined in the order of arrival and each that fits starts; no reservation for those that do
/// not. Source: Quickswap paper, Section 1.1.
///
/// Free cores only become fewer during a pass, so a job that did not fit does not fit later in the pass; and all jobs
/// of a class have the same need. The first job of each class is therefore enough to find the next one to start.
class first_fit final : public rigid_policy {
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = cluster.earliest_fitting()) decide.start(*next);
  }
};

extern const policy_entry first_fit_entry = [] {
  policy_entry entry;
  entry.name = "first_fit";
  entry.about =
      "In order of arrival every job that fits starts; no reservation for those that do not (Quickswap, Section 1.1)";
  entry.construct = without_settings<first_fit>;
  entry.any_resources = true;
  entry.any_needs = true;
  entry.shares_servers = true;
  entry.stable_up_to = stability_rule::greedy_by_arrival;
  return entry;
}();

}  // namespace muster
