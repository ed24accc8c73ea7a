#pragma once

#include <functional>

namespace muster {

/// How muster ends; scripts rely on it.
enum exit_status {
  done = 0,
  differs = 1,  ///< of `compare` alone: something differs beyond chance
  bad_input = 2,
  fault = 3,
  interrupted = 130
};

/// What an error says of standard output that a full disk, or nobody, takes.
inline constexpr const char* unwritable_output = "standard output: cannot be written";

/// What `act` returns. If it throws, what has gone wrong goes to standard error, and decides on the status.
int reporting_errors(const std::function<int()>& act);

}  // namespace muster
