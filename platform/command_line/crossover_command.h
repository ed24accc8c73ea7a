#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "platform/command_line/search_options.h"
#include "platform/experiment/crossover.h"
#include "platform/model/scenario.h"

namespace muster {

/// `muster crossover SCENARIO --over KEY=LOW:HIGH --between POLICY POLICY --metric METRIC`.
class crossover_command {
 public:
  explicit crossover_command(CLI::App& app);
  bool given() const;
  CLI::App* command() const { return command_; }
  /// Seeks the crossings at every point of the scenario and prints them. @return the exit status
  /// @throws scenario_error, results_error, output_error, simulation_fault
  int run() const;

 private:
  /// The scenario with a value of the parameter, under one of the policies.
  class subject;

  void check(const subject& what, const study& first, const study& second) const;
  crossover_terms terms_of(const scenario& what) const;

  CLI::App* command_;
  search_options search_;
  std::vector<std::string> between_;
  std::string metric_, precision_ = "2%";
};

}  // namespace muster
