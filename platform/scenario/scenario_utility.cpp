#include <fmt/format.h>

#include <limits>

#include "platform/scenario/scenario_reader.h"
#include "platform/toml/nearest_name.h"

namespace muster {

namespace {

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

}  // namespace

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

}  // namespace muster
