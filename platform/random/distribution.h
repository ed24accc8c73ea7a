#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "platform/random/checked_values.h"
#include "platform/random/distribution_entry.h"

namespace muster {

/// A distribution of positive times with exactly known mean and variance.
class distribution {
 public:
  distribution() : distribution(make("deterministic", {{"value", {1.0}}})) {}

  /// @param values one of the entry's forms, complete
  /// @throws std::invalid_argument that names the parameter, what was expected and what was found
  static distribution make(std::string_view name, const distribution_values& values);

  const std::string& name() const { return name_; }
  /// The values of the parameters, in the order of the catalogue's form.
  const distribution_values& values() const { return values_; }
  double mean() const { return law_.mean; }
  /// The variance; infinite where it does not exist.
  double variance() const { return law_.variance; }
  /// Whether the tail is heavy, see probability_law.
  bool heavy_tailed() const { return law_.heavy_tail; }
  /// Whether times near 0 are frequent, see probability_law.
  bool has_small_times() const { return law_.small_times; }
  /// The order from which on moments are infinite.
  double infinite_moment() const { return law_.infinite_moment; }
  /// The same distribution with all values multiplied by a factor > 0; values() returns the resulting parameters.
  distribution scaled(double factor) const;

  /// @param bits a random_stream or compact_random_stream
  template <class Bits>
  double operator()(Bits& bits) {
    if (auto* const exponential = std::get_if<boost::random::exponential_distribution<double>>(&law_.draw))
      return (*exponential)(bits);
    return (*std::get_if<any_sampler>(&law_.draw))(bits);
  }

 private:
  distribution(std::string_view name, distribution_values values, probability_law law)
      : name_(name), values_(std::move(values)), law_(std::move(law)) {}

  std::string name_;
  distribution_values values_;
  probability_law law_;
};

}  // namespace muster
