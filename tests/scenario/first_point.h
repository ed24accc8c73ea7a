#pragma once

#include <string>
#include <vector>

#include "platform/scenario/scenario_file.h"

namespace muster {

/// The scenario of the first point of a text.
inline scenario first_point(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return read_study(text, "test", overrides).points.front().model;
}

}  // namespace muster
