#pragma once

#include <functional>
#include <limits>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/random/exponential_distribution.hpp>

#include "platform/random/random_stream.h"

namespace muster {

/// Draws from any law, of which it holds a copy.
class any_sampler {
 public:
  /// @param law callable with a random_stream& and with a compact_random_stream&; returns a double
  template <class Law>
  explicit any_sampler(const Law& law) : draw_(law), draw_compact_(law) {}

  double operator()(random_stream& bits) { return draw_(bits); }
  double operator()(compact_random_stream& bits) { return draw_compact_(bits); }

 private:
  std::function<double(random_stream&)> draw_;
  std::function<double(compact_random_stream&)> draw_compact_;
};

/// Draws from a law. Exponential times, the most frequent ones, are drawn without a virtual call.
using sampler = std::variant<boost::random::exponential_distribution<double>, any_sampler>;

/// A number from 0 to below 1.
template <class Bits>
double uniform_number(Bits& bits) {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

class checked_values;

/// The change of a parameter when all values of the distribution are multiplied by a factor.
enum class under_scaling { multiplied, divided, plus_logarithm, unchanged };

/// One parameter of a distribution, as written in a scenario.
struct distribution_parameter {
  std::string_view name;
  std::string_view range;  ///< for messages and help, such as "> 0"; empty: any number
  under_scaling scaled = under_scaling::unchanged;
  bool list = false;   ///< the value is a list of numbers
  bool whole = false;  ///< the numbers are whole
};

/// One of the alternative lists of parameters of a distribution; a scenario gives exactly those of one form.
using distribution_form = std::vector<distribution_parameter>;

/// A law of positive times with exactly known mean and variance.
struct probability_law {
  double mean;
  double variance;  ///< infinite where the variance does not exist
  sampler draw;
  /// Whether the tail is heavier than an exponential one, or bounded but nearly so: samples rarely show the true
  /// variance.
  bool heavy_tail = false;
  /// Whether the inverse of a time has no finite variance: times near 0 are frequent.
  bool small_times = false;
  /// The order from which on moments are infinite.
  double infinite_moment = std::numeric_limits<double>::infinity();
};

/// A law with many small times, see probability_law::small_times.
inline probability_law with_small_times(probability_law law, bool small = true) {
  law.small_times = small;
  return law;
}

/// The description of a distribution for parser, help and documentation. A file NAME.cpp of distributions/ defines
/// `const distribution_entry NAME_distribution`.
struct distribution_entry {
  std::string_view name;
  std::string_view about;
  std::vector<distribution_form> forms;
  /// @throws std::invalid_argument that names the parameter, what was expected and what was found
  probability_law (*make)(const checked_values& values);
};

/// All distributions, by name.
const std::vector<const distribution_entry*>& distribution_catalogue();

/// The parameter `mean`, which all distributions that have it scale alike.
inline const distribution_parameter mean_parameter{"mean", "> 0", under_scaling::multiplied};

}  // namespace muster
