#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// A CSV table (RFC 4180) as text: nothing is rounded on the way from a stored result to what is shown of it.
struct csv_table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< each with as many fields as there are columns
  std::vector<std::size_t> lines;              ///< of the file, counted from 1; where each row begins

  std::optional<std::size_t> column(std::string_view name) const;
};

/// @param name of the file, for messages
/// @throws output_error if it is empty, a row has too few or too many fields, or a quote is not closed
csv_table read_csv(std::string_view text, const std::string& name);

/// A number as results.csv has it, perhaps `inf` or `nan`. @return nothing if it is no number
std::optional<double> number_of(const std::string& field);

}  // namespace muster
