#include "platform/command_line/result_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/names.h"
#include "platform/command_line/text_table.h"
#include "platform/metrics/metric.h"
#include "platform/model/job_kind.h"

namespace muster {

namespace {

bool has_slotted_jobs(const study& s) { return is_slotted(s.points.front().what); }

/// @param marks gets those of the value that is shown
table_field value(const std::vector<estimate>& estimates, const std::string& metric, cautions& marks,
                  const std::string& class_name = "all") {
  const auto found = std::find_if(estimates.begin(), estimates.end(),
                                  [&](const estimate& e) { return e.class_name == class_name && e.metric == metric; });
  if (found == estimates.end() || !found->mean) return "-";
  marks.add(found->marks);
  return estimate_field(*found);
}

table_row values(const std::vector<estimate>& estimates, const std::vector<std::string>& metrics, cautions& marks,
                 const std::string& class_name = "all") {
  table_row row;
  for (const std::string& metric : metrics) row.push_back(value(estimates, metric, marks, class_name));
  return row;
}

/// All that a point or a pair has: an estimate without a value in some of them counts fewer.
std::uint32_t replications_of(const std::vector<estimate>& estimates) {
  std::uint32_t most = 0;
  for (const estimate& e : estimates) most = std::max(most, e.replications);
  return most;
}

/// Those of rigid jobs that theory alone knows have a column only where some point has them.
std::vector<std::string> theory_metrics(const study& s, const std::vector<theory>& answers) {
  std::vector<std::string> metrics = metrics_with_column(&metric_columns::theory, has_slotted_jobs(s));
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

/// Such as "points 0-3, 7: M/M/k ..".
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

}  // namespace

printed_output result_table(const study& s, const std::vector<std::vector<estimate>>& estimates,
                            const std::vector<theory>& answers) {
  const std::vector<std::string> metrics = metrics_with_column(&metric_columns::run, has_slotted_jobs(s));
  table_row heads;
  for (const std::string& metric : metrics) {
    heads.push_back(head_of_estimates(metric));
    if (find_metric(metric)->columns.run_beside_theory) heads.push_back(head_of("theory", metric + "_theory"));
  }
  std::vector<table_row> table{row_of("point", s.keys, heads, "replications")};
  cautions marks;
  for (std::size_t p = 0; p < estimates.size(); ++p) {
    if (estimates[p].empty()) continue;
    table_row numbers;
    for (const std::string& metric : metrics) {
      numbers.push_back(value(estimates[p], metric, marks));
      if (find_metric(metric)->columns.run_beside_theory) numbers.push_back(value(answers[p].values, metric, marks));
    }
    table.push_back(row_of(p, s.points[p].values, numbers, replications_of(estimates[p])));
  }
  printed_output found("points");
  if (table.size() > 1)
    found.say(fmt::format("{}: {}\nmean +- half-width of the 95 % confidence interval; times in {}\n\n{}{}", s.name,
                          s.about, s.points.front().what.unit.name, text_table(without_empty_columns(table)),
                          explained(marks)));
  found.add_data("points", table);
  return found;
}

std::string imprecise_points(const std::vector<std::size_t>& imprecise, std::size_t points) {
  if (imprecise.empty()) return "";
  constexpr std::size_t most = 20;
  const std::vector<std::size_t> named(
      imprecise.begin(), imprecise.begin() + static_cast<std::ptrdiff_t>(std::min(most, imprecise.size())));
  return fmt::format("the precision was missed at {} of {} points: {}{}\n", imprecise.size(), points,
                     fmt::join(named, ", "), imprecise.size() > most ? ", .." : "");
}

printed_output theory_table(const study& s, const std::vector<theory>& answers) {
  const std::vector<std::string> metrics = theory_metrics(s, answers);
  std::vector<table_row> table{row_of("point", s.keys, "class", metrics)};
  cautions none;  // theory has no marks
  for (std::size_t p = 0; p < answers.size(); ++p) {
    const study::point& point = s.points[p];
    std::vector<std::string> classes{"all"};
    if (point.what.classes.size() > 1 && !answers[p].values.empty()) {
      classes = names_of(point.what.classes);
      classes.emplace_back("all");
    }
    for (const std::string& name : classes)
      table.push_back(row_of(p, point.values, name, values(answers[p].values, metrics, none, name)));
  }
  const bool none_known = std::all_of(answers.begin(), answers.end(), [](const theory& a) { return a.values.empty(); });
  printed_output found("points");
  found.say(fmt::format("{}: {}\n", s.name, s.about));
  if (none_known) {
    found.add_data("points", {table.front()});
  } else {
    found.say(fmt::format("times in {}\n\n", s.points.front().what.unit.name));
    found.add("points", table);
    found.say("\n");
  }
  const std::vector<std::string> about = sentences(answers);
  for (const std::string& sentence : about) found.say(sentence + "\n");
  found.add_sentences("answers", about);
  return found;
}

}  // namespace muster
