#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/random/distribution_entry.h"

namespace muster {

/// The values of a distribution's parameters by name.
using distribution_values = std::vector<std::pair<std::string, std::vector<double>>>;

/// @return the values of a parameter, or null if there is no such parameter
const std::vector<double>* find_values(const distribution_values& values, std::string_view name);

/// The values of one form of a distribution, whose ranges each access checks.
///
/// All members but has() throw std::invalid_argument that names the parameter, what was expected and what was found.
class checked_values {
 public:
  checked_values(const distribution_form& form, const distribution_values& values) : form_(form), values_(values) {}

  bool has(std::string_view name) const { return find_values(values_, name) != nullptr; }
  /// A finite number.
  double number(std::string_view name) const;
  double above(std::string_view name, double limit = 0.0) const;
  double at_least(std::string_view name, double limit) const;
  /// A whole number from 1 to 10000.
  double count(std::string_view name) const;
  std::vector<double> counts(std::string_view name, std::size_t expected) const;
  /// A list of at least one number, all above 0.
  const std::vector<double>& list_above_zero(std::string_view name) const;
  /// Numbers above 0 whose sum is 1 within 1e-9, as the user may have rounded them; their sum is made 1 to rounding.
  std::vector<double> probabilities() const;
  [[noreturn]] void refuse(std::string_view name, const std::string& found) const;
  [[noreturn]] void refuse(std::string_view name, double found) const;

 private:
  const distribution_form& form_;
  const distribution_values& values_;
};

}  // namespace muster
