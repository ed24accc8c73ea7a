#include "platform/scenario/scenario_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/metrics/metric.h"

namespace muster {

namespace {

constexpr double most_samples = 1e6;                  // the record of a replication is kept in memory
constexpr double most_ticks = 4611686018427387904.0;  // 2^62

void read_time_unit(table_reader& document, reading& report_to, scenario& what) {
  what.unit = time_units()[document.choice<std::size_t>("time_unit")];
  const auto per_unit = static_cast<double>(what.unit.ticks);
  report_to.clock = {1.0 / per_unit, most_ticks / per_unit, what.unit.name};
}

// Before the parts of a document are read one after the other, it must be known whether its jobs are slotted.
void find_slotted_jobs(const toml_value& document, reading& report_to, point_draft& point) {
  const toml_value* classes = document.find("classes");
  point.slotted = point.finite();
  if (const auto* tables = classes ? classes->as<toml_array>() : nullptr)
    for (const toml_value& table : *tables) {
      if (!table.find("units")) continue;
      point.slotted = true;
      const toml_value* name = table.find("name");
      if (point.class_with_units.empty() && name && name->as<std::string>())
        point.class_with_units = *name->as<std::string>();
    }
  if (point.slotted) report_to.traits.insert(slotted_jobs);
}

void find_looks(const toml_value& document, reading& report_to) {
  const toml_value* run = document.find("run");
  if (run && (run->find("precision") || run->find("equal_within"))) report_to.traits.insert(looks_at_replications);
}

void read_record(table_reader& document, scenario& what) {
  table_reader record = document.table("record");
  const auto every = what.record.jobs_in_system_every = record.optional_number("jobs_in_system_every");
  what.record.until = record.optional_number("until");
  record.close();
  if (every && !record.find("until"))
    record.complain("jobs_in_system_every", "expected 'until' beside it, the end of the record");
  if (!every || !what.record.until) return;
  if (const double samples = *what.record.until / *every * static_cast<double>(what.classes.size());
      samples > most_samples)
    record.complain("jobs_in_system_every",
                    fmt::format("expected at most {:g} numbers in a record, found {:.3g}", most_samples, samples));
}

std::vector<metric_of_class> read_metrics(table_reader& report, const scenario& what) {
  std::vector<std::string> classes{"all"};
  for (const class_spec& c : what.classes) classes.push_back(c.name);
  std::vector<metric_of_class> metrics;
  for (const toml_value* text : report.strings("metrics", "METRIC or METRIC[CLASS]")) {
    const auto given = metric_of_class::of_text(*text->as<std::string>());
    const metric_entry* metric = find_metric(given.metric);
    const bool is_class =
        is_phase(given.class_name) || std::find(classes.begin(), classes.end(), given.class_name) != classes.end();
    std::string wrong;
    if (!metric)
      wrong = fmt::format("unknown metric {}{}", in_quotes(given.metric), report.hint(given.metric, metric_names()));
    else if (!is_class)
      wrong = fmt::format("unknown class {}{}", in_quotes(given.class_name), report.hint(given.class_name, classes));
    else if (const auto mistake = metric->mistake(what, given.class_name))
      wrong = mistake->message;
    else if (metric->better == metric_preference::none)
      wrong = fmt::format("of {}, neither smaller nor larger values are better", metric->name);
    else if (std::find(metrics.begin(), metrics.end(), given) != metrics.end())
      wrong = fmt::format("{} is listed twice", given.text());
    if (!wrong.empty()) report.complain_at(*text, "metrics", wrong);
    metrics.push_back(given);
  }
  return metrics;
}

void read_report(table_reader& document, const point_draft& point, scenario& what) {
  table_reader report = document.table("report");
  what.report.explain = report.truth("explain");
  // Whether a metric is measured depends on all the rest.
  if (point.classes_known && report.problems() == 0) what.report.metrics = read_metrics(report, what);
  report.close();
}

std::string with_time(std::string_view takes, double time, const clock_range& clock) {
  return fmt::format(fmt::runtime(takes), fmt::format("{:.3g} {}", time, clock.unit));
}

}  // namespace

std::map<std::string, std::string> study_files::contents() const {
  std::map<std::string, std::string> all;
  graphs.add_contents(all);
  networks.add_contents(all);
  job_lists.add_contents(all);
  return all;
}

void refuse(table_reader& table, std::initializer_list<const char*> keys, std::string_view why) {
  for (const char* key : keys)
    if (table.find(key)) table.complain(key, fmt::format("expected no {} here, because {}", key, why));
}

void check_range(table_reader& table, std::string_view key, double time, std::string_view takes) {
  const clock_range& clock = table.clock();
  if (time >= clock.longest)
    table.complain(key, fmt::format("{}; expected less than {:.3g} {}, the range of the clock",
                                    with_time(takes, time, clock), clock.longest, clock.unit));
}

void check_step(table_reader& table, std::string_view key, double time, std::string_view takes) {
  const clock_range& clock = table.clock();
  if (time < clock.shortest)
    table.complain(key, fmt::format("{}; expected at least the clock's step of {:g} {}", with_time(takes, time, clock),
                                    clock.shortest, clock.unit));
}

scenario read_scenario(const toml_value& document, study_files& files, reading& report_to) {
  point_draft point(files);
  table_reader top{document, report_to};
  point.what.name = top.name("name");
  point.what.about = top.text("about");
  read_time_unit(top, report_to, point.what);
  const toml_value* policy = document.find("policy");
  if (const toml_value* name = policy ? policy->find("name") : nullptr; name && name->as<std::string>())
    point.policy = find_policy(*name->as<std::string>());
  read_process(top, point);
  find_slotted_jobs(document, report_to, point);
  find_looks(document, report_to);
  const std::size_t before = top.problems();
  read_platform(top, point);
  point.servers_known = top.problems() == before;
  read_classes(top, point);
  point.classes_known = top.problems() == before;
  read_arrivals(top, point);
  read_policy(top, point);
  read_run(top, point);
  read_record(top, point.what);
  read_price(top, point.what);
  read_report(top, point, point.what);
  top.close();
  return std::move(point.what);
}

}  // namespace muster
