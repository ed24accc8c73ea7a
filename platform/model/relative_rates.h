#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/toml/schema.h"

namespace muster {

/// The key of processes whose rate changes: the rates that it takes one after the other. Their mean over time is the
/// rate of the scenario, so that they say how much more jobs arrive at one time than at another.
inline described_key relative_rates_key() {
  constexpr number_range up_to_a_million{"a number from 0 to 1000000", 0.0, false, 1e6};
  return {"rates", numbers_key{{up_to_a_million}, 1, 10'000, "[1.0, 3.0]"}, required{},
          "relative, by part of the period or by state"};
}

/// Why rates cannot be relative ones; nothing: they can.
inline std::optional<std::pair<std::string_view, std::string>> objection_to_rates(const std::vector<double>& rates) {
  if (std::any_of(rates.begin(), rates.end(), [](double rate) { return rate > 0.0; })) return std::nullopt;
  return {{"rates", "expected at least one rate > 0, found none"}};
}

/// The rates of parts over their mean, weighted by how long the parts take.
/// @param lengths of the parts, in any unit; as many as rates
inline std::vector<double> over_their_mean(const std::vector<double>& rates, const std::vector<double>& lengths) {
  const double arrivals = std::inner_product(rates.begin(), rates.end(), lengths.begin(), 0.0);
  const double time = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  std::vector<double> scaled = rates;
  for (double& rate : scaled) rate *= time / arrivals;
  return scaled;
}

}  // namespace muster
