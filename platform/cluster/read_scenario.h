#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/model/scenario.h"

namespace muster {

/// Reads a scenario that a cluster runs, checked.
///
/// @param path a file as `muster run` takes it
/// @param settings dotted keys and their values, as after `--set`: {{"arrivals.load", "0.8"}}. A value of a swept key
///   takes the place of the sweep
/// @throws scenario_error, a std::runtime_error, with everything that is wrong, one line each: FILE:LINE:COLUMN: KEY:
///   MESSAGE
/// @throws std::invalid_argument if the scenario has several points; it names the swept keys that are to be set
scenario read_scenario(const std::string& path, const std::vector<std::pair<std::string, std::string>>& settings = {});

}  // namespace muster
