#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/exit_status.h"
#include "platform/report/report.h"
#include "platform/results/result_directory.h"
#include "platform/scenario/scenario_file.h"

namespace muster {

extern const command_entry report_command_entry{
    "report", "the web page and figures of a run again from its stored results", 40,
    "muster report results/quickswap_one_or_all", [](CLI::App& app) -> command_entry::action {
      const auto dir = std::make_shared<std::string>();
      app.add_option("dir", *dir, "directory of a run's results")->required()->type_name("DIR");
      return [dir](const invocation&) {
        const result_directory directory = result_directory::of_results(*dir);
        write_report(directory, read_study(directory.file("scenario.toml").string(), {}));
        fmt::print("{} is written, and the figures beside it\n", directory.file("report.html").string());
        return done;
      };
    }};

}  // namespace muster
