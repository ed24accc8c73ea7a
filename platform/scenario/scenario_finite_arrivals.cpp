#include <fmt/format.h>

#include <algorithm>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

void check_last_slot(table_reader& table, std::string_view key, std::uint64_t slot, const scenario& what) {
  const clock_range clock = clock_of(what);
  if (const double time = static_cast<double>(slot) * what.slot; !(time < clock.longest))
    table.complain(key, fmt::format("the last slot, {}, ends at {:.3g} {}; expected less than {:.3g} {}, the range of "
                                    "the clock",
                                    slot, time, clock.unit, clock.longest, clock.unit));
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

void read_list(table_reader& table, study_files& files, scenario& what, bool classes_known) {
  const std::size_t before = table.problems();
  const std::string path = table.text("file");
  if (classes_known && what.classes.size() != 1)
    table.complain("process",
                   fmt::format("expected a single class with a list of jobs, found {}", what.classes.size()));
  if (table.problems() != before) return;
  const job_list_file& list = files.job_lists.at(path);
  if (!list.refusal.empty()) table.complain("file", list.refusal);
  for (const named_file::flaw& flaw : list.flaws)
    table.complain_in(list.path, flaw.where.line, flaw.where.column, "file", flaw.message);
  if (!list.fit()) return;
  what.arrivals.file = path;
  std::uint64_t last = 0, units = 0;
  for (const listed_job& job : list.jobs) {
    last = std::max({last, job.arrival, job.deadline});
    units += job.worth->units();
  }
  check_last_slot(table, "file", last + units, what);
  if (classes_known && table.problems() == before) take_jobs(list, what);
}

}  // namespace

void read_finite_arrivals(table_reader& table, const slotted_form& form, study_files& files, scenario& what,
                          bool classes_known) {
  for (const char* key : {"rate", "load"})
    if (table.find(key)) table.complain(key, fmt::format("expected no {} here, because the arrivals are finite", key));
  if (form.list()) {
    what.arrivals.kind = arrival_spec::process::list;
    read_list(table, files, what, classes_known);
    return;
  }
  what.arrivals.kind = arrival_spec::process::uniform;
  what.arrivals.slots = static_cast<std::uint64_t>(table.integer("slots", 1, static_cast<std::int64_t>(most_slots)));
  check_last_slot(table, "slots", what.arrivals.slots, what);
}

}  // namespace muster
