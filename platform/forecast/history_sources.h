#pragma once

#include <string>

#include "platform/forecast/run_time_history.h"
#include "platform/model/scenario.h"

namespace muster {

/// The jobs of the scenario's log or list that arrive, with the names of their users. Empty: its arrivals are neither.
run_time_history history_of_log(const scenario& model);

/// The jobs of a log.
struct history_of_file {
  run_time_history jobs;
  std::string digest;  ///< tells contents apart
};

/// Reads a log in any format of logs, found by its content. @param unit of the times
/// @throws std::runtime_error that names the file and the line, where nothing can be read
history_of_file read_history(const std::string& path, const time_unit& unit);

}  // namespace muster
