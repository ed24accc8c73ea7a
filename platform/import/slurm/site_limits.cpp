#include "platform/import/slurm/site_limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "platform/log/log_text.h"

namespace muster {

namespace {

bool take_number(std::string_view parameter, std::string_view value, site_limits& limits) {
  constexpr double most = 1e9;
  const auto number = number_of(value);
  if (value == "-1") {
    limits.erase(std::string(parameter));
    return true;
  }
  const double least = same_word(parameter, "Priority") ? 0.0 : 1.0;  // a limit of 0 would let no job start
  if (!number || *number < least || *number > most || *number != std::floor(*number)) return false;
  limits.insert_or_assign(std::string(parameter), fmt::format("{:.0f}", *number));
  return true;
}

}  // namespace

std::vector<std::string_view> take_limit(const limit_key& key, std::string_view value, site_limits& limits) {
  std::vector<std::string_view> left;
  if (key.of_nodes.empty()) {
    if (!take_number(key.parameter, value, limits)) left.push_back(value);
    return left;
  }
  std::vector<std::string_view> parts;
  split(value, ',', parts);
  left.reserve(parts.size());
  for (const std::string_view part : parts) {
    const std::size_t sign = std::min(part.find('='), part.size());
    const std::string_view name = part.substr(0, sign), number = part.substr(std::min(sign + 1, part.size()));
    const bool is_known = same_word(name, "cpu") || same_word(name, "node");
    if (!is_known || !take_number(same_word(name, "cpu") ? key.parameter : key.of_nodes, number, limits))
      left.push_back(part);
  }
  return left;
}

bool excludes(const site_limits& limits, double cores, double nodes) {
  const auto below = [&](const char* name, double amount) {
    const auto found = limits.find(name);
    const double most = found == limits.end() ? 0.0 : number_of(found->second).value_or(0.0);
    return most > 0.0 && most < amount;
  };
  return below("GrpCPUs", cores) || below("MaxCPUsPerUser", cores) || below("GrpNodes", nodes) ||
         below("MaxNodesPerUser", nodes);
}

}  // namespace muster
