#include <fmt/format.h>

#include <algorithm>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

constexpr const char* arrival_slots = "arrival_slots";  // in place of a number: arrivals.slots, whatever it is
constexpr number_range tight_share_range{"a number from 0 to 1", 0.0, false, 1.0};

/// Reads the numbers of a deadline.
struct slots_reader {
  table_reader& table;
  const slotted_form& form;

  std::uint64_t operator()(std::string_view key, std::int64_t lowest) const {
    const toml_value* found = table.find(key);
    const auto* word = found ? found->as<std::string>() : nullptr;
    if (!word) return static_cast<std::uint64_t>(table.integer(key, lowest, static_cast<std::int64_t>(most_slots)));
    if (*word != arrival_slots)
      table.complain(key, fmt::format("expected an integer from {} to {} or '{}', found {}", lowest, most_slots,
                                      arrival_slots, in_quotes(*word)));
    else if (!form.uniform())
      table.complain(key, fmt::format("'{}' stands for arrivals.slots, which only process 'uniform' has; expected an "
                                      "integer",
                                      arrival_slots));
    return static_cast<std::uint64_t>(std::max(lowest, form.arrival_slots));
  }
};

void check_order(table_reader& table, std::string_view first, std::string_view second, const deadline_spec& deadline) {
  if (deadline.first > deadline.second)
    table.complain(second,
                   fmt::format("expected {} <= {}, found {} and {}", first, second, deadline.first, deadline.second));
}

// Every job must be able to arrive before it.
void check_fixed_slot(table_reader& table, const slotted_form& form, const deadline_spec& deadline) {
  if (!form.uniform())
    table.complain(
        "distribution",
        "a fixed slot would lie before most arrivals, because they never end; expected arrivals of process 'uniform'");
  else if (deadline.first < static_cast<std::uint64_t>(form.arrival_slots))
    table.complain("slot", fmt::format("deadline before arrival: jobs arrive in slots up to {}; expected a slot from "
                                       "there on, found {}",
                                       form.arrival_slots, deadline.first));
}

void check_clock(table_reader& table, const deadline_spec& deadline, const scenario& what) {
  const clock_range clock = clock_of(what);
  const double time = static_cast<double>(std::max(deadline.first, deadline.second)) * what.slot;
  if (!(time < clock.longest))
    table.complain(fmt::format("takes up to {:.3g} {}; expected less than {:.3g} {}, the range of the clock", time,
                               clock.unit, clock.longest, clock.unit));
}

}  // namespace

deadline_spec read_deadline(table_reader& table, const slotted_form& form, const scenario& what) {
  deadline_spec deadline;
  if (!table.find("deadline")) return deadline;
  const std::size_t before = table.problems();
  table_reader given = table.table("deadline");
  if (table.problems() != before) return deadline;
  const std::string law =
      given.word("distribution", "distribution of deadlines", {"constant", "uniform", "two_valued", "fixed_slot"});
  if (law.empty()) return deadline;
  const slots_reader slots{given, form};
  if (law == "constant") {
    deadline.kind = deadline_spec::law::constant;
    deadline.first = slots("slots", 0);
  } else if (law == "uniform") {
    deadline.kind = deadline_spec::law::uniform;
    deadline.first = slots("from", 0);
    deadline.second = slots("to", 0);
  } else if (law == "two_valued") {
    deadline.kind = deadline_spec::law::two_valued;
    deadline.first = slots("tight", 0);
    deadline.second = slots("loose", 0);
    deadline.tight_share = given.number("tight_share", tight_share_range, 0.5);
  } else {
    deadline.kind = deadline_spec::law::fixed_slot;
    deadline.first = slots("slot", 1);
  }
  given.close();
  if (table.problems() != before) return deadline;
  if (deadline.kind == deadline_spec::law::uniform) check_order(given, "from", "to", deadline);
  if (deadline.kind == deadline_spec::law::two_valued) check_order(given, "tight", "loose", deadline);
  if (deadline.kind == deadline_spec::law::fixed_slot) check_fixed_slot(given, form, deadline);
  check_clock(given, deadline, what);
  return deadline;
}

}  // namespace muster
