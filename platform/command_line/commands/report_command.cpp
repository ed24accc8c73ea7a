#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/report/report.h"
#include "platform/scenario/scenario_file.h"
#include "platform/store/code_fingerprint.h"
#include "platform/store/result_directory.h"

namespace muster {

namespace {

// Nothing is simulated, so that nothing is mixed.
void note_other_code(const result_directory& directory, const study& s) {
  const std::string file = directory.file("results.sqlite").string();
  const code_fingerprint stored =
      with_database_errors_as<output_error>(file, [&] { return result_store::of_run(file, s).code(); });
  if (const std::string differs = code_difference(stored, code_of(s)); !differs.empty())
    fmt::print(stderr, "note: the replications are by other code: {}\n", differs);
}

}  // namespace

extern const command_entry report_command_entry{
    "report", "the web page and figures of a run again from its stored results", 40,
    "muster report results/quickswap_one_or_all", [](CLI::App& app) -> command_entry::action {
      const auto dir = std::make_shared<std::string>();
      app.add_option("dir", *dir, "directory of a run's results")->required()->type_name("DIR");
      return [dir](const invocation&) {
        const result_directory directory = result_directory::of_results(*dir);
        const study s = read_study(directory.file("scenario.toml").string(), {});
        note_other_code(directory, s);
        write_report(directory, s);
        fmt::print("{} is written{}\n", directory.file("report.html").string(),
                   s.points.size() > 1 ? ", and the figures beside it" : "");
        return done;
      };
    }};

}  // namespace muster
