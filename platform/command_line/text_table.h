#pragma once

#include <string>
#include <vector>

namespace muster {

/// Lines of fields set in columns: the first row is the head, numbers to the right.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace muster
