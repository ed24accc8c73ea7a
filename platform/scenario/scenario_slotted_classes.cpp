#include <fmt/format.h>

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
    units = read_units(table, spec, point.what.slot);
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
