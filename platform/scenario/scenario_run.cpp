#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/metrics/metric.h"
#include "platform/scenario/range_of_clock.h"
#include "platform/scenario/scenario_reader.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

// The number of jobs of finite arrivals, which are all simulated and all measured.
std::uint64_t finite_jobs(const scenario& model) {
  std::uint64_t jobs = model.arrivals.list.size() + (model.arrivals.jobs ? model.arrivals.jobs->size() : 0);
  for (const class_spec& c : model.classes) jobs += c.slotted ? c.slotted->jobs : 0;
  return jobs;
}

// Reads which jobs of a list or log, in the order of their arrival, are not measured.
void read_ends_of_list(table_reader& run, run_spec& spec) {
  run.describe_default("warm_up", 0.0);
  spec.warm_up = run.number("warm_up");
  spec.cool_down = run.optional_number("cool_down").value_or(0.0);
  if (spec.warm_up + spec.cool_down >= 1.0)
    run.complain(
        "cool_down",
        fmt::format("leaves no job to measure beside a warm_up of {}; expected less than 1 together", spec.warm_up));
}

void read_warm_up(table_reader& run, bool finite, run_spec& spec) {
  constexpr number_range none{"0, because the arrivals are finite", 0.0, false, 0.0};
  spec.warm_up_by_mser5 = !finite && run.find_text("warm_up");
  if (finite) run.describe({"warm_up", number_key{none}, 0.0, ""});
  if (spec.warm_up_by_mser5) {
    run.describe({"warm_up", word_key{"rule", {"mser5"}}, required{}, ""});
    run.word("warm_up");
  } else {
    spec.warm_up = run.number("warm_up");
  }
}

void check_replications(table_reader& run, const run_spec& spec) {
  if (spec.batch_means && spec.replications > 1)
    run.complain("replications",
                 fmt::format("expected 1, because run.intervals are 'batch_means', found {}", spec.replications));
  if (spec.precision && spec.precision->most_replications < spec.replications)
    run.complain("most_replications", fmt::format("expected at least run.replications, which is {}, found {}",
                                                  spec.replications, spec.precision->most_replications));
}

// The names of the metrics to which batch means give an interval.
std::vector<std::string> metrics_in_order() {
  std::vector<std::string> names;
  for (const metric_entry& m : metric_catalogue())
    if (m.in_order) names.emplace_back(m.name);
  return names;
}

// Reads a share such as 0.01 or "1%".
double read_share(table_reader& table, std::string_view key) {
  const std::string* text = table.find_text(key);
  if (!text) return table.number(key);
  const auto share = text->find('%') == std::string::npos ? std::nullopt : share_in(*text);
  if (share && share_of_mean.holds(*share)) return *share;
  table.complain(key, fmt::format("expected {}, found {}", share_of_mean.words, in_quotes(*text)));
  return 0.01;
}

// Reports a metric without intervals. @param wanted has a string for its metric
void check_metric(table_reader& table, const precision_target& wanted, const scenario& model, bool classes_known) {
  const metric_entry* metric = find_metric(wanted.metric);
  if (!metric)
    return table.complain("metric", fmt::format("unknown metric {}{}", in_quotes(wanted.metric),
                                                table.hint(wanted.metric, metric_names())));
  if (metric->scope == metric_scope::phases)
    return table.complain("metric",
                          fmt::format("{} is measured of phases, of which there is no precision", metric->name));
  if (!classes_known) return;
  if (const auto mistake = metric->mistake(model, wanted.class_name))
    table.complain(mistake->of_class ? "class" : "metric", mistake->message);
  else if (model.run.batch_means && !metric->in_order)
    table.complain("metric", fmt::format("batch means give {} no interval; expected one of: {}", metric->name,
                                         fmt::join(metrics_in_order(), ", ")));
}

precision_target read_target(table_reader& table, const point_draft& point) {
  precision_target wanted;
  wanted.half_width = read_share(table, "half_width");
  const std::size_t before_metric = table.problems();
  const precision_default jobs = point.finite() && point.slotted                 ? precision_default::slotted_finite
                                 : point.slotted && !point.model.run.batch_means ? precision_default::slotted
                                                                                 : precision_default::all;
  table.describe_default("metric", std::string(usual_metric(jobs).name));
  wanted.metric = table.text("metric");
  const bool is_text = table.problems() == before_metric;
  std::vector<std::string> classes{"all"};
  for (const class_spec& c : point.model.classes) classes.push_back(c.name);
  const std::size_t before = table.problems();
  if (point.classes_known) table.describe({"class", word_key{"class", classes}, "all", ""});
  wanted.class_name = point.classes_known ? table.word("class") : table.text("class");
  if (is_text) check_metric(table, wanted, point.model, point.classes_known && table.problems() == before);
  table.close();
  return wanted;
}

std::optional<precision_spec> read_precision(table_reader& run, const point_draft& point) {
  const toml_value* found = run.find("precision");
  const bool compared = run.find("equal_within");
  if (!found && !compared) return std::nullopt;
  precision_spec wanted;
  if (compared) wanted.equal_within = read_share(run, "equal_within");
  if (compared && point.model.run.batch_means)
    run.complain("equal_within", "expected run.intervals = 'replications': batch means are not compared in pairs");
  if (!found) return wanted;
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

}  // namespace

void read_run(table_reader& document, point_draft& point) {
  table_reader run = document.table("run");
  run_spec& spec = point.model.run;
  spec.jobs = point.finite() ? finite_jobs(point.model) : run.integer<std::uint64_t>("jobs");
  spec.batch_means = run.word("intervals") == "batch_means";
  if (spec.batch_means && point.finite())
    run.complain("intervals", "expected 'replications', because the arrivals are finite");
  if (spec.batch_means) run.describe_default("replications", 1);
  // All replications of a log have the same jobs, unless it says otherwise, and so have those of initial jobs alone.
  if ((point.log() && point.model.arrivals.log.replicate == log_spec::copies::none) || point.initial_jobs_alone())
    run.describe_default("replications", 1);
  spec.replications = run.integer<std::uint32_t>("replications");
  spec.seed = run.integer<std::uint64_t>("seed");
  if (point.timed_list) {
    read_ends_of_list(run, spec);
  } else {
    refuse(run, {"cool_down"}, "only a list or log of jobs has an end");
    read_warm_up(run, point.finite(), spec);
  }
  spec.precision = read_precision(run, point);
  if (spec.precision) spec.precision->most_replications = run.integer<std::uint32_t>("most_replications");
  if (run.find("most_jobs_in_system")) spec.most_jobs_in_system = run.integer<std::uint64_t>("most_jobs_in_system");
  if (run.find("control_variates")) spec.control_variates = run.truth("control_variates");
  check_replications(run, spec);
  run.close();
  if (point.model.arrivals.rate > 0.0) {
    const double expected = mean_time_of_arrivals(point.model.arrivals, spec.jobs);
    check_range(run, "jobs", expected, fmt::format("{} jobs take about {{}}", spec.jobs),
                unit_with_room(point.model.unit, expected));
  }
}

}  // namespace muster
