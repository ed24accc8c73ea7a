#include "muster/policies/plugin.h"

namespace {

const muster::policy_entry entry{"fcfs", "Not the one that everybody means", {}, nullptr};

}  // namespace

MUSTER_PLUGIN(&entry)
