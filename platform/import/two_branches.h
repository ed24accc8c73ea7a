#pragma once

#include <optional>
#include <vector>

namespace muster {

/// A mixture of two exponential laws.
struct two_branches_fit {
  double first_probability, first_mean, second_mean;
};

/// The mixture of the greatest likelihood, found by expectation and maximisation (Dempster, Laird and Rubin, 1977),
/// which keeps the mean of the sample. It is begun twice: with the mixture of equal loads that has the sample's
/// variance, and with the halves of the sample. Samples of very many values are grouped, neighbours to their mean.
/// @param values ascending, each once @param counts how often each comes
/// @return nothing: one branch has all, or none can be found
std::optional<two_branches_fit> fit_two_branches(const std::vector<double>& values, const std::vector<double>& counts);

}  // namespace muster
