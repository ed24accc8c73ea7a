#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/policies/utility.h"
#include "platform/toml/schema.h"

namespace muster {

/// How a job's utility grows with the share of its work that is done; both run from 0 to 1.
class utility_function {
 public:
  /// (share of the work, utility), joined by straight lines.
  using points = std::vector<std::pair<double, double>>;

  /// @name Their shapes. Source: ISPEED paper, Figures 3 to 5
  /// @{
  /// @param steepness > 0
  static utility_function logarithmic(double steepness);
  /// @param steepness > 0
  static utility_function exponential(double steepness);
  /// @param tasks whole, 1 to 1e6: nothing counts of a task that is not complete
  static utility_function steps(double tasks);
  /// @param share of the work that brings nothing, >= 0 and < 1 @param steepness > 0, of what follows
  static utility_function set_up(double share, double steepness);
  /// @param corners the first (0, 0); shares increase up to 1 by 1e-9 or more, utilities never decrease
  static utility_function through(const points& corners);
  /// @}

  /// The utility that each unit of a job adds, one by one.
  ///
  /// Where the function is concave, and nothing is lost to the initialisation, the gains never increase, to the last
  /// bit; along a straight line they are all equal. So rounding never decides which job is served first.
  /// @param units 1 to 1e6
  /// @param initialisation share of the units that come first and bring nothing, >= 0 and < 1
  /// @param value of the whole job, > 0
  /// @return U(n) = value f(max(0, n - I W) / (W - I W)) for W units and initialisation I
  std::shared_ptr<const utility> of_units(unsigned units, double initialisation, double value) const;

 private:
  /// What work from one number of units to another, of so many, adds to a utility that ends at `value`.
  using increase = std::function<double(double from, double to, double units, double value)>;

  utility_function(increase gain, double concave_from) : gain_(std::move(gain)), concave_from_(concave_from) {}
  static utility_function of_formula(std::function<double(double)> f, double concave_from);

  increase gain_;
  double concave_from_;  // share of the work; 1: nowhere
};

/// A utility function that a scenario may name; the table feeds parser, help and documentation.
struct utility_entry {
  std::string_view name;
  std::string_view about;
  std::vector<described_key> parameters;  ///< numbers, or integers
  /// @param values of the parameters in their order, each in its range
  utility_function (*make)(const std::vector<double>& values);
};

/// @name Quality of a web search over the share of its work that is done, as users have rated it
/// Source: ISPEED paper, Figure 5.
/// @{
utility_function::points google_search_points();
utility_function::points bing_search_points();
/// @}

/// All utility functions with a name, in the order in which they are listed; the first is the default.
const std::vector<utility_entry>& utility_catalogue();

}  // namespace muster
