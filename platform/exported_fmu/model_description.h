#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/simulation/cluster_variable.h"

namespace muster {

/// What modelDescription.xml tells of an FMU.
struct exported_model {
  std::string name;            ///< of the model
  std::string about;           ///< in a sentence; empty: nothing is told
  std::string token;           ///< the instantiation token
  std::optional<double> stop;  ///< an end that suits a simulation, in seconds
  std::vector<cluster_variable> variables;
};

/// A name of C for a model: its letters, digits and underscores, all others as underscores.
std::string model_identifier(const std::string& name);

/// The text of modelDescription.xml, as FMI 3.0 defines it: co-simulation with event mode, early return and states.
/// A variable has the reference that reference_of() tells, and `time` time_reference.
std::string model_description(const exported_model& what);

}  // namespace muster
