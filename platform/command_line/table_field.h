#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/inference/significance.h"
#include "platform/metrics/estimate.h"

namespace muster {

/// A field of a table: what people read, and what programs read in its place.
struct table_field {
  /// What a column has for programs: one value; an estimate also has NAME_ci_low and NAME_ci_high, a marked one also
  /// NAME_note.
  enum class column_kind { value, interval, marked_interval };

  table_field(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor): as in a row
  table_field(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor): as in a row
  table_field(std::string words, std::optional<double> value) : text(std::move(words)), number(value) {}

  std::string text;
  std::optional<double> number{};             ///< which the text shows; none: it is words, or "-" for nothing
  std::optional<double> ci_low{}, ci_high{};  ///< 95 % interval of the number
  std::string note{};                         ///< why the number should not be taken as it stands

  /// @name Of the field of a head
  /// @{
  std::string name{};  ///< of the column for programs; empty: the text, with `_` in the place of blanks
  column_kind kind = column_kind::value;
  /// @}
};

using table_row = std::vector<table_field>;

/// Heads of columns.
/// @param name see table_field
/// @{
table_field head_of(std::string text, std::string name);
table_field head_of_intervals(std::string text, std::string name = "");
table_field head_of_estimates(std::string text, std::string name = "");
/// @}

/// A number with six digits, "-" where there is none.
table_field number_field(const std::optional<double>& number);
/// What a scenario has, as it stands there: a number for programs where it is one.
table_field setting_field(const std::string& value);
/// "4400 +- 2600 b": mean, half-width of the interval and the letters of what is to be known of it; "-" without a mean.
/// @param digits of the mean at most
table_field estimate_field(const estimate& e, int digits = 4);
/// Of a difference the same; "-" if there is none.
table_field difference_field(const std::optional<difference>& apart, int digits = 4);

/// A row of words, numbers (with six digits, "-" where there is none), settings and fields of other rows.
template <class... Fields>
table_row row_of(const Fields&... fields) {
  table_row row;
  const auto append = [&row](const auto& field) {
    using type = std::decay_t<decltype(field)>;
    if constexpr (std::is_same_v<type, table_row>)
      row.insert(row.end(), field.begin(), field.end());
    else if constexpr (std::is_same_v<type, table_field>)
      row.push_back(field);
    else if constexpr (std::is_same_v<type, std::vector<std::string>>)
      for (const std::string& value : field) row.push_back(setting_field(value));
    else if constexpr (std::is_same_v<type, std::optional<double>> || std::is_floating_point_v<type>)
      row.push_back(number_field(field));
    else if constexpr (std::is_arithmetic_v<type>)
      row.emplace_back(fmt::format("{}", field), static_cast<double>(field));
    else
      row.emplace_back(field);
  };
  (append(fields), ...);
  return row;
}

}  // namespace muster
