#include "muster/policies/plugin.h"

namespace {

const muster::policy_entry entry = [] {
  muster::policy_entry other;
  other.name = "fcfs";
  other.about = "Not the one that everybody means";
  return other;
}();

}  // namespace

MUSTER_PLUGIN(&entry)
