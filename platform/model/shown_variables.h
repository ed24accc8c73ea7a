#pragma once

#include <string>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// What is known of a variable of a cluster before there is one, see cluster_variable.
struct shown_variable {
  std::string name;
  std::string unit{};     ///< of the SI; empty: a count or a share
  bool is_input = false;  ///< it is set, else read
  bool whole = false;     ///< a whole number
};

/// The variables that the cluster of a scenario will have, if it is controlled: those of cluster_variables, in its
/// order.
std::vector<shown_variable> shown_variables(const scenario& model);

}  // namespace muster
