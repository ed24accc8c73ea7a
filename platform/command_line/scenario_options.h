#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
class Option;
}  // namespace CLI

namespace muster {

/// The scenario of a command, and what replaces values in it.
struct scenario_options {
  std::string file;
  std::vector<std::string> settings;
  std::string seed, replications;

  /// The scenario and --set.
  void add_to(CLI::App& command);
  /// --seed and --replications.
  void add_replications_to(CLI::App& command, const std::string& help);
  /// All that replaces values, as after --set: the last one counts.
  std::vector<std::string> overrides() const;
};

/// --out
void add_directory(CLI::App& command, std::string& out, const std::string& help);
/// -j
CLI::Option* add_workers(CLI::App& command, std::optional<std::size_t>& workers, const std::string& left_out = "");
/// As many workers as processors.
std::size_t usual_workers();

}  // namespace muster
