#include <fmt/format.h>

#include <algorithm>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

void check_last_slot(table_reader& table, std::string_view key, std::uint64_t slot, const scenario& what) {
  check_range(table, key, static_cast<double>(slot) * what.slot, fmt::format("the last slot, {}, ends at {{}}", slot));
}

// The utility times the value of the job's class.
std::shared_ptr<const utility> worth_of(const listed_job& job, double value) {
  std::vector<double> gains;
  for (unsigned k = 0; k < job.worth->units(); ++k) gains.push_back(job.worth->gain(k) * value);
  return std::make_shared<const utility>(std::move(gains));
}

// The jobs of a list as those of the only class.
void take_jobs(const job_list_file& list, scenario& what) {
  class_spec& spec = what.classes.front();
  what.arrivals.list = list.jobs;
  double units = 0.0;
  for (listed_job& job : what.arrivals.list) {
    units += job.worth->units();
    if (spec.slotted->value != 1.0) job.worth = worth_of(job, spec.slotted->value);
  }
  const double mean = units / static_cast<double>(list.jobs.size());
  spec.size = distribution::make("deterministic", {{"value", {mean * what.slot}}});
}

}  // namespace

void read_finite_arrivals(table_reader& table, point_draft& point) {
  scenario& what = point.what;
  refuse(table, {"rate", "load", "factor"}, "the arrivals are finite");
  if (point.uniform()) {
    check_last_slot(table, "slots", what.arrivals.slots, what);
    return;
  }
  const std::size_t before = table.problems();
  if (point.classes_known && what.classes.size() != 1)
    table.complain("process",
                   fmt::format("expected a single class with a list of jobs, found {}", what.classes.size()));
  const auto list = read_file(table, "file", point.files.job_lists);
  if (!list) return;
  what.arrivals.file = table.text("file");
  std::uint64_t last = 0, units = 0;
  for (const listed_job& job : list->jobs) {
    last = std::max({last, job.arrival, job.deadline});
    units += job.worth->units();
  }
  check_last_slot(table, "file", last + units, what);
  if (point.classes_known && table.problems() == before) take_jobs(*list, what);
}

}  // namespace muster
