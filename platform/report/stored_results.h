#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "platform/model/scenario.h"
#include "platform/report/csv_table.h"
#include "platform/results/result_directory.h"

namespace muster {

/// One of the tables with a row for each estimate, and where its columns are.
struct estimate_table {
  csv_table text;
  std::size_t point, class_name, metric, estimate, low, high;
  std::optional<std::size_t> note;  ///< none: of an earlier version

  std::size_t point_of(const std::vector<std::string>& row) const { return std::stoul(row[point]); }
};

/// What a run has left in its directory, checked: every point is one of the study's, every number is a number.
struct stored_results {
  estimate_table results;
  std::optional<estimate_table> known;   ///< theory.csv
  std::optional<csv_table> differences;  ///< differences.csv
  std::optional<csv_table> presence;     ///< jobs_in_system.csv
  std::string manifest;                  ///< JSON
};

/// @throws output_error that names the file, the line and what was expected
stored_results read_stored_results(const result_directory& directory, const study& s);

}  // namespace muster
