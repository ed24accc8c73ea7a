#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/experiment/study_results.h"
#include "platform/experiment/task_runner.h"
#include "platform/model/study.h"
#include "platform/simulation/replication.h"

namespace muster {

/// A replication that ended with a fault: the policy broke a rule, or the model is wrong.
class simulation_fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct run_options {
  std::filesystem::path out;
  bool force = false;
  bool quiet = false;
  watching watch;                         ///< every replication, but for traces
  std::vector<const trace_kind*> traces;  ///< of the first replication of each point, left in `out`
  std::string command;                    ///< as typed, for the manifest
  code_fingerprint code;                  ///< that runs, see result_directory
  /// Command to which `--point P --replication R --no-fork` is added, to be told after a fault; empty: nothing is told.
  std::string rerun;
  std::vector<std::string> warnings;  ///< given before the run, for the manifest
  /// Called at the end, when all else is in the directory, also after a fault; empty: nothing more is written.
  std::function<void(const result_directory& directory, const study& s, bool with_figures)> write_report;
};

struct run_summary {
  study_results found;
  std::vector<std::string> notes;  ///< what a reader should know: of each point one line, of the run some more
  bool interrupted = false;
};

/// Runs every replication of every point in worker processes and stores the results in the output directory. What an
/// earlier run of the same study has stored there is not run again.
///
/// SIGINT and SIGTERM end it early; points that are complete by then are kept, without exact values and figures. The
/// numbers do not depend on the workers, nor on whether it was ended and begun again.
/// @param known the stability of each point, by examine_points()
/// @throws simulation_fault, output_error; std::runtime_error if something cannot be written; what was finished is
/// stored even so
run_summary run_study(const study& s, const std::vector<stability>& known, const run_options& options,
                      task_runner& runner);

}  // namespace muster
