#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/random/distribution_entry.h"

namespace muster {

/// The values of a distribution's parameters by name.
using distribution_values = std::vector<std::pair<std::string, std::vector<double>>>;

/// @return the values of a parameter, or null if there is no such parameter
inline const std::vector<double>* find_values(const distribution_values& values, std::string_view name) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
  return found == values.end() ? nullptr : &found->second;
}

/// The values of one form of a distribution, whose ranges each access checks.
///
/// All members but has() throw std::invalid_argument that names the parameter, what was expected and what was found.
class checked_values {
 public:
  checked_values(const distribution_form& form, const distribution_values& values) : form_(form), values_(values) {}

  bool has(std::string_view name) const { return find_values(values_, name) != nullptr; }
  /// A finite number.
  double number(std::string_view name) const {
    const std::vector<double>& given = *find_values(values_, name);
    if (given.size() != 1) refuse(name, fmt::format("{} numbers", given.size()));
    if (!std::isfinite(given.front())) refuse(name, given.front());
    return given.front();
  }
  double above(std::string_view name, double limit = 0.0) const {
    const double given = number(name);
    if (!(given > limit)) refuse(name, given);
    return given;
  }
  double at_least(std::string_view name, double limit) const {
    const double given = number(name);
    if (!(given >= limit)) refuse(name, given);
    return given;
  }
  /// A whole number from 1 to 10000.
  double count(std::string_view name) const {
    const double given = number(name);
    if (!is_count(given)) refuse(name, given);
    return given;
  }
  std::vector<double> counts(std::string_view name, std::size_t expected) const {
    const std::vector<double>& given = *find_values(values_, name);
    if (given.size() != expected) refuse(name, fmt::format("{} numbers", given.size()));
    for (const double n : given)
      if (!is_count(n)) refuse(name, n);
    return given;
  }
  /// A list of at least one number, all above 0.
  const std::vector<double>& list_above_zero(std::string_view name) const {
    const std::vector<double>& given = *find_values(values_, name);
    if (given.empty()) refuse(name, "none");
    for (const double x : given)
      if (!(x > 0.0) || !std::isfinite(x)) refuse(name, x);
    return given;
  }
  /// Numbers above 0 whose sum is 1 within 1e-9, as the user may have rounded them; their sum is made 1 to rounding.
  std::vector<double> probabilities() const {
    std::vector<double> odds = list_above_zero("probabilities");
    const double sum = std::accumulate(odds.begin(), odds.end(), 0.0);
    if (std::abs(sum - 1.0) > 1e-9) refuse("probabilities", fmt::format("a sum of {}", sum));
    for (double& p : odds) p /= sum;
    return odds;
  }
  [[noreturn]] void refuse(std::string_view name, const std::string& found) const {
    const auto p = std::find_if(form_.begin(), form_.end(), [&](const auto& f) { return f.name == name; });
    const char* kind = p->list ? p->whole ? "whole numbers" : "numbers" : p->whole ? "a whole number" : "a number";
    throw std::invalid_argument(
        fmt::format("{}: expected {}{}{}, found {}", name, kind, p->range.empty() ? "" : " ", p->range, found));
  }
  [[noreturn]] void refuse(std::string_view name, double found) const { refuse(name, fmt::format("{}", found)); }

 private:
  static bool is_count(double number) { return number == std::floor(number) && number >= 1.0 && number <= 10000.0; }

  const distribution_form& form_;
  const distribution_values& values_;
};

}  // namespace muster
