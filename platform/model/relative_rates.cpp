#include "platform/model/relative_rates.h"

#include <algorithm>
#include <numeric>

namespace muster {

std::optional<std::pair<std::string_view, std::string>> objection_to_rates(const std::vector<double>& rates) {
  if (std::any_of(rates.begin(), rates.end(), [](double rate) { return rate > 0.0; })) return std::nullopt;
  return {{"rates", "expected at least one rate > 0, found none"}};
}

std::vector<double> over_their_mean(const std::vector<double>& rates, const std::vector<double>& lengths) {
  const double arrivals = std::inner_product(rates.begin(), rates.end(), lengths.begin(), 0.0);
  const double time = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  std::vector<double> scaled = rates;
  for (double& rate : scaled) rate *= time / arrivals;
  return scaled;
}

}  // namespace muster
