// A plugin that was linked without a library that it needs.

#include "muster/policies/plugin.h"

std::unique_ptr<muster::policy> made_elsewhere(const muster::cluster_view&, const muster::settings&,
                                               muster::random_numbers&);

namespace {

const muster::policy_entry entry{"unresolved", "Of no use", {}, made_elsewhere};

}  // namespace

MUSTER_PLUGIN(&entry)
