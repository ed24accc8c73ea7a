#include <fmt/format.h>

#include <algorithm>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// Without units a class of the others' company, or of finite arrivals, is not complete.
void complain_of_no_units(table_reader& table, const class_spec& spec, const point_draft& point) {
  table.complain("units",
                 point.class_with_units.empty()
                     ? "missing; expected units, because the jobs of process 'uniform' are slotted"
                     : fmt::format("missing; class {} has units, but class {} has none; expected units in all classes "
                                   "or in none",
                                   in_quotes(point.class_with_units), in_quotes(spec.name)));
}

// @return how many
unsigned read_units(table_reader& table, class_spec& spec, double slot) {
  const auto units = table.integer<unsigned>("units");
  if (table.find("size")) table.complain("size", "expected no size here, because the units are the work of a job");
  const double size = units * slot;
  check_range(table, "units", size, "takes {}");
  if (size < table.clock().longest) spec.size = distribution::make("deterministic", {{"value", {size}}});
  return units;
}

constexpr const char* arrival_slots = "arrival_slots";  // in place of a number: arrivals.slots, whatever it is

std::uint64_t read_slots(table_reader& table, const point_draft& point, std::string_view key) {
  const std::string* word = table.find_text(key);
  if (!word || *word != arrival_slots) return table.integer<std::uint64_t>(key);
  if (!point.uniform())
    table.complain(key, fmt::format("'{}' stands for arrivals.slots, which only process 'uniform' has; expected an "
                                    "integer",
                                    arrival_slots));
  return point.model.arrivals.slots;
}

void check_order(table_reader& table, std::string_view first, std::string_view second, const deadline_spec& deadline) {
  if (deadline.first > deadline.second)
    table.complain(second,
                   fmt::format("expected {} <= {}, found {} and {}", first, second, deadline.first, deadline.second));
}

// Every job must be able to arrive before it.
void check_fixed_slot(table_reader& table, const point_draft& point, const deadline_spec& deadline) {
  if (!point.uniform())
    table.complain(
        "distribution",
        "a fixed slot would lie before most arrivals, because they never end; expected arrivals of process 'uniform'");
  else if (deadline.first < point.model.arrivals.slots)
    table.complain("slot", fmt::format("deadline before arrival: jobs arrive in slots up to {}; expected a slot from "
                                       "there on, found {}",
                                       point.model.arrivals.slots, deadline.first));
}

deadline_spec read_deadline(table_reader& table, const point_draft& point) {
  deadline_spec deadline;
  if (!table.find("deadline")) return deadline;
  const std::size_t before = table.problems();
  table_reader given = table.table("deadline");
  if (table.problems() != before) return deadline;
  // Of constant, uniform, two_valued and fixed_slot.
  constexpr std::pair<const char*, const char*> keys[] = {
      {"slots", nullptr}, {"from", "to"}, {"tight", "loose"}, {"slot", nullptr}};
  const auto place = given.choice<std::size_t>("distribution");
  if (table.problems() != before) return deadline;
  const auto [first, second] = keys[place];
  deadline.kind = static_cast<deadline_spec::law>(place + 1);
  deadline.first = read_slots(given, point, first);
  if (second) deadline.second = read_slots(given, point, second);
  if (deadline.kind == deadline_spec::law::two_valued) deadline.tight_share = given.number("tight_share");
  given.close();
  if (table.problems() != before) return deadline;
  if (second) check_order(given, first, second, deadline);
  if (deadline.kind == deadline_spec::law::fixed_slot) check_fixed_slot(given, point, deadline);
  check_range(given, "", static_cast<double>(std::max(deadline.first, deadline.second)) * point.model.slot,
              "takes up to {}");
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
