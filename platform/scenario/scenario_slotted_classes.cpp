#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

constexpr number_range value_range{"a number > 0 and <= 1e+100", 0.0, true, 1e100};  // sums of values are finite
constexpr number_range initialisation_range{"a number >= 0 and < 1", 0.0, false, 1.0, true};

constexpr const char* slotted_keys[] = {"units", "value", "utility", "initialisation", "deadline", "jobs"};

bool has(const toml_value& table, std::string_view key) { return table.find(key) != nullptr; }

arrival_spec::process process_of(const toml_value& name) {
  const auto* word = name.as<std::string>();
  if (word && *word == "uniform") return arrival_spec::process::uniform;
  if (word && *word == "list") return arrival_spec::process::list;
  return arrival_spec::process::poisson;
}

// Every job of a list brings its own.
void read_class_of_list(table_reader& table, slotted_spec& slotted) {
  for (const char* key : {"units", "size", "utility", "initialisation", "deadline", "jobs"})
    if (table.find(key))
      table.complain(key, fmt::format("expected no {} here, because the list of jobs tells it", key));
  slotted.value = table.number("value", value_range, 1.0);
}

void read_number_of_jobs(table_reader& table, const slotted_form& form, slotted_spec& slotted) {
  if (form.uniform())
    slotted.jobs = static_cast<std::uint64_t>(table.integer("jobs", 1, most_slotted_jobs));
  else if (table.find("jobs"))
    table.complain("jobs",
                   "expected no jobs here, because the arrivals never end; only process 'uniform' has a number "
                   "of jobs");
}

void read_units(table_reader& table, const slotted_form& form, class_spec& spec, const scenario& what) {
  if (!table.find("units")) {
    table.complain(
        "units", form.class_with_units.empty()
                     ? "missing; expected units, because the jobs of process 'uniform' are slotted"
                     : fmt::format("missing; class {} has units, but class {} has none; expected units in all classes "
                                   "or in none",
                                   in_quotes(form.class_with_units), in_quotes(spec.name)));
    table.find("size");
    return;
  }
  const auto units = static_cast<double>(table.integer("units", 1, static_cast<std::int64_t>(most_units)));
  const double size = units * what.slot;
  if (table.find("size")) table.complain("size", "expected no size here, because the units are the work of a job");
  const clock_range clock = clock_of(what);
  if (size < clock.longest)
    spec.size = distribution::make("deterministic", {{"value", {size}}});
  else
    table.complain("units", fmt::format("takes {:.3g} {}; expected less than {:.3g} {}, the range of the clock", size,
                                        clock.unit, clock.longest, clock.unit));
}

}  // namespace

slotted_form slotted_form_of(const toml_value& document) {
  slotted_form form;
  const toml_value* classes = document.find("classes");
  if (const auto* tables = classes ? classes->as<toml_array>() : nullptr)
    for (const toml_value& table : *tables) {
      if (!has(table, "units")) continue;
      form.jobs = true;
      const toml_value* name = table.find("name");
      if (form.class_with_units.empty() && name && name->as<std::string>())
        form.class_with_units = *name->as<std::string>();
    }
  const toml_value* arrivals = document.find("arrivals");
  const toml_value* process = arrivals ? arrivals->find("process") : nullptr;
  const toml_value* slots = arrivals ? arrivals->find("slots") : nullptr;
  if (process) form.process = process_of(*process);
  if (slots && slots->as<std::int64_t>()) form.arrival_slots = std::max<std::int64_t>(0, *slots->as<std::int64_t>());
  form.jobs = form.jobs || form.finite();
  return form;
}

void read_slotted_class(table_reader& table, const slotted_form& form, class_spec& spec, const scenario& what) {
  if (spec.need != 1)
    table.complain(
        "need", fmt::format("expected 1, because any number of cores may work on a slotted job, found {}", spec.need));
  if (spec.drawn > 0) table.complain("servers", "expected no random servers, because slotted jobs share all cores");
  slotted_spec slotted;
  if (form.list()) {
    read_class_of_list(table, slotted);
    spec.slotted = std::move(slotted);
    return;
  }
  const std::size_t before = table.problems();
  read_units(table, form, spec, what);
  slotted.value = table.number("value", value_range, 1.0);
  const double initialisation = table.number("initialisation", initialisation_range, 0.0);
  const auto function = read_utility(table);
  slotted.deadline = read_deadline(table, form, what);
  read_number_of_jobs(table, form, slotted);
  if (function && table.problems() == before) {
    const auto units = static_cast<unsigned>(table.integer("units", 1, static_cast<std::int64_t>(most_units)));
    slotted.worth = function->of_units(units, initialisation, slotted.value);
  }
  spec.slotted = std::move(slotted);
}

void refuse_slotted_keys(table_reader& table) {
  for (const char* key : slotted_keys)
    if (table.find(key))
      table.complain(key, fmt::format("has no effect without slotted jobs; expected units beside {}", key));
}

void check_cores_are_shared(table_reader& table, const class_spec& spec, const scenario& what) {
  if (spec.servers.size() == what.servers.size()) return;
  table.complain("servers", fmt::format("expected all servers, because slotted jobs share all cores, found {} of {}",
                                        spec.servers.size(), what.servers.size()));
}

}  // namespace muster
