#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "platform/model/class_table.h"
#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// Sets rate and interarrival time from what is given of them. @throws std::invalid_argument
void resolve_arrivals(arrival_spec& arrivals, std::optional<double> rate, const std::optional<distribution>& between,
                      double factor) {
  if (between && !(between->mean() > 0.0 && std::isfinite(between->mean())))
    throw std::invalid_argument("expected an interarrival time with a finite mean > 0");
  if (rate || factor != 1.0) rate = factor * (rate ? *rate : 1.0 / between->mean());
  arrivals.rate = rate ? *rate : 1.0 / between->mean();
  arrivals.interarrival = !between ? arrivals.entry->between(1.0 / arrivals.rate)
                          : rate   ? between->scaled(1.0 / (arrivals.rate * between->mean()))
                                   : *between;
}

// At which all servers together have that share of their capacity to work.
double rate_of_load(double load, const scenario& model) {
  double work = 0.0;  // of an arrival, on average
  for (const class_spec& c : model.classes) work += c.share * c.need * c.size.mean();
  return load * total_capacity(model) / work;
}

void check_last_slot(table_reader& table, std::string_view key, std::uint64_t slot, const scenario& model) {
  check_range(table, key, static_cast<double>(slot) * model.slot, fmt::format("the last slot, {}, ends at {{}}", slot));
}

// The utility times the value of the job's class.
std::shared_ptr<const utility> worth_of(const listed_job& job, double value) {
  std::vector<double> gains;
  for (unsigned k = 0; k < job.worth->units(); ++k) gains.push_back(job.worth->gain(k) * value);
  return std::make_shared<const utility>(std::move(gains));
}

// The jobs of a list as those of the only class.
void take_jobs(const job_list_file& list, scenario& model) {
  class_spec& spec = model.classes.front();
  model.arrivals.list = list.jobs;
  double units = 0.0;
  for (listed_job& job : model.arrivals.list) {
    units += job.worth->units();
    if (spec.slotted->value != 1.0) job.worth = worth_of(job, spec.slotted->value);
  }
  const double mean = units / static_cast<double>(list.jobs.size());
  spec.size = distribution::make("deterministic", {{"value", {mean * model.slot}}});
}

// `arrivals` where they come to an end.
void read_finite_arrivals(table_reader& table, point_draft& point) {
  scenario& model = point.model;
  if (point.uniform()) {
    check_last_slot(table, "slots", model.arrivals.slots, model);
    return;
  }
  const std::size_t before = table.problems();
  if (point.classes_known && model.classes.size() != 1)
    table.complain("process",
                   fmt::format("expected a single class with a list of jobs, found {}", model.classes.size()));
  const auto list = read_file(table, "file", point.files.job_lists);
  if (!list) return;
  model.arrivals.file = table.text("file");
  std::uint64_t last = 0, units = 0;
  for (const listed_job& job : list->jobs) {
    last = std::max({last, job.arrival, job.deadline});
    units += job.worth->units();
  }
  check_last_slot(table, "file", last + units, model);
  if (point.classes_known && table.problems() == before) take_jobs(*list, model);
}

}  // namespace

void read_process(table_reader& document, point_draft& point) {
  table_reader table = document.table("arrivals");
  point.process = table.word("process");
  arrival_spec& arrivals = point.model.arrivals;
  for (const arrival_entry* entry : arrival_catalogue())
    if (entry->name == point.process) std::tie(arrivals.entry, arrivals.kind) = std::tie(entry, entry->kind);
}

void read_arrival_slots(table_reader& document, point_draft& point) {
  if (point.uniform()) point.model.arrivals.slots = document.table("arrivals").integer<std::uint64_t>("slots");
}

void read_arrivals(table_reader& document, point_draft& point) {
  scenario& model = point.model;
  table_reader table = document.table("arrivals");
  const std::size_t before = table.problems();
  std::optional<double> rate = table.optional_number("rate");
  const std::optional<double> load = table.optional_number("load");
  const double factor = table.optional_number("factor").value_or(1.0);
  std::optional<distribution> between;
  if (point.process == "renewal") between = read_distribution(table, "interarrival");
  if (point.process.empty()) return;  // which other keys there are depends on it
  table.close();
  if (point.finite()) {
    read_finite_arrivals(table, point);
    return;
  }
  if (point.by_rate) {
    if (point.classes_known) refuse(table, {"rate", "load"}, "every class has a rate");
    rate = 0.0;
    for (const class_spec& c : model.classes) *rate += c.rate;
  } else if (table.find("rate") && table.find("load")) {
    table.complain("load", "found rate and load; expected one of them");
  } else if (!table.find("rate") && !table.find("load") && point.process != "renewal") {
    table.complain("rate", "missing; expected rate or load");
  }
  if (((point.by_rate || load) && !point.classes_known) || table.problems() != before) return;
  if (load) rate = rate_of_load(*load, model);

  const std::string_view source = between ? "interarrival" : load ? "load" : "rate";
  try {
    resolve_arrivals(model.arrivals, rate, between, factor);
  } catch (const std::invalid_argument& refused) {
    table.complain(source, refused.what());
    return;
  }
  for (class_spec& c : model.classes) {
    if (point.by_rate) c.share = c.rate / *rate;
    c.rate = point.by_rate ? c.rate * factor : c.share * model.arrivals.rate;
  }
  check_step(table, source, 1.0 / model.arrivals.rate, "arrivals come every {} on average");
}

}  // namespace muster
