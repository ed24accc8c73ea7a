#pragma once

#include <string>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// A change of one component of a cluster's hardware.
struct hardware_change {
  std::string component;              ///< of which kind it is: `server`, `core`, `bandwidth` and so on
  std::string words;                  ///< such as "one more server of `gpu`"
  std::vector<std::string> settings;  ///< that make it, as after `--set`

  /// The settings, parted by a semicolon.
  std::string setting() const;
};

/// The changes that a scenario's hardware allows, each by itself: one more of what is counted, twice of what is
/// divided, half of what takes time, and cores that are a tenth faster. What is zero or without limit is left out.
std::vector<hardware_change> hardware_changes(const scenario& model);

}  // namespace muster
