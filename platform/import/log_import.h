#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/import/arrival_rates.h"
#include "platform/import/fitted_law.h"
#include "platform/import/job_figures.h"
#include "platform/log/log_format.h"
#include "platform/scenario/log_class_rule.h"

namespace muster {

/// Servers that are alike.
struct equal_servers {
  std::uint32_t count = 1, cores = 1;
};

/// What is asked of a log.
struct import_request {
  std::string path, name;  ///< of the log and of the scenario
  log_columns columns{};
  std::string class_by{};  ///< as `arrivals.class_by` has it; empty: by needs, see class_rule_by_needs()
  bool allocated = false;  ///< whether processors are those that jobs had, else those requested
  std::optional<equal_servers> servers{};  ///< none: what the log says of its machine
};

/// A class of jobs that is fitted.
struct fitted_class {
  std::string name;
  std::uint32_t need = 1;                ///< mean of its jobs, rounded
  std::uint32_t least = 1, largest = 1;  ///< need of its jobs
  double mean_need = 1.0, share = 0.0;
  sample_moments run;            ///< of run times, in seconds
  std::vector<fitted_law> laws;  ///< of run times; the first one is taken
};

/// What users request in relation to what their jobs take.
struct request_ratio {
  std::size_t jobs = 0;  ///< that have a request
  double of_sums = 0.0;  ///< all requested time over all run time: the mean ratio, weighted by run time
  double median = 0.0;   ///< of jobs
};

/// A log, and the model that is fitted to it.
struct fitted_log {
  std::string name, file;            ///< of the scenario, and of the log without its folder
  std::string class_by;              ///< the rule of its classes
  std::vector<std::string> notes{};  ///< what the log is, what was left out, and what the model rests on, in sentences
  equal_servers servers{};
  job_sample jobs{};
  fitted_arrivals arrivals{};
  bool known_days = false;  ///< whether weeks begin on Monday, else at the first arrival
  std::vector<fitted_class> classes{};
  std::optional<request_ratio> requests{};

  double capacity() const { return static_cast<double>(servers.count) * servers.cores; }
};

/// Reads a log and fits a model to it.
/// @throws log_error if nothing can be read; std::invalid_argument that begins with the option that does not fit it
fitted_log fit_log(const import_request& request);

/// Reads `COUNTxCORES`; nothing: it is no such text.
std::optional<equal_servers> servers_of_text(std::string_view text);

}  // namespace muster
