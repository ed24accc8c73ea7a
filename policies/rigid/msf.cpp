#include "muster/policies/catalogue.h"

namespace muster {

/// Most Servers First: at every arrival and completion jobs are considered in descending order of need, and each that
/// fits starts. Source: Quickswap paper, Section 4.1.
///
/// Where tasks count, the need is the share of the resource of which a job needs the largest.
///
/// Choice where the paper is open: among classes of equal need jobs start in the order of arrival.
class msf final : public rigid_policy {
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = cluster.largest_fitting()) decide.start(*next);
  }
};

extern const policy_entry msf_entry = [] {
  policy_entry entry;
  entry.name = "msf";
  entry.about = "Most Servers First: every job that fits starts, in descending order of need (Quickswap, Section 4.1)";
  entry.construct = without_settings<msf>;
  entry.any_resources = true;
  entry.any_needs = true;
  entry.shares_servers = true;
  entry.stable_up_to = stability_rule::greedy_by_need;
  return entry;
}();

}  // namespace muster
