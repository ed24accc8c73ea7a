#include "platform/command_line/load_text.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
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

}  // namespace muster
