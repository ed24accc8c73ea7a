#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/imported_fmu/fmu_description.h"

namespace muster {

/// An FMU that runs beside the cluster, and what connects the two.
///
/// The FMU and the cluster exchange values at time 0 and each `every` from then on. Until the next exchange the FMU's
/// inputs are what the cluster's variables were, and the cluster's inputs what the FMU's outputs were.
struct connected_fmu {
  /// A variable of the FMU, and the cluster's variable that it takes or sets.
  struct connection {
    fmu_variable variable;
    std::string of_cluster;
  };

  std::string name;
  std::string file;  ///< its path, absolute
  fmu_description description;
  double every = 0.0;  ///< units of time
  std::vector<connection> inputs, outputs;
  std::vector<std::pair<fmu_variable, double>> start;  ///< what variables are set to before time 0

  /// What it is connected with, in a sentence. @param unit of time
  std::string note(const std::string& unit) const;
};

}  // namespace muster
