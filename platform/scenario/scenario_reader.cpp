#include "platform/scenario/scenario_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "platform/metrics/bound_text.h"
#include "platform/metrics/metric.h"
#include "platform/scenario/initial_jobs.h"
#include "platform/scenario/running_jobs.h"
#include "platform/toml/dotted_key.h"

namespace muster {

namespace {

constexpr double most_samples = 1e6;                  // the record of a replication is kept in memory
constexpr double most_ticks = 4611686018427387904.0;  // 2^62

void read_time_unit(table_reader& document, reading& report_to, scenario& model) {
  model.unit = time_units()[document.choice<std::size_t>("time_unit")];
  const auto per_unit = static_cast<double>(model.unit.ticks);
  report_to.clock = {1.0 / per_unit, most_ticks / per_unit, model.unit.name};
  report_to.units = units_beside(model.unit);
}

// Reports a process of slotted jobs whose classes have sizes, as rigid and pooled jobs have. The process then counts as
// unknown, so that this mistake is told alone.
void check_process(table_reader& document, const toml_value& whole, point_draft& point) {
  const auto* tables = as_if<toml_array>(whole.find("classes"));
  const auto has_size_alone = [](const toml_value& c) { return c.find("size") && !c.find("units"); };
  const bool slotted_policy = point.policy && point.policy->jobs() == job_kind::slotted;
  if (!point.finite() || point.timed_list || slotted_policy || !tables ||
      !std::all_of(tables->begin(), tables->end(), has_size_alone))
    return;
  std::vector<std::string_view> endless;
  for (const arrival_entry* entry : arrival_catalogue())
    if (!entry->last_slot) endless.push_back(entry->name);
  document.table("arrivals")
      .complain(
          "process",
          fmt::format("the jobs of process '{}' are slotted{}, but these classes have a size; expected one of: {}; "
                      "or classes of slotted jobs and a policy of theirs",
                      point.process->name,
                      point.process->kind == arrival_kind::list ? " where its file has no column size" : "",
                      fmt::join(endless, ", ")));
  point.process = nullptr;
  point.model.arrivals = {};
}

// Looks into a list of jobs, which may be of any kind. A list with mistakes is reported when it is read.
// @return false if the list cannot be read, which is reported: what else a scenario must have depends on its kind
bool find_kind_of_list(table_reader& document, const toml_value& whole, point_draft& point) {
  point.timed_list = point.log() || point.initial_jobs_alone();
  if (!point.list() || point.initial_jobs_alone()) return true;
  const std::string key{point.process->keys.front().name};
  const auto* path = as_if<std::string>(find(whole, {"arrivals", key}));
  if (!path) return true;
  const auto list = point.files.at<job_list_file>(*path);
  point.timed_list = list->timed;
  if (!list->refusal.empty()) document.table("arrivals").complain(key, list->refusal);
  return list->refusal.empty();
}

// Before the parts of a document are read one after the other, it must be known whether its jobs are slotted.
void find_slotted_jobs(const toml_value& document, point_draft& point) {
  point.slotted = point.finite() && !point.timed_list;
  if (point.timed_list) return;
  for (const toml_value& table : contents_of<toml_array>(document.find("classes"))) {
    if (!table.find("units")) continue;
    point.slotted = true;
    const auto* name = as_if<std::string>(table.find("name"));
    if (point.class_with_units.empty() && name) point.class_with_units = *name;
  }
}

// Finds the traits of a document on which the effect of keys of other tables depends.
void find_traits(const toml_value& document, reading& report_to, const point_draft& point) {
  const auto has = [&](const std::vector<std::string>& path) { return find(document, path); };
  const auto any_has = [](const toml_value* tables, const char* key) {
    const toml_array& all = contents_of<toml_array>(tables);
    return std::any_of(all.begin(), all.end(), [&](const toml_value& t) { return t.find(key); });
  };
  const auto add = [&](std::string_view trait, bool there) {
    if (there) report_to.traits.insert(trait);
  };
  add(slotted_jobs, point.slotted);
  add(endless_arrivals, !point.finite());
  add(looks_at_replications, has({"run", "precision"}) || has({"run", "equal_within"}));
  add(servers_of_classes, !has({"platform", "graph"}));
  const auto says = [&](const char* key, std::string_view word) {
    const auto* text = as_if<std::string>(has({"platform", "schedulers", key}));
    return text && *text == word;
  };
  const auto* steals = as_if<bool>(has({"platform", "schedulers", "work_stealing"}));
  add(looks_at_others, (steals && *steals) || says("partition", "shared") || says("dispatching", "shortest_queue") ||
                           says("dispatching", "power_of_d"));
  add(failing_servers, any_has(has({"events"}), "action") || any_has(has({"platform", "servers"}), "faults"));
}

void read_record(table_reader& document, scenario& model) {
  table_reader record = document.table("record");
  const auto every = model.record.jobs_in_system_every = record.optional_number("jobs_in_system_every");
  model.record.until = record.optional_number("until");
  record.close();
  if (!every || !model.record.until) return;
  if (const double samples = *model.record.until / *every * static_cast<double>(model.classes.size());
      samples > most_samples)
    record.complain("jobs_in_system_every",
                    fmt::format("expected at most {:g} numbers in a record, found {:.3g}", most_samples, samples));
}

// The mistake in a metric of a class of this scenario, in words; empty: there is none.
std::string wrong_metric(const metric_of_class& given, const table_reader& report, const scenario& model) {
  std::vector<std::string> classes{"all"};
  for (const class_spec& c : model.classes) classes.push_back(c.name);
  const metric_entry* metric = find_metric(given.metric);
  if (!metric)
    return fmt::format("unknown metric {}{}", in_quotes(given.metric), report.hint(given.metric, metric_names()));
  if (is_of_jobs(given.class_name) && std::find(classes.begin(), classes.end(), given.class_name) == classes.end())
    return fmt::format("unknown class {}{}", in_quotes(given.class_name), report.hint(given.class_name, classes));
  const auto mistake = metric->mistake(model, given.class_name);
  return mistake ? mistake->message : "";
}

std::vector<metric_of_class> read_metrics(table_reader& report, const scenario& model) {
  std::vector<metric_of_class> metrics;
  for (const toml_value* text : report.strings("metrics", "METRIC or METRIC[CLASS]")) {
    const auto given = metric_of_class::of_text(*text->as<std::string>());
    std::string wrong = wrong_metric(given, report, model);
    if (wrong.empty() && find_metric(given.metric)->better == metric_preference::none)
      wrong = fmt::format("of {}, neither smaller nor larger values are better", given.metric);
    else if (wrong.empty() && std::find(metrics.begin(), metrics.end(), given) != metrics.end())
      wrong = fmt::format("{} is listed twice", given.text());
    if (!wrong.empty()) report.complain_at(*text, "metrics", wrong);
    metrics.push_back(given);
  }
  return metrics;
}

std::vector<metric_bound> read_bounds(table_reader& report, const scenario& model) {
  std::vector<metric_bound> bounds;
  for (const toml_value* given : report.strings("where", "METRIC[CLASS] <= NUMBER")) {
    const std::string& text = *given->as<std::string>();
    std::string wrong = wrong_bound_form(text);
    if (wrong.empty()) wrong = wrong_metric(bounded_metric(text), report, model);
    if (wrong.empty()) wrong = wrong_bound_unit(text, model.unit);
    if (wrong.empty()) bounds.push_back(bound_in(text, model.unit));
    if (!wrong.empty()) report.complain_at(*given, "where", wrong);
  }
  return bounds;
}

void read_report(table_reader& document, const point_draft& point, scenario& model) {
  table_reader report = document.table("report");
  model.report.explain = report.truth("explain");
  if (model.report.explain && model.schedulers.several() && model.schedulers.steal)
    report.complain("explain",
                    "jobs that schedulers take from each other are not accounted for part by part; expected false, or "
                    "no platform.schedulers.work_stealing");
  if (!point.rigid()) refuse(report, {"slowdown_bound"}, "the slowdown is bounded of rigid jobs alone");
  model.report.slowdown_bound = report.optional_number("slowdown_bound");
  // Whether a metric is measured depends on all the rest.
  if (point.classes_known && report.problems() == 0) {
    model.report.metrics = read_metrics(report, model);
    model.report.where = read_bounds(report, model);
  }
  report.close();
}

std::string with_time(std::string_view takes, double time, const clock_range& clock) {
  return fmt::format(fmt::runtime(takes), fmt::format("{:.3g} {}", time, clock.unit));
}

}  // namespace

std::string path_of_file(table_reader& table, const study_files& files) {
  const std::string given = table.text("file");
  if (given.empty()) return "";
  const std::filesystem::path beside = std::filesystem::path{files.folder()} / given;
  const position* where = table.where("file");
  std::error_code ignored;
  const bool here = where && where->source > 0 && std::filesystem::exists(given, ignored);
  return std::filesystem::absolute(here ? std::filesystem::path{given} : beside).lexically_normal().string();
}

std::vector<double> read_values(table_reader& table, const std::vector<described_key>& keys) {
  std::vector<double> values;
  for (const described_key& key : keys) {
    table.describe(key);
    if (std::holds_alternative<integer_key>(key.type))
      values.push_back(table.integer<double>(key.name));
    else if (std::holds_alternative<word_key>(key.type))
      values.push_back(static_cast<double>(table.choice<std::size_t>(key.name)));
    else if (std::holds_alternative<left_out>(key.standard))
      values.push_back(table.optional_number(key.name).value_or(std::numeric_limits<double>::infinity()));
    else if (std::holds_alternative<number_key>(key.type))
      values.push_back(table.number(key.name));
  }
  return values;
}

void refuse(table_reader& table, std::initializer_list<const char*> keys, std::string_view why) {
  for (const char* key : keys)
    if (table.find(key)) table.complain(key, fmt::format("expected no {} here, because {}", key, why));
}

void check_range(table_reader& table, std::string_view key, double time, std::string_view takes,
                 std::string_view advice) {
  const clock_range& clock = table.clock();
  if (time >= clock.longest)
    table.complain(key, fmt::format("{}; expected less than {:.3g} {}, the range of the clock{}",
                                    with_time(takes, time, clock), clock.longest, clock.unit, advice));
}

void check_bandwidth(table_reader& table, std::string_view key, std::optional<double> bandwidth,
                     std::uint64_t most_bytes) {
  if (!bandwidth || !(*bandwidth > 0.0)) return;
  check_range(table, key, static_cast<double>(most_bytes) / *bandwidth,
              most_bytes == 1 ? "a byte takes {}" : fmt::format("a message of {} bytes takes {{}}", most_bytes));
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
  point.model.name = top.name("name");
  point.model.about = top.text("about");
  read_time_unit(top, report_to, point.model);
  if (const auto* name = as_if<std::string>(find(document, {"policy", "name"}))) point.policy = find_policy(*name);
  read_process(top, point);
  if (!find_kind_of_list(top, document, point)) return std::move(point.model);
  check_process(top, document, point);
  read_values_of_process(top, point);
  find_slotted_jobs(document, point);
  find_traits(document, report_to, point);
  const std::size_t before = top.problems();
  if (point.log()) open_log(top, point);
  open_queue(top, point);
  read_platform(top, point);
  read_events(top, point);
  settle_frequencies(point.model);
  point.servers_known = top.problems() == before;
  if (point.log())
    read_log(top, point, report_to);
  else
    read_classes(top, point);
  check_placement(top, point);
  point.classes_known = top.problems() == before;
  leave_out_absent_servers(point);
  read_arrivals(top, point);
  if (point.queue_read && top.problems() == before) place_running_jobs(*point.queue_read, point.model);
  if (top.problems() == before) check_schedulers(top, point);
  point.classes_known = point.classes_known && top.problems() == before;
  read_policy(top, point);
  read_parameter_events(top, point);
  read_fmus(top, point);
  read_run(top, point);
  read_record(top, point.model);
  read_price(top, point);
  read_report(top, point, point.model);
  top.close();
  files.queued.clear();
  if (point.queue_read) files.queued = queued_jobs_of(*point.queue_read, point.model.unit);
  return std::move(point.model);
}

}  // namespace muster
