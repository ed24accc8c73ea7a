#pragma once

#include <string>
#include <string_view>

#include "platform/model/platform_spec.h"
#include "platform/model/time_unit.h"
#include "platform/scenario/named_file.h"

namespace muster {

/// A CSV file with a header, whose columns a scenario names. Blank lines, blanks around a field, a byte order mark and
/// line ends of either kind are allowed.
struct column_file : named_file {
  static constexpr std::string_view kind = "table";

  /// Does nothing: which columns are read depends on the scenario.
  void parse() {}
};

/// The steps of a column of a file, each from the time of its line to that of the next.
/// @param time column of the times, ascending: numbers in units of time, or dates, of which the first is time 0
/// @param value column of the values, numbers from 0 to 10^9
/// @param report gets what is wrong with the file
step_function read_steps(const column_file& file, const std::string& time, const std::string& value,
                         const time_unit& unit, named_file& report);

}  // namespace muster
