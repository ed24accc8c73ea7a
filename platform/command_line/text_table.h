#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "platform/metrics/caution.h"
#include "platform/metrics/number_text.h"

namespace muster {

using table_row = std::vector<std::string>;

/// Lines of fields set in columns: the first row is the head, numbers to the right.
std::string text_table(const std::vector<table_row>& rows);

/// Without the columns that say nothing, "-" or nothing at all, in any row but the head.
std::vector<table_row> without_empty_columns(const std::vector<table_row>& table);

/// A row of words, numbers (with six digits, "-" where there is none) and fields of other rows.
template <class... Fields>
table_row row_of(const Fields&... fields) {
  table_row row;
  const auto append = [&row](const auto& field) {
    using type = std::decay_t<decltype(field)>;
    if constexpr (std::is_same_v<type, table_row>)
      row.insert(row.end(), field.begin(), field.end());
    else if constexpr (std::is_same_v<type, std::optional<double>>)
      row.push_back(field ? fmt::format("{:.6g}", *field) : "-");
    else if constexpr (std::is_floating_point_v<type>)
      row.push_back(fmt::format("{:.6g}", field));
    else
      row.push_back(fmt::format("{}", field));
  };
  (append(fields), ...);
  return row;
}

/// A number of a table with the letters of what is to be known of it: "4400 +- 2600 b".
std::string marked(const std::string& number, const cautions& marks);

/// What the letters of a table stand for, a line each.
std::string explained(const cautions& marks);

/// "1 point", "2 points".
std::string counted(std::size_t n, const char* what);

}  // namespace muster
