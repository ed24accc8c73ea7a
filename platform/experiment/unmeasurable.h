#pragma once

#include <string>

#include "platform/experiment/search_range.h"

namespace muster {

/// A value that a search has left out.
struct left_out {
  double value;
  std::string why;
};

/// Ends a search that had to leave out all values.
/// @param shown one of them
/// @throws simulation_fault if it is left out by a fault, else results_error
[[noreturn]] void throw_unmeasurable(const search_range& range, const left_out& shown, bool by_fault);

}  // namespace muster
