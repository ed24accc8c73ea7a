#include <fmt/format.h>

#include <algorithm>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

constexpr const char* arrival_slots = "arrival_slots";  // in place of a number: arrivals.slots, whatever it is

std::uint64_t read_slots(table_reader& table, const point_draft& point, std::string_view key) {
  const std::string* word = table.find_text(key);
  if (!word || *word != arrival_slots) return table.integer<std::uint64_t>(key);
  if (!point.uniform())
    table.complain(key, fmt::format("'{}' stands for arrivals.slots, which only process 'uniform' has; expected an "
                                    "integer",
                                    arrival_slots));
  return point.what.arrivals.slots;
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
  else if (deadline.first < point.what.arrivals.slots)
    table.complain("slot", fmt::format("deadline before arrival: jobs arrive in slots up to {}; expected a slot from "
                                       "there on, found {}",
                                       point.what.arrivals.slots, deadline.first));
}

}  // namespace

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
  check_range(given, "", static_cast<double>(std::max(deadline.first, deadline.second)) * point.what.slot,
              "takes up to {}");
  return deadline;
}

}  // namespace muster
