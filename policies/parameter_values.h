#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "muster/policies/catalogue.h"

// The values of a policy's parameters: checked against their ranges, and completed by defaults.

namespace muster {

/// What a parameter of a class is refused for.
/// @{
inline constexpr const char* no_order_of_a_class =
    "a parameter of a class cannot be an order of classes; expected another type";
inline constexpr const char* no_schedules_of_a_class =
    "a parameter of a class cannot be schedules; expected another type";
/// @}

/// The properties of a cluster that the ranges of parameters depend on.
struct known_cluster {
  std::int64_t cores;
  const cluster_view* classes;  ///< null: the parameters are those of a class

  /// @throws policy_error if the parameters are those of a class
  const cluster_view& all_classes() const {
    if (!classes) throw policy_error(no_order_of_a_class);
    return *classes;
  }
};

/// Checks the values that are given, and adds the defaults of those that are not.
/// @param whose owner of the parameters, for messages
/// @param policy name that the settings use in messages
/// @throws policy_error that names owner and parameter
settings complete_settings(const std::string& whose, std::string_view policy, const std::vector<parameter>& of,
                           const known_cluster& known, const settings& given);

/// The parameter of that name; null: there is none.
const parameter* find_parameter(const std::vector<parameter>& parameters, std::string_view name);

/// A number in as few digits as tell it.
std::string shown_number(double number);

}  // namespace muster
