#include "platform/search/key_effects.h"

#include <algorithm>
#include <map>

#include "platform/metrics/sample.h"

namespace muster {

namespace {

double sum_of_squares(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0.0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return sum;
}

}  // namespace

std::vector<double> shares_of_variance(const search_result& found, std::size_t key, std::size_t series) {
  std::vector<const trial*> measured;
  for (std::size_t c = 0; c < found.coarse; ++c)
    if (!found.tried[c].is_excluded()) measured.push_back(&found.tried[c]);
  if (measured.size() < 2) return {};
  std::size_t replications = measured.front()->replications();
  for (const trial* c : measured) replications = std::min(replications, c->replications());
  std::vector<double> shares;
  for (std::size_t r = 0; r < replications; ++r) {
    std::vector<double> all;
    std::map<double, std::vector<double>> by_value;
    for (const trial* c : measured) {
      all.push_back(c->found[series][r]);
      by_value[c->values[key]].push_back(all.back());
    }
    const double total = sum_of_squares(all);
    if (total <= 0.0) return {};
    double within = 0.0;
    for (const auto& [value, values] : by_value) within += sum_of_squares(values);
    shares.push_back(1.0 - within / total);
  }
  return shares;
}

}  // namespace muster
