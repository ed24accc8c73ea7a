#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "platform/metrics/control_variates.h"
#include "platform/metrics/sample.h"

namespace muster {

/// The pseudo-values of a function of means (Tukey, 1958), shifted so that their mean is the function of the means over
/// all replications. Their parts are what each part of a window adds to it, and tell of the skewness.
/// @param values of each class, in the same replications; at least one class, and two replications
/// @param function of the means of the classes
template <class Function>
replicated_values jackknife(const std::vector<replicated_values>& values, const Function& function) {
  std::vector<double> means;
  means.reserve(values.size());
  for (const replicated_values& of_class : values) means.push_back(mean_of(of_class.values));
  const double of_all = function(means);
  // The function where the sample of `weight` values has lost one, or gained one where the weight is negative.
  const auto pseudo_value = [&](double weight, const auto& value_of_class) {
    std::vector<double> others;
    others.reserve(values.size());
    for (std::size_t c = 0; c < values.size(); ++c)
      others.push_back((weight * means[c] - value_of_class(values[c])) / (weight - 1.0));
    return weight * of_all - (weight - 1.0) * function(others);
  };
  const std::vector<std::size_t>& replications = values.front().replications;
  const std::size_t parts = values.front().parts.size();
  const bool has_parts = std::all_of(values.begin(), values.end(),
                                     [&](const replicated_values& of_class) { return of_class.parts.size() == parts; });
  std::vector<double> pseudo_values;
  for (std::size_t r = 0; r < replications.size(); ++r)
    pseudo_values.push_back(pseudo_value(static_cast<double>(replications.size()),
                                         [&](const replicated_values& of_class) { return of_class.values[r]; }));
  replicated_values all;
  all.bias = of_all - mean_of(pseudo_values);
  for (std::size_t r = 0; r < replications.size(); ++r) all.add(replications[r], pseudo_values[r] + all.bias, {});
  for (std::size_t part = 0; has_parts && part < parts; ++part)
    all.parts.push_back(pseudo_value(-static_cast<double>(parts),
                                     [&](const replicated_values& of_class) { return of_class.parts[part]; }));
  return all;
}

}  // namespace muster
