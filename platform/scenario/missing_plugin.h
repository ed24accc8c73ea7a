#pragma once

#include <string>
#include <vector>

#include "platform/toml/diagnostics.h"

namespace muster {

/// Completes what is wrong with a scenario that a run has left beside its results: where it names an unknown policy and
/// that run had loaded plugins, the command of the run is added, with the advice to load them again.
/// @param path of the scenario
void name_missing_plugin(const std::string& path, std::vector<diagnostic>& errors);

}  // namespace muster
