#pragma once

#include <string>

#include "platform/metrics/caution.h"

namespace muster {

/// A number of a table with the letters of what is to be known of it: "4373 +- 2.6e+03 b".
std::string marked(const std::string& number, const cautions& marks);

/// What the letters of a table stand for, a line each.
std::string explained(const cautions& marks);

}  // namespace muster
