#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/metric.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// What batch means give an interval.
std::vector<std::string> metrics_in_order() {
  std::vector<std::string> names;
  for (const metric_entry& m : metric_catalogue())
    if (m.in_order) names.emplace_back(m.name);
  return names;
}

// 0.01 or "1%".
double read_half_width(table_reader& table) {
  const std::string* text = table.find_text("half_width");
  if (!text) return table.number("half_width");
  char* end = nullptr;
  const double percent = std::strtod(text->c_str(), &end);
  const bool whole = !text->empty() && end == text->c_str() + text->size() - 1 && *end == '%';
  if (whole && share_of_mean.holds(percent / 100.0)) return percent / 100.0;
  table.complain("half_width", fmt::format("expected {}, found {}", share_of_mean.words, in_quotes(*text)));
  return 0.01;
}

// @param wanted its metric is a string
void check_metric(table_reader& table, const precision_target& wanted, const scenario& what, bool classes_known) {
  const metric_entry* metric = find_metric(wanted.metric);
  if (!metric) {
    table.complain("metric", fmt::format("unknown metric {}{}", in_quotes(wanted.metric),
                                         table.hint(wanted.metric, metric_names())));
    return;
  }
  if (metric->scope == metric_scope::phases) {
    table.complain("metric", fmt::format("{} is measured of phases, of which there is no precision", metric->name));
    return;
  }
  if (!classes_known) return;
  if (const auto mistake = metric->mistake(what, wanted.class_name))
    table.complain(mistake->of_class ? "class" : "metric", mistake->message);
  else if (what.run.batch_means && !metric->in_order)
    table.complain("metric", fmt::format("batch means give {} no interval; expected one of: {}", metric->name,
                                         fmt::join(metrics_in_order(), ", ")));
}

precision_target read_target(table_reader& table, const point_draft& point) {
  precision_target wanted;
  wanted.half_width = read_half_width(table);
  const std::size_t before_metric = table.problems();
  const precision_default jobs = point.finite()                                 ? precision_default::slotted_finite
                                 : point.slotted && !point.what.run.batch_means ? precision_default::slotted
                                                                                : precision_default::all;
  wanted.metric = table.text("metric", std::string(usual_metric(jobs).name));
  const bool is_text = table.problems() == before_metric;
  std::vector<std::string> classes{"all"};
  for (const class_spec& c : point.what.classes) classes.push_back(c.name);
  const std::size_t before = table.problems();
  wanted.class_name = point.classes_known ? table.word("class", "class", classes, "all") : table.text("class");
  if (is_text) check_metric(table, wanted, point.what, point.classes_known && table.problems() == before);
  table.close();
  return wanted;
}

}  // namespace

std::optional<precision_spec> read_precision(table_reader& run, const point_draft& point) {
  const toml_value* found = run.find("precision");
  if (!found) return std::nullopt;
  precision_spec wanted;
  if (!found->as<toml_array>()) {
    table_reader table = run.table("precision");
    wanted.targets.push_back(read_target(table, point));
    return wanted;
  }
  for (table_reader& table : run.tables("precision")) {
    precision_target next = read_target(table, point);
    const auto same = [&](const precision_target& t) {
      return t.metric == next.metric && t.class_name == next.class_name;
    };
    if (std::any_of(wanted.targets.begin(), wanted.targets.end(), same))
      table.complain("metric", fmt::format("{} of {} is listed twice", next.metric, in_quotes(next.class_name)));
    wanted.targets.push_back(std::move(next));
  }
  return wanted;
}

}  // namespace muster
