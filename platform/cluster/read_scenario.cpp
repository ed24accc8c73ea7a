#include "platform/cluster/read_scenario.h"

#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/scenario/scenario_file.h"

namespace muster {

scenario read_scenario(const std::string& path, const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<std::string> overrides;
  overrides.reserve(settings.size());
  for (const auto& [key, value] : settings) overrides.push_back(fmt::format("{}={}", key, value));
  study s = read_study(path, overrides);
  if (s.points.size() != 1)
    throw std::invalid_argument(
        fmt::format("{}: the sweep has {} points, and a cluster runs one; expected a value of each swept key: {}", path,
                    s.points.size(), fmt::join(s.keys, ", ")));
  return std::move(s.points.front().model);
}

}  // namespace muster
