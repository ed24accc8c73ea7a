#include "muster/policies/plugin.h"

// A parameter's name is a key of a scenario.

namespace {

class starts_nothing final : public muster::rigid_policy {};

const muster::policy_entry entry = [] {
  muster::policy_entry misnamed;
  misnamed.name = "good_name";
  misnamed.parameters = {{"bad name", muster::integer_parameter{{1}, {9}, {2}}, ""}};
  misnamed.construct = muster::without_settings<starts_nothing>;
  return misnamed;
}();

}  // namespace

MUSTER_PLUGIN(&entry)
