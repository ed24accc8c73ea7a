#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "platform/command_line/command.h"
#include "platform/command_line/common_options.h"
#include "platform/metrics/estimate_cell.h"
#include "platform/metrics/metric.h"
#include "platform/model/job_kind.h"
#include "platform/scenario/scenario_file.h"
#include "platform/store/result_directory.h"
#include "platform/store/results_csv.h"
#include "platform/store/verdict.h"
#include "platform/tables/table_layout.h"
#include "platform/theory/theory.h"

namespace muster {

namespace {

// Metrics of rigid jobs that theory alone knows have a column only where some point has them.
std::vector<std::string> theory_metrics(const study& s, const std::vector<theory>& answers) {
  std::vector<std::string> metrics = metrics_with_column(&metric_columns::theory, is_slotted(s.points.front().model));
  const auto is_of_few = [&](const std::string& metric) {
    const metric_entry* entry = find_metric(metric);
    if (entry->scope != metric_scope::study || entry->measured.of_slotted_jobs) return false;
    return std::none_of(answers.begin(), answers.end(), [&](const theory& a) {
      return std::any_of(a.values.begin(), a.values.end(), [&](const estimate& e) { return e.metric == metric; });
    });
  };
  metrics.erase(std::remove_if(metrics.begin(), metrics.end(), is_of_few), metrics.end());
  return metrics;
}

// Sentences such as "points 0-3, 7: M/M/k ..".
std::vector<std::string> sentences(const std::vector<theory>& known) {
  std::vector<std::pair<std::string, std::string>> points_of;  // in the order of their first points
  for (std::size_t p = 0; p < known.size();) {
    std::size_t last = p;
    while (last + 1 < known.size() && known[last + 1].about == known[p].about) ++last;
    const std::string range = last == p ? fmt::format("{}", p) : fmt::format("{}-{}", p, last);
    const auto same = std::find_if(points_of.begin(), points_of.end(),
                                   [&](const auto& entry) { return entry.first == known[p].about; });
    if (same == points_of.end())
      points_of.emplace_back(known[p].about, range);
    else
      same->second += ", " + range;
    p = last + 1;
  }
  std::vector<std::string> all;
  all.reserve(points_of.size());
  for (const auto& [about, points] : points_of)
    all.push_back(
        fmt::format("{} {}: {}", points.find_first_of(",-") == std::string::npos ? "point" : "points", points, about));
  return all;
}

struct answer_row {
  std::size_t point;
  std::string class_name;
};

std::vector<answer_row> rows_of(const study& s, const std::vector<theory>& answers) {
  std::vector<answer_row> rows;
  for (std::size_t p = 0; p < answers.size(); ++p) {
    const auto& classes = s.points[p].model.classes;
    if (classes.size() > 1 && !answers[p].values.empty())
      for (const class_spec& c : classes) rows.push_back({p, c.name});
    rows.push_back({p, "all"});
  }
  return rows;
}

/// A line for each point and class, and what the answers are or why there are none. The lines are left out where no
/// point has an answer.
/// @param answers by point
table_document theory_text(const study& s, const std::vector<theory>& answers) {
  table_layout<answer_row> layout("points");
  layout.whole("point", &answer_row::point)
      .settings(
          s.keys, [&](const answer_row& row) -> const auto& { return s.points[row.point].values; })
      .text("class", &answer_row::class_name);
  for (const std::string& metric : theory_metrics(s, answers))
    layout.number(metric, [&answers, metric](const answer_row& row) {
      const estimate* found = find_estimate(answers[row.point].values, {metric, row.class_name});
      return found ? estimate_cell(*found) : cell();
    });
  table_document found("points");
  found.say(s.title() + "\n");
  if (std::all_of(answers.begin(), answers.end(), [](const theory& a) { return a.values.empty(); })) {
    found.add_data(layout.table(std::vector<answer_row>{}));
  } else {
    found.say(fmt::format("times in {}\n\n", s.points.front().model.unit.name));
    found.add(layout.table(rows_of(s, answers)));
    found.say("\n");
  }
  const std::vector<std::string> about = sentences(answers);
  for (const std::string& sentence : about) found.say(sentence + "\n");
  found.add_sentences("answers", about);
  return found;
}

}  // namespace

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
