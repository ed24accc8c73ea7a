#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "platform/random/sampler.h"

namespace muster {

class checked_values;

/// What becomes of a parameter when all values of the distribution are multiplied by a factor.
enum class under_scaling { multiplied, divided, plus_logarithm, unchanged };

/// One parameter of a distribution, as written in a scenario.
struct distribution_parameter {
  std::string_view name;
  std::string_view range;  ///< for messages and help, such as "> 0"; empty: any number
  under_scaling scaled = under_scaling::unchanged;
  bool list = false;   ///< a list of numbers
  bool whole = false;  ///< a whole number
};

/// Alternative parameters of a distribution; a scenario gives exactly those of one form.
using distribution_form = std::vector<distribution_parameter>;

/// A law of positive times with exactly known mean and variance.
struct probability_law {
  double mean;
  double variance;  ///< infinite where it does not exist
  sampler draw;
  /// The tail is heavier than an exponential one, or bounded but nearly so: samples rarely show their true variance.
  bool heavy_tail = false;
  /// The inverse of a time has no finite variance: times near 0 are frequent.
  bool small_times = false;
  /// Moments of this order and above are infinite.
  double infinite_moment = std::numeric_limits<double>::infinity();
};

/// A law with many small times, see probability_law::small_times.
inline probability_law with_small_times(probability_law law, bool small = true) {
  law.small_times = small;
  return law;
}

/// What a scenario may say of a distribution; feeds parser, help and documentation. A file NAME.cpp of distributions/
/// defines `const distribution_entry NAME_distribution`.
struct distribution_entry {
  std::string_view name;
  std::string_view about;
  std::vector<distribution_form> forms;
  /// @throws std::invalid_argument that names the parameter, what was expected and what was found
  probability_law (*make)(const checked_values& values);
};

/// All distributions, by name.
const std::vector<const distribution_entry*>& distribution_catalogue();

/// The mean, which every distribution that has it scales alike.
inline const distribution_parameter mean_parameter{"mean", "> 0", under_scaling::multiplied};

}  // namespace muster
