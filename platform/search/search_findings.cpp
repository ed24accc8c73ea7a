#include "platform/search/search_findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "platform/metrics/sample.h"

namespace muster {

namespace {

double sum_of_squares(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0.0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return sum;
}

constexpr std::uint32_t most_replications = 10'000;

// The replications with which a bound is told to be met or violated, as half-widths shrink by the root of their number.
std::optional<std::uint32_t> replications_for(double bound, const std::vector<double>& values, double alpha) {
  const double apart = std::abs(mean_of(values) - bound), deviation = std::sqrt(variance_of(values));
  const auto suffices = [&](double n) {
    return students_quantile(n - 1.0, 1.0 - alpha) * deviation / std::sqrt(n) <= apart;
  };
  for (double n = static_cast<double>(values.size()); n <= most_replications; n = std::ceil(n * 1.2))
    if (suffices(n)) return static_cast<std::uint32_t>(n);
  return std::nullopt;
}

std::optional<std::uint32_t> replications_for(const trial& c, const search_terms& terms, double alpha) {
  std::uint32_t most = 0;
  for (std::size_t k = 0; k < c.meets.size(); ++k) {
    if (c.meets[k] != 0) continue;
    const search_constraint& bound = terms.constraints[k];
    const auto n = replications_for(bound.bound, c.found[bound.series], alpha);
    if (!n) return std::nullopt;
    most = std::max(most, *n);
  }
  return most;
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
    if (by_value.size() < 2 || total <= 0.0) return {};
    double within = 0.0;
    for (const auto& [value, values] : by_value) within += sum_of_squares(values);
    shares.push_back(1.0 - within / total);
  }
  return shares;
}

deciding_budget budget_to_decide(const search_result& found, const search_terms& terms) {
  deciding_budget all{0, 0, terms.replications, found.spent};
  const double alpha = found.error_of_a_statement();
  const auto is_open = [](const trial& c) { return c.is_left() && !c.meets_all() && c.replications() > 1; };
  for (const trial& c : found.tried) {
    if (!is_open(c)) continue;
    ++all.open;
    const auto n = replications_for(c, terms, alpha);
    if (!n) continue;
    ++all.decided;
    all.replications = std::max(all.replications, *n);
  }
  for (const trial& c : found.tried)
    if (c.is_left() && c.replications() < all.replications) all.budget += all.replications - c.replications();
  return all;
}

std::vector<exclusion> exclusions_among(const std::vector<trial>& tried) {
  std::map<std::string, exclusion> kinds;  // by the reason without its numbers
  for (const trial& t : tried) {
    if (!t.is_excluded()) continue;
    std::string reason;
    for (const char letter : t.why)
      if (std::string_view("0123456789.e+-").find(letter) == std::string_view::npos) reason += letter;
    exclusion& of = kinds[reason];
    if (++of.count == 1) of.first = &t;
  }
  std::vector<exclusion> all;
  all.reserve(kinds.size());
  for (const auto& [reason, of] : kinds) all.push_back(of);
  return all;
}

}  // namespace muster
