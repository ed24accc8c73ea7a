#include "platform/command_line/glance_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/model/platform_spec.h"
#include "platform/model/resource_load.h"
#include "platform/tables/table_layout.h"

namespace muster {

namespace {

// Whether each job has units of its own, of which no mean is shown.
bool lists_units(const scenario& model) {
  return model.arrivals.kind == arrival_spec::process::list && !model.arrivals.jobs;
}

// Work of a job of the class on average, as cores times time; the slotted jobs of a list have theirs each.
double work_of_a_job(const scenario& model, const class_spec& c) {
  if (lists_units(model)) return 0.0;
  return is_pooled(model) ? c.size.mean() : c.mean_work();
}

// What each class brings to an arrival's work, on average; where jobs need tasks, to the load of the resource that
// binds.
std::vector<double> work_by_class(const scenario& model) {
  if (model.counts_tasks()) return binding_load(resource_loads(model, 1.0)).by_class;
  std::vector<double> work;
  for (const class_spec& c : model.classes) work.push_back(c.share * work_of_a_job(model, c));
  return work;
}

std::string arrivals_text(const scenario& model, double work_of_an_arrival) {
  if (model.arrivals.finite()) return fmt::format("{} jobs arrive in all.\n", model.run.jobs);
  const double load = model.counts_tasks() ? binding_load(resource_loads(model, model.arrivals.rate)).load
                                           : model.arrivals.rate * work_of_an_arrival / total_capacity(model);
  return fmt::format("Arrivals at point 0: {:.6g} per {} in all, which is arrivals.load = {:.4g}.\n",
                     model.arrivals.rate, model.unit.name, load);
}

constexpr std::size_t most_steps_shown = 48;

struct shown_step {
  double from, until, value;  ///< until: infinite for the last one of a column that does not begin anew
};

// The steps, each with its end.
std::vector<shown_step> ended_steps(const step_function& of) {
  std::vector<shown_step> all;
  for (std::size_t at = 0; at < of.steps.size(); ++at) {
    const bool last = at + 1 == of.steps.size();
    const double end = of.period.value_or(std::numeric_limits<double>::infinity());
    all.push_back({at == 0 ? 0.0 : of.steps[at].from, last ? end : of.steps[at + 1].from, of.steps[at].value});
  }
  return all;
}

// What follows the last step.
std::string in_the_end(const step_function& of, const std::vector<shown_step>& all, const time_unit& unit) {
  if (!of.period) return "the last value holds to the end";
  double mean = 0.0;
  for (const shown_step& s : all) mean += s.value * (s.until - s.from) / *of.period;
  return fmt::format("all comes again after {:.6g} {}, {:.6g} in the mean", *of.period, unit.name, mean);
}

void add_steps(table_document& report, const step_function& of, const time_unit& unit, std::string_view name,
               const std::string& title) {
  const auto [least, most] = std::minmax_element(of.steps.begin(), of.steps.end(),
                                                 [](const auto& a, const auto& b) { return a.value < b.value; });
  if (of.steps.size() == 1) return report.say(fmt::format("{}: {:.6g}, always.\n\n", title, least->value));
  std::vector<shown_step> all = ended_steps(of);
  report.say(fmt::format("{}: {} steps from {:.6g} to {:.6g}; {}{}.\n", title, all.size(), least->value, most->value,
                         in_the_end(of, all, unit),
                         all.size() > most_steps_shown ? fmt::format("; the first {} follow", most_steps_shown) : ""));
  if (all.size() > most_steps_shown) all.resize(most_steps_shown);
  table_layout<shown_step> layout{std::string{name}};
  layout.number("from", &shown_step::from)
      .number("until", [](const shown_step& s) { return std::isfinite(s.until) ? cell(s.until) : cell(); })
      .number("value", &shown_step::value);
  report.add(layout.table(all));
  report.say("\n");
}

}  // namespace

std::string readable_time(double seconds) {
  if (seconds == 0.0) return "0 s";
  const std::vector<time_unit>& units = time_units();
  // From two days on in days, from two hours on in hours, and so on: "90 s", "36 h".
  const auto reads_well = [&](const time_unit& unit) {
    return seconds >= (unit.seconds > 1.0 ? 2.0 : 1.0) * unit.seconds * (1.0 - 1e-9);
  };
  const auto found = std::find_if(units.rbegin(), std::prev(units.rend()), reads_well);
  return fmt::format("{:.3g} {}", seconds / found->seconds, found->name);
}

void add_class_glance(table_document& report, const scenario& model) {
  const bool listed = lists_units(model);
  const std::vector<double> work = work_by_class(model);
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  const auto size = [](const class_spec& c) { return c.size.mean(); };
  const auto share = [&](const class_spec& c) {
    return work[static_cast<std::size_t>(&c - model.classes.data())] / all;
  };
  table_layout<class_spec> layout("arrivals");
  layout.text("class", &class_spec::name)
      .number("rate", [&](const class_spec& c) { return model.arrivals.finite() ? cell() : cell(c.rate); })
      .whole("need", [](const class_spec& c) { return c.listed.size() > 1 ? cell() : cell(c.need); })
      .number("mean size",
              [&](const class_spec& c) {
                return listed ? cell() : cell(size(c)).shown_as(readable_time(size(c) * model.unit.seconds));
              })
      .number(column("share of the load").named("share_of_load"), [&](const class_spec& c) {
        return listed ? cell() : cell(share(c)).shown_as(fmt::format("{:.1f} %", 100.0 * share(c)));
      });
  report.say(arrivals_text(model, all));
  report.add(layout.table(model.classes));
  report.say("\n");
}

void add_resource_loads(table_document& report, const scenario& model) {
  if (!model.counts_tasks()) return;
  const std::vector<resource_load> loads = resource_loads(model, rate_until_last(model));
  const resource_load* const binding = &binding_load(loads);
  table_layout<resource_load> layout("resources");
  layout.text("resource", &resource_load::name)
      .number(column("load").formatted("{:.4f}"), &resource_load::load)
      .text("binds", [&](const resource_load& r) { return &r == binding ? cell("binds") : cell(); });
  report.say(model.arrivals.jobs ? "Load of each resource at point 0 until the last arrival, from what the jobs need:\n"
                                 : "Load of each resource at point 0; arrivals.load is that of the one that binds:\n");
  report.add(layout.table(loads));
  report.say("\n");
}

void add_energy_prices(table_document& report, const scenario& model) {
  if (!model.price) return;
  if (model.price->energy)
    add_steps(report, *model.price->energy, model.unit, "energy_prices",
              fmt::format("Price of a kWh at point 0, by time in {}", model.unit.name));
  if (model.price->carbon)
    add_steps(report, *model.price->carbon, model.unit, "carbon",
              fmt::format("Grams of carbon for a kWh at point 0, by time in {}", model.unit.name));
}

}  // namespace muster
