#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/model/scenario.h"
#include "platform/scenario/log_class_rule.h"
#include "platform/scenario/log_file.h"

namespace muster {

/// What the keys of `arrivals` say of the jobs of a log.
struct log_keys {
  bool allocated = false;                                           ///< whether processors are those that the job had
  std::optional<std::size_t> memory;                                ///< resource that memory is
  std::vector<std::size_t> resources{};                             ///< what log_file::amounts are of
  double from = 0.0, to = std::numeric_limits<double>::infinity();  ///< seconds since the first arrival
  double scale = 1.0;
  double share = 1.0;      ///< of the users whose jobs are taken
  std::uint64_t seed = 0;  ///< by which they are drawn
  bool replays_dependencies = false;
  std::optional<log_class_rule> class_by;
  const log_file* queue = nullptr;  ///< jobs that wait or run at time 0, whose names begin with the log's; null: none
};

/// Gives a scenario the jobs of a log, behind those that wait or run at time 0, the classes that they become, with all
/// needs, and a note on what was left out. The jobs are counted to their classes later, by count_listed_jobs().
/// @param longest end of the clock, in units of time
/// @param model with its servers, and without classes
/// @return the key that is at fault, and why; nothing: there are jobs
std::optional<std::pair<std::string_view, std::string>> take_jobs_of_log(const log_file& log, const log_keys& keys,
                                                                         double longest, scenario& model);

}  // namespace muster
