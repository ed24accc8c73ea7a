#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/calibration/logged_past.h"
#include "platform/model/scenario.h"

namespace muster {

/// A number that a log tells of its cluster, with its 95 % interval where there is one.
struct told_value {
  std::string what;
  std::string unit;
  std::optional<double> value{}, low{}, high{};  ///< value: nothing where the log does not tell it
  std::size_t observations = 0;
  std::string remark;     ///< what it is of, or why the log does not tell it
  std::string setting{};  ///< what it is in the scenario, as after `--set`; empty: no key has it, or no change is due
};

/// What a log tells beside its jobs: passes, delays of starts, kill delay, errors of estimates, cores.
/// @param model what the settings are for
std::vector<told_value> values_told(const logged_past& past, const scenario& model);

/// The settings of the values that have one.
std::vector<std::string> settings_of(const std::vector<told_value>& values);

}  // namespace muster
