#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/calibration/replay_comparison.h"
#include "platform/calibration/replayed_log.h"
#include "platform/calibration/told_values.h"
#include "platform/command_line/calibrate_text.h"
#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/scenario/point_settings.h"
#include "platform/scenario/scenario_file.h"

namespace muster {

namespace {

constexpr const char* calibrate_footer = R"(
Replays the log of the scenario (arrivals.process = "log") once, as it is, and holds the starts against those that the
log tells: field 3 of the Standard Workload Format, Start of sacct. With a sweep, such as one over policies, each point
is replayed, and the nearest one is shown in detail.

Examples:
  muster calibrate scenarios/log_replay.toml --set arrivals.file=MY.swf
  muster calibrate my.toml --set policy.name=easy_backfill --format csv)";

/// `muster calibrate`
class calibrate_command {
 public:
  explicit calibrate_command(CLI::App& app) {
    scenario_.add_to(app);
    add_workers(app, workers_);
    add_format(app, format_, "errors by class");
    app.footer(calibrate_footer);
  }

  int run(const invocation&) const {
    const study s = read_study(scenario_.file, scenario_.settings);
    const logged_past past = read_past(s);
    const auto replays = replay_all(s, workers_.value_or(usual_workers()));
    if (!replays) return interrupted;
    const std::vector<replay_comparison> all = compare_replays(s, past, *replays);
    const replay_comparison& nearest = all[nearest_replay(all)];
    const std::vector<told_value> values = values_told(past, s.points[nearest.point].model);
    table_document document = replay_text(s, past, all);
    const time_unit& unit = s.points[nearest.point].model.unit;
    if (settings_of(values).empty()) {
      document.append(told_text(values, nearest, nullptr, unit));
    } else {
      const study calibrated = read_calibrated(s, nearest.point, values);
      const auto again = replay_all(calibrated, 1);
      if (!again) return interrupted;
      const std::vector<replay_comparison> with_values = compare_replays(calibrated, past, *again);
      document.append(told_text(values, nearest, &with_values.front(), unit));
    }
    fmt::print("{}", document.in(format_));
    return done;
  }

 private:
  // A point of the study with the values that the log tells.
  study read_calibrated(const study& s, std::size_t point, const std::vector<told_value>& values) const {
    std::vector<std::string> settings = scenario_.settings;
    for (const auto& more : {point_settings(s, point), settings_of(values)})
      settings.insert(settings.end(), more.begin(), more.end());
    return read_study(scenario_.file, settings);
  }

  scenario_options scenario_;
  std::optional<std::size_t> workers_;
  output_format format_ = output_format::table;
};

}  // namespace

extern const command_entry calibrate_command_entry{"calibrate",
                                                   "how far a replay is from its log, and what the log tells of costs",
                                                   76, "muster calibrate my.toml", define_command<calibrate_command>};

}  // namespace muster
