#include "platform/command_line/scenario_options.h"

#include <CLI/CLI.hpp>

namespace muster {

void scenario_options::add_to(CLI::App& command) {
  command.add_option("scenario", file, "scenario file (TOML)")->required()->type_name("SCENARIO.toml");
  command.add_option("--set", settings, "replace one value of the scenario, or a sweep over it; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

}  // namespace muster
