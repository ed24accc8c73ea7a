#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/calibration/replay_comparison.h"
#include "platform/calibration/replayed_log.h"
#include "platform/command_line/calibrate_text.h"
#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/command_line/told_text.h"
#include "platform/command_line/written_file.h"
#include "platform/scenario/point_settings.h"
#include "platform/scenario/scenario_file.h"
#include "platform/store/database.h"
#include "platform/store/result_directory.h"
#include "platform/tables/writers.h"

namespace muster {

namespace {

constexpr const char* calibrate_footer = R"(
Replays the log of the scenario (arrivals.process = "log" or "list") once, as it is, and holds the starts against those
that the log tells: field 3 of the Standard Workload Format, Start of sacct, the column start of a table. With a sweep,
such as one over policies, each point is replayed, and the one whose starts are nearest to the log is shown in detail:
waits by class, use of the cluster, and the first start that differs, with the state at that moment.

Then it says what the log tells of the cluster: passes of its scheduler, time from freed cores to the next start, kill
delay, errors of requested and learnt times. What scenarios have a key for is replayed once more, and
taken unless that is further from the log. --out writes that scenario. --tables writes errors.csv (by class), days.csv
(use of the cluster day by day), starts.csv (both starts of each job) and told.csv.

Examples:
  muster calibrate scenarios/log_replay.toml --set arrivals.file=MY.swf
  muster calibrate my.toml --set policy.name=easy_backfill --out my_calibrated.toml --tables found)";

/// `muster calibrate`
class calibrate_command {
 public:
  explicit calibrate_command(CLI::App& app) {
    scenario_.add_to(app);
    app.add_option("--out", out_, "the scenario to write: the nearest point, with what the log tells")
        ->type_name("FILE.toml");
    app.add_flag("--force", force_, "overwrite the file of --out");
    app.add_option("--tables", tables_, "write all tables as CSV files into this directory")->type_name("DIR");
    add_workers(app, workers_);
    add_format(app, format_, "errors by class");
    app.footer(calibrate_footer);
  }

  int run(const invocation&) const {
    if (!out_.empty()) check_free(file_to_write(), out_, force_);
    const study given = read_study(scenario_.file, scenario_.settings);
    check_files(given);
    const study s = without_initial_jobs(given, scenario_.file);
    const logged_past past = read_past(s);
    tell_left_out(given);
    const auto replays = replay_all(s, workers_.value_or(usual_workers()));
    if (!replays) return interrupted;
    const std::vector<replay_comparison> all = compare_replays(s, past, *replays);
    const replay_comparison& nearest = all[nearest_replay(all)];
    const scenario& model = s.points[nearest.point].model;
    std::vector<told_value> values = values_told(past, model);
    std::optional<replay_comparison> again;
    if (!try_settings(s, past, nearest, values, again)) return interrupted;
    const table_document told = told_text(values, nearest, again ? &*again : nullptr, model.unit);
    table_document document = replay_text(s, past, all);
    document.append(told);
    fmt::print("{}", document.in(format_));
    if (!tables_.empty()) write_tables(s, all, values);
    if (!out_.empty()) write_scenario(told, read_calibrated(s, nearest.point, settings_of(values)));
    return done;
  }

 private:
  std::filesystem::path file_to_write() const { return file_behind(out_, "a scenario to write, such as my.toml"); }

  // Lists and graphs lie beside a scenario, so that one in another folder would not find them.
  void check_files(const study& given) const {
    std::error_code error;
    if (out_.empty() || given.files.empty()) return;
    const std::filesystem::path of_scenario = folder_of(scenario_.file);
    if (std::filesystem::equivalent(folder_of(file_to_write()), of_scenario, error)) return;
    throw output_error(fmt::format("{}: is not beside {}, which names {} there; expected a file such as {}", out_,
                                   scenario_.file, given.files.begin()->first,
                                   (of_scenario / "calibrated.toml").lexically_normal().string()));
  }

  static void tell_left_out(const study& given) {
    if (const auto initial = given.points.front().model.arrivals.initial; initial > 0)
      fmt::print(stderr, "note: {} at time 0 (initial.file) left out: the log began without them\n",
                 initial == 1 ? "1 job that waits or runs" : fmt::format("{} jobs that wait or run", initial));
  }

  void write_scenario(const table_document& told, const study& calibrated) const {
    const std::filesystem::path written = file_to_write();
    result_directory::as_it_is(folder_of(written))
        .write(written.filename().string(),
               as_comment("A scenario with what muster calibrate has read off its log.\n" + told.text()) + "\n" +
                   calibrated.resolved);
    if (format_ != output_format::table) return;
    const auto& waiting = calibrated.points.front().model.arrivals.initial;
    fmt::print("\n{} is written; muster {} {} {}\n", out_, waiting > 0 ? "forecast" : "run", shell_word(out_),
               waiting > 0 ? "tells when jobs of the queue start" : "simulates it");
  }

  void write_tables(const study& s, const std::vector<replay_comparison>& all,
                    const std::vector<told_value>& values) const {
    const result_directory directory = result_directory::as_it_is(tables_);
    for (const data_table& table :
         {replay_errors_table(s, all), days_table(s, all), starts_table(s, all), told_table(values)})
      directory.write(table.name + ".csv", to_csv(table));
  }

  // Replays with the settings of the values, one after the other. One that brings the starts further from the log than
  // they are without it is taken from its value.
  // @param again gets the replay with those that are left, if there are any @return false if a signal has come
  bool try_settings(const study& s, const logged_past& past, const replay_comparison& without,
                    std::vector<told_value>& values, std::optional<replay_comparison>& again) const {
    std::vector<std::string> taken;
    for (told_value& value : values) {
      if (value.setting.empty()) continue;
      taken.push_back(value.setting);
      const study alone = without_initial_jobs(read_calibrated(s, without.point, taken), scenario_.file);
      const auto replayed = replay_all(alone, 1);
      if (!replayed) return false;
      replay_comparison tried = compare_replays(alone, past, *replayed).front();
      if (const double apart = (again ? *again : without).all().apart; tried.all().apart <= apart) {
        again = std::move(tried);
        continue;
      }
      taken.pop_back();
      value.remark += fmt::format("; not taken, as with {} the replay is further from the log", value.setting);
      value.setting.clear();
    }
    return true;
  }

  // A point of the study with settings.
  study read_calibrated(const study& s, std::size_t point, const std::vector<std::string>& told) const {
    std::vector<std::string> settings = scenario_.settings;
    for (const auto& more : {point_settings(s, point), told}) settings.insert(settings.end(), more.begin(), more.end());
    return read_study(scenario_.file, settings);
  }

  scenario_options scenario_;
  std::string out_, tables_;
  bool force_ = false;
  std::optional<std::size_t> workers_;
  output_format format_ = output_format::table;
};

}  // namespace

extern const command_entry calibrate_command_entry{"calibrate",
                                                   "how far a replay is from its log, and what the log tells of costs",
                                                   76, "muster calibrate my.toml", define_command<calibrate_command>};

}  // namespace muster
