#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "platform/model/class_table.h"
#include "platform/model/resource_load.h"
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

// The rate at which a given share of the capacity of all servers has work; of the resource that binds, where jobs need
// tasks.
double rate_of_load(double load, const scenario& model) {
  if (model.counts_tasks()) return load / binding_load(resource_loads(model, 1.0)).load;
  double work = 0.0;  // of an arrival, on average
  for (const class_spec& c : model.classes) work += c.share * c.need * c.size.mean();
  return load * total_capacity(model) / work;
}

// The utility of a job of a list, times the value of its class.
std::shared_ptr<const utility> worth_of(const listed_job& job, double value) {
  std::vector<double> gains;
  for (unsigned k = 0; k < job.worth->units(); ++k) gains.push_back(job.worth->gain(k) * value);
  return std::make_shared<const utility>(std::move(gains));
}

// Makes the jobs of the list those of the only class.
void take_jobs(scenario& model) {
  class_spec& spec = model.classes.front();
  double units = 0.0;
  for (listed_job& job : model.arrivals.list) {
    units += job.worth->units();
    if (spec.slotted->value != 1.0) job.worth = worth_of(job, spec.slotted->value);
  }
  const double mean = units / static_cast<double>(model.arrivals.list.size());
  spec.size = distribution::make("deterministic", {{"value", {mean * model.slot}}});
}

// Reads the slotted jobs of the file that a key of the process names.
void read_jobs(table_reader& table, const described_key& key, point_draft& point) {
  const std::size_t before = table.problems();
  if (point.classes_known && point.model.classes.size() != 1)
    table.complain("process",
                   fmt::format("expected a single class with a list of jobs, found {}", point.model.classes.size()));
  const auto list = read_file<job_list_file>(table, key.name, point.files);
  if (list) point.model.arrivals.list = list->jobs;
  if (list && point.classes_known && table.problems() == before) take_jobs(point.model);
}

// Reads the rest of `arrivals` where they come to an end.
void read_finite_arrivals(table_reader& table, point_draft& point) {
  scenario& model = point.model;
  if (point.log()) {  // read_log() has read it
    if (model.arrivals.jobs) count_listed_jobs(model, *model.arrivals.jobs);
    return;
  }
  if (point.initial_jobs_alone()) {
    read_initial_jobs_alone(table, point);
    return;
  }
  const described_key& key = point.process->keys.front();
  if (point.timed_list) {
    if (const auto list = read_file<job_list_file>(table, key.name, point.files))
      read_timed_list(table, key.name, *list, point);
    return;
  }
  if (std::holds_alternative<text_key>(key.type)) read_jobs(table, key, point);
  const std::uint64_t last = point.process->last_slot(model);
  check_range(table, key.name, static_cast<double>(last) * model.slot,
              fmt::format("the last slot, {}, ends at {{}}", last));
}

// Reports a value of the process's own keys that does not fit the others, or the rate.
void check_values_of_process(table_reader& table, const arrival_spec& arrivals) {
  if (!arrivals.entry->objection) return;
  if (const auto wrong = arrivals.entry->objection(arrivals)) table.complain(wrong->first, wrong->second);
}

}  // namespace

void read_process(table_reader& document, point_draft& point) {
  const std::string name = document.table("arrivals").word("process");
  arrival_spec& arrivals = point.model.arrivals;
  for (const arrival_entry* entry : arrival_catalogue())
    if (entry->name == name)
      std::tie(point.process, arrivals.entry, arrivals.kind) = std::tuple(entry, entry, entry->kind);
}

void read_values_of_process(table_reader& document, point_draft& point) {
  if (!point.process || point.log()) return;
  table_reader table = document.table("arrivals");
  const std::size_t before = table.problems();
  arrival_spec& arrivals = point.model.arrivals;
  arrivals.values = read_values(table, point.process->keys);
  for (const described_key& key : point.process->keys)
    if (std::holds_alternative<numbers_key>(key.type)) arrivals.lists.push_back(table.numbers(key.name));
  if (table.problems() == before) check_values_of_process(table, arrivals);
  point.process_known = table.problems() == before;
}

void read_arrivals(table_reader& document, point_draft& point) {
  scenario& model = point.model;
  table_reader table = document.table("arrivals");
  const std::size_t before = table.problems();
  std::optional<double> rate = table.optional_number("rate");
  const std::optional<double> load = table.optional_number("load");
  const double factor = table.optional_number("factor").value_or(1.0);
  if (!point.process) return;  // which other keys there are depends on it
  std::optional<distribution> between;
  std::string_view law;  // key of the law of the times between arrivals
  for (const described_key& key : point.process->keys)
    if (!point.log() && std::holds_alternative<other_key>(key.type)) between = read_distribution(table, law = key.name);
  read_estimates(table, point);
  table.close();
  if (point.finite()) read_finite_arrivals(table, point);
  check_estimates(table, point);
  if (point.finite()) return;
  if (point.by_rate) {
    if (point.classes_known) refuse(table, {"rate", "load"}, "every class has a rate");
    rate = 0.0;
    for (const class_spec& c : model.classes) *rate += c.rate;
  } else if (table.find("rate") && table.find("load")) {
    table.complain("load", "found rate and load; expected one of them");
  } else if (!table.find("rate") && !table.find("load") && law.empty()) {
    table.complain("rate", "missing; expected rate or load");
  }
  if (((point.by_rate || load) && !point.classes_known) || table.problems() != before) return;
  if (load) rate = rate_of_load(*load, model);

  const std::string_view source = between ? law : load ? "load" : "rate";
  try {
    resolve_arrivals(model.arrivals, rate, between, factor);
  } catch (const std::invalid_argument& refused) {
    return table.complain(source, refused.what());
  }
  for (class_spec& c : model.classes) {
    if (point.by_rate) c.share = c.rate / *rate;
    c.rate = point.by_rate ? c.rate * factor : c.share * model.arrivals.rate;
  }
  check_step(table, source, 1.0 / model.arrivals.rate, "arrivals come every {} on average");
  if (point.process_known && table.problems() == before) check_values_of_process(table, model.arrivals);
  if (point.queue_read && point.classes_known) read_initial_jobs(table, point);
}

void count_listed_jobs(scenario& model, const timed_jobs& all) {
  for (const timed_job& j : all) {
    listed_need& need = model.classes[j.type].listed[j.need];
    ++need.jobs;
    need.size += std::min(j.size, model.arrivals.estimates.limit(j.size, j.requested));
  }
  for (class_spec& c : model.classes) {
    double size = 0.0, jobs = 0.0;
    for (listed_need& need : c.listed) {
      size += need.size;
      jobs += static_cast<double>(need.jobs);
      if (need.jobs > 0) need.size /= static_cast<double>(need.jobs);
    }
    c.share = jobs / static_cast<double>(all.size());
    c.size = distribution::make("deterministic", {{"value", {jobs > 0.0 ? size / jobs : 1.0}}});
  }
}

}  // namespace muster
