#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/model/metric_of_class.h"
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

/// Adds the rows of a table to the one of its name, or else the table.
void add_rows(std::vector<data_table>& tables, data_table more);

/// "a, b or c". @param names at least two
std::string in_words(const std::vector<std::string>& names);

/// @name Checks of an option's text
/// Each check returns what is wrong with the text, or an empty string.
/// @{
/// The check of a name that must be one of these.
/// @param what such as "metric"
std::function<std::string(const std::string&)> known_name(const std::string& what,
                                                          const std::vector<std::string>& names);
/// Checks `METRIC` or `METRIC[CLASS]`. Any class will do.
std::string wrong_metric(const std::string& text);
/// Checks the text of a bound, see metric_bound.
std::string wrong_bound(const std::string& text);
/// @}

/// The metric of an option's text.
/// @param text in which nothing is wrong
/// @param class_name where it names none
metric_of_class metric_in(const std::string& text, const std::string& class_name);
/// Whether the text itself names the class.
bool names_class(const std::string& text);

}  // namespace muster
