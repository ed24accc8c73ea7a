#include "platform/command_line/common_options.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/option_checks.h"
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

}  // namespace muster
