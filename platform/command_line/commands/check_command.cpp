#include <fmt/format.h>

#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/stability_text.h"
#include "platform/scenario/scenario_file.h"

namespace muster {

extern const command_entry check_command_entry{
    "check", "validate a scenario; print its loads and stability limits; store nothing", 20,
    "muster check scenarios/quickswap_borg_b.toml", [](CLI::App& app) -> command_entry::action {
      const auto given = std::make_shared<scenario_options>();
      const auto format = std::make_shared<output_format>(output_format::table);
      given->add_to(app);
      add_format(app, *format, "the points");
      return [given, format](const invocation&) {
        fmt::print("{}", stability_report(read_study(given->file, given->settings)).in(*format));
        return done;
      };
    }};

}  // namespace muster
