#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/tables/table_document.h"

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

  /// Adds the scenario and --set.
  void add_to(CLI::App& command);
  /// Adds --seed and --replications.
  void add_replications_to(CLI::App& command, const std::string& help);
  /// All that replaces values, as after --set: the last one counts.
  std::vector<std::string> overrides() const;
};

/// Adds --out.
void add_directory(CLI::App& command, std::string& out, const std::string& help);
/// Adds -j.
CLI::Option* add_workers(CLI::App& command, std::optional<std::size_t>& workers, const std::string& left_out = "");
/// The workers where none are given: as many as processors.
std::size_t usual_workers();

/// A format of output with its name.
struct named_format {
  std::string_view name;
  output_format format;
};

/// All formats, the default first.
const std::vector<named_format>& format_catalogue();

/// Adds --format.
/// @param main what the command's main table has, as help names it
void add_format(CLI::App& command, output_format& format, std::string_view main);

}  // namespace muster
