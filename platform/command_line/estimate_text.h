#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "platform/metrics/caution.h"

namespace muster {

/// "4373 +- 2.6e+03": a mean and the half-width of its interval, if it has one.
std::string with_half_width(double mean, const std::optional<double>& ci_low, int digits = 4);

/// A number of a table with the letters of what is to be known of it: "4373 +- 2.6e+03 b".
std::string marked(const std::string& number, const cautions& marks);

/// What the letters of a table stand for, a line each.
std::string explained(const cautions& marks);

/// "1 point", "2 points".
std::string counted(std::size_t n, const char* what);

}  // namespace muster
