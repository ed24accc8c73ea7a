// A plugin that was linked without a library that it needs.

#include "muster/policies/plugin.h"

std::unique_ptr<muster::rigid_policy> made_elsewhere(const muster::cluster_view&, const muster::settings&,
                                                     muster::random_numbers&);

namespace {

const muster::policy_entry entry = [] {
  muster::policy_entry unresolved;
  unresolved.name = "unresolved";
  unresolved.about = "Of no use";
  unresolved.construct = made_elsewhere;
  return unresolved;
}();

}  // namespace

MUSTER_PLUGIN(&entry)
