#pragma once

#include <string>
#include <vector>

#include "platform/calibration/replay_comparison.h"
#include "platform/calibration/told_values.h"
#include "platform/tables/table_document.h"

namespace muster {

/// What `calibrate` prints of the values that the log tells.
/// @param calibrated the replay with their settings; null: none was made
table_document told_text(const std::vector<told_value>& values, const replay_comparison& before,
                         const replay_comparison* calibrated, const time_unit& unit);

/// A row for each value.
data_table told_table(const std::vector<told_value>& values);
/// Lines as comments of a scenario.
std::string as_comment(const std::string& lines);

}  // namespace muster
