#include "platform/metrics/replication_result.h"

#include <algorithm>
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

const measurement* replication_result::find(const std::string& class_name, const std::string& metric) const {
  const auto found = std::find_if(measurements.begin(), measurements.end(), [&](const measurement& m) {
    return m.class_name == class_name && m.metric == metric;
  });
  return found == measurements.end() ? nullptr : &*found;
}

}  // namespace muster
