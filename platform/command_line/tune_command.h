#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/command_line/scenario_options.h"
#include "platform/scenario/scenario.h"

namespace muster {

/// `muster tune SCENARIO --over KEY=LOW:HIGH --minimize METRIC`.
class tune_command {
 public:
  explicit tune_command(CLI::App& app);
  bool given() const;
  CLI::App* command() const { return command_; }
  /// Seeks the best value at every point of the scenario and prints what was found. @return the exit status
  /// @throws scenario_error, results_error, output_error
  int run() const;

 private:
  std::string key() const;
  std::vector<std::string> overrides() const;
  study read(const std::string& value) const;

  CLI::App* command_;
  scenario_options scenario_;
  std::string over_, minimize_, maximize_, class_name_ = "all", out_, seed_, replications_;
  std::size_t budget_ = 0;
  std::size_t workers_;
  bool quiet_ = false;
};

}  // namespace muster
