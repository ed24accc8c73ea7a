#pragma once

#include <string>
#include <utility>
#include <vector>

#include "muster/policies/settings.h"

namespace muster {

/// Values of parameters, in the order of the policy's table; complete but for those whose alternative is given.
using setting_value = settings::value;
using setting_list = std::vector<std::pair<std::string, setting_value>>;

struct policy_spec {
  std::string name;
  setting_list settings;
};

/// A value of a parameter of the policy that replaces another one, as the scenario says.
struct parameter_event {
  double at = 0.0;  ///< in units of time, > 0
  std::string parameter;
  settings::value value;
};

}  // namespace muster
