#include "muster/policies/catalogue.h"

namespace muster {

/// First-Fit: jobs are examined in the order of arrival and each that fits starts; no reservation for those that do
/// not. Source: Quickswap paper, Section 1.1.
///
/// Cores only become fewer during a pass, so a job once passed over stays out; and the jobs of a class all need the
/// same. One look at the first job of each class therefore finds the next that the pass would start.
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
    }};

}  // namespace muster
