#include "platform/command_line/class_glance.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "platform/model/class_table.h"
#include "platform/model/job_kind.h"
#include "platform/tables/table_layout.h"

namespace muster {

namespace {

// Work of a job of the class on average, as cores times time; the jobs of a list have theirs each.
double work_of_a_job(const scenario& model, const class_spec& c) {
  if (model.arrivals.kind == arrival_spec::process::list) return 0.0;
  return c.size.mean() * (is_pooled(model) ? 1.0 : static_cast<double>(c.need));
}

std::string arrivals_text(const scenario& model, double work_of_an_arrival) {
  if (model.arrivals.finite()) return fmt::format("{} jobs arrive in all.\n", model.run.jobs);
  const double load = model.arrivals.rate * work_of_an_arrival / total_capacity(model);
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
  const bool listed = model.arrivals.kind == arrival_spec::process::list;
  double all = 0.0;
  for (const class_spec& c : model.classes) all += c.share * work_of_a_job(model, c);
  const auto size = [](const class_spec& c) { return c.size.mean(); };
  const auto share = [&](const class_spec& c) { return c.share * work_of_a_job(model, c) / all; };
  table_layout<class_spec> layout("arrivals");
  layout.text("class", &class_spec::name)
      .number("rate", [&](const class_spec& c) { return model.arrivals.finite() ? cell() : cell(c.rate); })
      .whole("need", &class_spec::need)
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

}  // namespace muster
