#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/exit_status.h"
#include "platform/command_line/output_format.h"
#include "platform/command_line/scenario_options.h"
#include "platform/command_line/theory_text.h"
#include "platform/scenario/scenario_file.h"
#include "platform/store/result_directory.h"
#include "platform/store/results_csv.h"
#include "platform/theory/known_answer.h"

namespace muster {

extern const command_entry theory_command_entry{
    "theory", "what is known of a scenario's points without simulation", 30,
    "muster theory scenarios/quickswap_one_or_all.toml", [](CLI::App& app) -> command_entry::action {
      const auto given = std::make_shared<scenario_options>();
      const auto out = std::make_shared<std::string>();
      const auto format = std::make_shared<output_format>(output_format::table);
      given->add_to(app);
      add_format(app, *format, "the points");
      add_directory(app, *out, "directory in which to leave theory.csv, a run's results beside it");
      return [given, out, format](const invocation&) {
        const study s = read_study(given->file, given->settings);
        std::vector<theory> known;
        std::vector<std::vector<estimate>> values;
        for (const study::point& p : s.points) {
          known.push_back(known_answer(p.model));
          values.push_back(known.back().values);
        }
        if (!out->empty()) result_directory::beside_results(*out, s).write("theory.csv", results_csv(s, values));
        fmt::print("{}", theory_text(s, known).in(*format));
        return done;
      };
    }};

}  // namespace muster
