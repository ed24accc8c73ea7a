#include <fmt/format.h>

#include <algorithm>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// Reports a class without units where another class has units, or where the arrivals are finite.
void complain_of_no_units(table_reader& table, const class_spec& spec, const point_draft& point) {
  table.complain("units",
                 point.class_with_units.empty()
                     ? "missing; expected units, because the jobs of process 'uniform' are slotted"
                     : fmt::format("missing; class {} has units, but class {} has none; expected units in all classes "
                                   "or in none",
                                   in_quotes(point.class_with_units), in_quotes(spec.name)));
}

// Reads the units of a job, and from them its size.
unsigned read_units(table_reader& table, class_spec& spec, double slot) {
  const auto units = table.integer<unsigned>("units");
  if (table.find("size")) table.complain("size", "expected no size here, because the units are the work of a job");
  const double size = units * slot;
  check_range(table, "units", size, "takes {}");
  if (size < table.clock().longest) spec.size = distribution::make("deterministic", {{"value", {size}}});
  return units;
}

constexpr const char* arrival_slots = "arrival_slots";  // in place of a number: arrivals.slots, whatever it is

double read_slots(table_reader& table, const point_draft& point, std::string_view key) {
  const std::string* word = table.find_text(key);
  if (!word || *word != arrival_slots) return table.integer<double>(key);
  if (!point.uniform())
    table.complain(key, fmt::format("'{}' stands for arrivals.slots, which only process 'uniform' has; expected an "
                                    "integer",
                                    arrival_slots));
  return static_cast<double>(point.model.arrivals.slots());
}

// Reports a fixed slot before which not every job can arrive.
void check_fixed_slot(table_reader& table, const point_draft& point, std::string_view key, double slot) {
  if (!point.uniform())
    table.complain(
        "distribution",
        "a fixed slot would lie before most arrivals, because they never end; expected arrivals of process 'uniform'");
  else if (in_slots(slot) < point.model.arrivals.slots())
    table.complain(key, fmt::format("deadline before arrival: jobs arrive in slots up to {}; expected a slot from "
                                    "there on, found {}",
                                    point.model.arrivals.slots(), in_slots(slot)));
}

// Checks that the slots of a law do not decrease, in the order of its keys.
void check_slots(table_reader& table, const point_draft& point, const deadline_spec& deadline) {
  double latest = 0.0;
  for (std::size_t k = 0; k < deadline.values.size(); ++k) {
    const described_key& key = deadline.law->keys[k];
    const double slot = deadline.values[k];
    if (!std::holds_alternative<integer_key>(key.type)) continue;
    if (slot < latest)
      table.complain(key.name, fmt::format("expected {} <= {}, found {} and {}", deadline.law->keys[k - 1].name,
                                           key.name, in_slots(latest), in_slots(slot)));
    if (deadline.law->absolute) check_fixed_slot(table, point, key.name, slot);
    latest = std::max(latest, slot);
  }
  check_range(table, "", latest * point.model.slot, "takes up to {}");
}

deadline_spec read_deadline(table_reader& table, const point_draft& point) {
  deadline_spec deadline;
  if (!table.find("deadline")) return deadline;
  const std::size_t before = table.problems();
  table_reader given = table.table("deadline");
  const auto place = given.choice<std::size_t>("distribution");
  if (table.problems() != before) return deadline;
  deadline.law = deadline_catalogue()[place];
  for (const described_key& key : deadline.law->keys)
    deadline.values.push_back(std::holds_alternative<integer_key>(key.type) ? read_slots(given, point, key.name)
                                                                            : given.number(key.name));
  given.close();
  if (table.problems() == before) check_slots(given, point, deadline);
  return deadline;
}

}  // namespace

void read_slotted_class(table_reader& table, class_spec& spec, point_draft& point) {
  if (spec.need != 1)
    table.complain(
        "need", fmt::format("expected 1, because any number of cores may work on a slotted job, found {}", spec.need));
  if (spec.drawn > 0) table.complain("servers", "expected no random servers, because slotted jobs share all cores");
  slotted_spec& slotted = spec.slotted.emplace();
  if (point.list()) {
    refuse(table, {"units", "size", "utility", "initialisation", "deadline", "jobs"}, "the list of jobs tells it");
    slotted.value = table.number("value");
    return;
  }
  const std::size_t before = table.problems();
  unsigned units = 0;
  if (table.find("units"))
    units = read_units(table, spec, point.model.slot);
  else
    complain_of_no_units(table, spec, point);
  slotted.value = table.number("value");
  const double initialisation = table.number("initialisation");
  const auto function = read_utility(table);
  slotted.deadline = read_deadline(table, point);
  if (point.uniform())
    slotted.jobs = table.integer<std::uint64_t>("jobs");
  else
    refuse(table, {"jobs"}, "the arrivals never end; only process 'uniform' has a number of jobs");
  if (function && table.problems() == before) slotted.worth = function->of_units(units, initialisation, slotted.value);
}

}  // namespace muster
