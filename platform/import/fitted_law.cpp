#include "platform/import/fitted_law.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/import/law_families.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

fitted_law judged(const law_family& family, const distinct_values& sample) {
  fitted_law fit{std::string{family.name}, family.values, family.parameters};
  double log_likelihood = 0.0, below = 0.0;
  for (std::size_t n = 0; n < sample.values.size(); ++n) {
    log_likelihood += sample.counts[n] * family.log_density(sample.values[n]);
    const double expected = family.below(sample.values[n]);
    const double up_to = below + sample.counts[n] / sample.number;
    fit.distance = std::max({fit.distance, expected - below, up_to - expected});
    below = up_to;
  }
  fit.log_likelihood = log_likelihood;
  fit.aic = 2.0 * static_cast<double>(family.parameters) - 2.0 * log_likelihood;
  return fit;
}

// Puts the law to take first.
void choose(std::vector<fitted_law>& laws) {
  constexpr double clearly_worse = 10.0;
  std::stable_sort(laws.begin(), laws.end(), [](const fitted_law& a, const fitted_law& b) { return a.aic < b.aic; });
  const double limit = *laws.front().aic + clearly_worse;
  const auto rank = [limit](const fitted_law& law) { return std::tuple(*law.aic > limit, law.parameters, *law.aic); };
  const auto chosen = std::min_element(laws.begin(), laws.end(),
                                       [&](const fitted_law& a, const fitted_law& b) { return rank(a) < rank(b); });
  std::rotate(laws.begin(), chosen, chosen + 1);
}

}  // namespace

std::string fitted_law::text() const {
  std::string all = fmt::format("{{ distribution = \"{}\"", name);
  for (const auto& [parameter, numbers] : values) {
    std::vector<std::string> texts;
    for (const double x : numbers) texts.push_back(shortest(x));
    all += fmt::format(texts.size() == 1 ? ", {} = {}" : ", {} = [{}]", parameter, fmt::join(texts, ", "));
  }
  return all + " }";
}

sample_moments moments_of(const std::vector<double>& sample) {
  sample_moments of;
  of.number = sample.size();
  double sum = 0.0, squares = 0.0;
  for (const double x : sample) sum += x;
  of.mean = sum / static_cast<double>(of.number);
  for (const double x : sample) squares += (x - of.mean) * (x - of.mean);
  of.cv = std::sqrt(squares / static_cast<double>(of.number)) / of.mean;
  return of;
}

std::vector<fitted_law> fit_laws(std::vector<double> sample) {
  constexpr double values_a_parameter = 10.0;
  const distinct_values counted(std::move(sample));
  std::vector<fitted_law> laws;
  if (counted.values.size() == 1) {
    laws.push_back({"deterministic", {{"value", {counted.values.front()}}}, 1});
    return laws;
  }
  for (const auto fit : law_fits()) {
    const std::optional<law_family> family = fit(counted);
    if (!family) continue;
    const auto parameters = static_cast<double>(family->parameters);
    if (parameters > 1.0 && counted.number < values_a_parameter * parameters) continue;
    fitted_law law = judged(*family, counted);
    if (std::isfinite(*law.log_likelihood)) laws.push_back(std::move(law));
  }
  choose(laws);
  return laws;
}

}  // namespace muster
