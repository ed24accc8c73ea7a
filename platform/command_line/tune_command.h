#pragma once

#include <string>

#include "platform/command_line/search_options.h"
#include "platform/model/scenario.h"

namespace muster {

/// `muster tune SCENARIO --over KEY=LOW:HIGH --minimize METRIC`.
class tune_command {
 public:
  explicit tune_command(CLI::App& app);
  bool given() const;
  CLI::App* command() const { return command_; }
  /// Seeks the best value at every point of the scenario and prints what was found. @return the exit status
  /// @throws scenario_error, results_error, output_error, search_interrupted
  int run() const;

 private:
  study read(const search_range& range, double value) const;

  CLI::App* command_;
  search_options search_;
  std::string minimize_, maximize_;
};

}  // namespace muster
