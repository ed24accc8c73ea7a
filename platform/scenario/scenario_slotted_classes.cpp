#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "platform/scenario/scenario_reader.h"
#include "platform/toml/nearest_name.h"

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

// Limits within which slopes between points are finite.
constexpr double most_utility = 1e100;
constexpr double least_step = 1e-9;

// Takes a point of a piecewise linear utility, unless something is wrong with it.
std::optional<std::string> take_point(const toml_value& element, utility_function::points& points) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto* pair = element.as<toml_array>();
  if (!pair || pair->size() != 2) return "expected a share of the work and a utility such as [0.5, 0.8]";
  const double work = (*pair)[0].number().value_or(none), worth = (*pair)[1].number().value_or(none);
  if (!(work >= 0.0 && work <= 1.0)) return "expected a share of the work from 0 to 1";
  if (!(worth >= 0.0 && worth <= most_utility)) return fmt::format("expected a utility from 0 to {:g}", most_utility);
  if (points.empty() && (work != 0.0 || worth != 0.0)) return "expected [0, 0], the beginning";
  if (!points.empty() && work < points.back().first + least_step)
    return fmt::format("the share of the work is {} after {}; expected that it increases", shortest(work),
                       shortest(points.back().first));
  if (!points.empty() && worth < points.back().second)
    return fmt::format("the utility decreases from {} to {}; expected that it never decreases",
                       shortest(points.back().second), shortest(worth));
  points.emplace_back(work, worth);
  return std::nullopt;
}

// Reads the points one by one; it ends at the first that is wrong.
std::optional<utility_function> read_points(table_reader& table) {
  const toml_value* found = table.find("points");
  const auto* elements = found->as<toml_array>();
  if (!elements || elements->size() < 2) {
    table.complain("points", fmt::format("expected an array of at least two points such as [0.5, 0.8], found {}",
                                         elements ? fmt::format("{} of them", elements->size())
                                                  : std::string{found->type_name()}));
    return std::nullopt;
  }
  utility_function::points points;
  for (const toml_value& element : *elements) {
    auto wrong = take_point(element, points);
    if (!wrong && &element == &elements->back() && points.back().first != 1.0)
      wrong = fmt::format("the last share of the work is {}; expected 1", shortest(points.back().first));
    if (!wrong) continue;
    table.complain_at(element, "points", fmt::format("point {}: {}", &element - elements->data() + 1, *wrong));
    return std::nullopt;
  }
  return utility_function::through(points);
}

std::optional<utility_function> read_function(table_reader& given) {
  const std::size_t before = given.problems();
  given.describe({"function", word_key{"utility function", names_of(utility_catalogue())}, required{}, ""});
  const std::string name = given.word("function");
  for (const utility_entry& entry : utility_catalogue()) {
    if (entry.name != name) continue;
    const std::vector<double> values = read_values(given, entry.parameters);
    given.close();
    if (given.problems() == before) return entry.make(values);
  }
  return std::nullopt;
}

// The utility of a job over the share of its work. Null if something is wrong with it, which is reported.
std::optional<utility_function> read_utility(table_reader& table) {
  if (!table.find("utility")) {
    const utility_entry& standard = utility_catalogue().front();
    table.took("utility", toml_table{{"function", {}, {{}, std::string{standard.name}}}});
    return standard.make({});
  }
  const std::size_t before = table.problems();
  table_reader given = table.table("utility");
  if (table.problems() != before) return std::nullopt;
  const bool function = given.find("function");
  if (given.find("points")) {
    if (function) given.complain("points", "found function and points; expected one of them");
    if (!function) given.close();
    const auto read = read_points(given);
    return table.problems() == before ? read : std::nullopt;
  }
  if (function) return read_function(given);
  given.complain("function", "missing; expected function or points");
  return std::nullopt;
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
