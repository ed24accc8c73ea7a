#pragma once

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

namespace muster {

/// A number that a running cluster shows, or that can be set while it runs. Its name is that of what it counts, a dot,
/// and the class, the entry of servers or the resource, where there are several: `waiting.large`, `speed.node`.
struct cluster_variable {
  enum class role {
    input,  ///< set from outside; keeps its value until it is set again
    output  ///< read
  };

  std::string name;
  std::string unit;  ///< of the SI, `W`, `J`, `s`; empty: a count or a share
  std::string help;  ///< what it is, in a sentence without a full stop
  role use = role::output;
  bool whole = false;  ///< a whole number, which changes at events alone
  double start = 0.0;  ///< its value at time 0
  double least = 0.0;  ///< of an input
  double most = 0.0;   ///< of an input
};

/// Whether an input is a parameter of the policy, which may refuse a value in the range as well, in its own words.
inline bool is_parameter(const cluster_variable& variable) {
  return variable.use == cluster_variable::role::input && variable.name.rfind("policy.", 0) == 0;
}

/// Whether the range of an input is left to the policy to check.
inline bool is_left_to_policy(const cluster_variable& variable) { return is_parameter(variable) && !variable.whole; }

/// Checks that a variable can be set to a value, unless the policy does.
/// @throws std::invalid_argument for an output, and for a value out of the input's range, with what was expected
inline void check_value(const cluster_variable& variable, double value) {
  std::ostringstream text;
  text << "'" << variable.name << "' ";
  if (variable.use != cluster_variable::role::input) {
    text << "is an output; expected an input";
  } else {
    const bool in_range = value >= variable.least && value <= variable.most && !std::isinf(value);
    if (in_range && (!variable.whole || value == std::floor(value))) return;
    if (is_left_to_policy(variable) && !std::isinf(value)) return;
    text << "is set to " << value << "; expected a " << (variable.whole ? "whole number" : "number") << " from "
         << variable.least << " to " << variable.most;
  }
  throw std::invalid_argument(text.str());
}

}  // namespace muster
