#include "platform/metrics/replication_result.h"

#include <cmath>

#include <fmt/format.h>

namespace muster {

std::string remark::in_words() const {
  return class_name.empty() ? text : fmt::format("class '{}': {}", class_name, text);
}

std::optional<double> measurement::relative_half_width() const {
  if (!half_width) return std::nullopt;
  return *half_width == 0.0 ? 0.0 : *half_width / std::abs(value);
}

}  // namespace muster
