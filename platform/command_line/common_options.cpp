#include "platform/command_line/common_options.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "platform/metrics/bound_text.h"
#include "platform/metrics/metric.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/nearest_name.h"

namespace muster {

void scenario_options::add_to(CLI::App& command) {
  command.add_option("scenario", file, "scenario file (TOML)")->required()->type_name("SCENARIO.toml");
  command.add_option("--set", settings, "replace one value of the scenario, or a sweep over it; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void scenario_options::add_replications_to(CLI::App& command, const std::string& help) {
  command.add_option("--seed", seed, "same as --set run.seed=S")->type_name("S");
  command.add_option("--replications", replications, help)->type_name("R");
}

std::vector<std::string> scenario_options::overrides() const {
  std::vector<std::string> all = settings;
  if (!seed.empty()) all.push_back("run.seed=" + seed);
  if (!replications.empty()) all.push_back("run.replications=" + replications);
  return all;
}

void add_directory(CLI::App& command, std::string& out, const std::string& help) {
  command.add_option("--out", out, help)->type_name("DIR")->check([](const std::string& dir) {
    return dir.empty() ? "expected a directory" : "";
  });
}

CLI::Option* add_workers(CLI::App& command, std::optional<std::size_t>& workers, const std::string& left_out) {
  return command.add_option("-j", workers, "worker processes; the numbers do not depend on it" + left_out)
      ->check(CLI::Range(std::size_t{1}, std::size_t{1024}));
}

std::size_t usual_workers() { return std::max(1U, std::thread::hardware_concurrency()); }

const std::vector<named_format>& format_catalogue() {
  static const std::vector<named_format> all{{"table", output_format::table},
                                             {"csv", output_format::csv},
                                             {"json", output_format::json},
                                             {"markdown", output_format::markdown}};
  return all;
}

void add_format(CLI::App& command, output_format& format, std::string_view main) {
  const std::vector<std::string> names = names_of(format_catalogue());
  const auto choose = [&format](const std::string& name) {
    for (const named_format& known : format_catalogue())
      if (known.name == name) format = known.format;
  };
  command
      .add_option_function<std::string>(
          "--format", choose,
          fmt::format("what is printed: {}; csv has {}, the others have all tables", in_words(names), main))
      ->type_name("FORMAT")
      ->default_str(names.front())
      ->check(known_name("format", names));
}

void add_rows(std::vector<data_table>& tables, data_table more) {
  const auto known =
      std::find_if(tables.begin(), tables.end(), [&](const data_table& table) { return table.name == more.name; });
  if (known == tables.end())
    tables.push_back(std::move(more));
  else
    known->rows.insert(known->rows.end(), more.rows.begin(), more.rows.end());
}

std::string in_words(const std::vector<std::string>& names) {
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::function<std::string(const std::string&)> known_name(const std::string& what,
                                                          const std::vector<std::string>& names) {
  return [what, names](const std::string& given) -> std::string {
    if (std::find(names.begin(), names.end(), given) != names.end()) return "";
    return fmt::format("unknown {} {}{}", what, in_quotes(given), suggestion(given, names));
  };
}

std::string wrong_metric(const std::string& text) {
  const std::size_t bracket = text.find('[');
  const bool closed = bracket == std::string::npos ? text.find(']') == std::string::npos
                                                   : text.find(']') == text.size() - 1 && bracket + 2 < text.size();
  if (!closed)
    return fmt::format("expected METRIC or METRIC[CLASS], such as response_time or response_time[all], found {}",
                       in_quotes(text));
  return known_name("metric", metric_names())(text.substr(0, bracket));
}

metric_of_class metric_in(const std::string& text, const std::string& class_name) {
  return names_class(text) ? metric_of_class::of_text(text) : metric_of_class{text, class_name};
}

bool names_class(const std::string& text) { return text.find('[') != std::string::npos; }

std::string wrong_bound(const std::string& text) {
  std::string wrong = wrong_bound_form(text);
  return wrong.empty() ? wrong_metric(bounded_metric(text).text()) : wrong;
}

}  // namespace muster
