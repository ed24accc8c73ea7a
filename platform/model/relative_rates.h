#pragma once

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
std::optional<std::pair<std::string_view, std::string>> objection_to_rates(const std::vector<double>& rates);

/// The rates of parts over their mean, weighted by how long the parts take.
/// @param lengths of the parts, in any unit; as many as rates
std::vector<double> over_their_mean(const std::vector<double>& rates, const std::vector<double>& lengths);

}  // namespace muster
