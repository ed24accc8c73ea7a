#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/exit_status.h"
#include "platform/command_line/result_table.h"
#include "platform/command_line/scenario_options.h"
#include "platform/results/result_directory.h"
#include "platform/results/results_csv.h"
#include "platform/scenario/scenario_file.h"
#include "platform/theory/theory.h"

namespace muster {

namespace {

class theory_command {
 public:
  explicit theory_command(CLI::App& app) {
    given_.add_to(app);
    add_directory(app, out_, "directory in which to leave theory.csv, a run's results beside it");
  }

  int run(const invocation&) const {
    const study s = read_study(given_.file, given_.settings);
    std::vector<theory> known;
    std::vector<std::vector<estimate>> values;
    for (const study::point& p : s.points) {
      known.push_back(known_answer(p.what));
      values.push_back(known.back().values);
    }
    if (!out_.empty()) result_directory::beside_results(out_, s).write("theory.csv", results_csv(s, values));
    fmt::print("{}", theory_table(s, known));
    return done;
  }

 private:
  scenario_options given_;
  std::string out_;
};

}  // namespace

extern const command_entry theory_command_entry{"theory", "what is known of a scenario's points without simulation", 30,
                                                "muster theory scenarios/quickswap_one_or_all.toml",
                                                define_command<theory_command>};

}  // namespace muster
