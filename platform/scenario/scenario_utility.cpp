#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "platform/scenario/scenario_reader.h"

namespace muster {

namespace {

// So that slopes between points are finite.
constexpr double most_utility = 1e100;
constexpr double least_step = 1e-9;

// A number of a point; NaN if it is none.
double coordinate(const toml_value& of) {
  if (const auto* integer = of.as<std::int64_t>()) return static_cast<double>(*integer);
  const auto* number = of.as<double>();
  return number ? *number : std::numeric_limits<double>::quiet_NaN();
}

/// Reads the points of a piecewise linear utility one by one; it ends at the first that is wrong.
class point_reader {
 public:
  explicit point_reader(table_reader& table) : table_(table) {}

  std::optional<utility_function> read() {
    const toml_value* found = table_.find("points");
    const auto* elements = found->as<toml_array>();
    if (!elements || elements->size() < 2) {
      table_.complain("points", fmt::format("expected an array of at least two points such as [0.5, 0.8], found {}",
                                            elements ? fmt::format("{} of them", elements->size())
                                                     : std::string{found->type_name()}));
      return std::nullopt;
    }
    for (const toml_value& element : *elements)
      if (const auto wrong = complaint_about(element)) {
        table_.complain_at(element, "points", fmt::format("point {}: {}", points_.size() + 1, *wrong));
        return std::nullopt;
      }
    if (points_.back().first == 1.0) return utility_function::through(points_);
    table_.complain_at(elements->back(), "points",
                       fmt::format("point {}: the last share of the work is {}; expected 1", points_.size(),
                                   shortest(points_.back().first)));
    return std::nullopt;
  }

 private:
  // Takes the point, unless something is wrong with it.
  std::optional<std::string> complaint_about(const toml_value& element) {
    const auto* pair = element.as<toml_array>();
    if (!pair || pair->size() != 2) return "expected a share of the work and a utility such as [0.5, 0.8]";
    const double work = coordinate((*pair)[0]), worth = coordinate((*pair)[1]);
    if (!(work >= 0.0 && work <= 1.0)) return "expected a share of the work from 0 to 1";
    if (!(worth >= 0.0 && worth <= most_utility)) return fmt::format("expected a utility from 0 to {:g}", most_utility);
    if (points_.empty() && (work != 0.0 || worth != 0.0)) return "expected [0, 0], the beginning";
    if (!points_.empty() && work < points_.back().first + least_step)
      return fmt::format("the share of the work is {} after {}; expected that it increases", shortest(work),
                         shortest(points_.back().first));
    if (!points_.empty() && worth < points_.back().second)
      return fmt::format("the utility decreases from {} to {}; expected that it never decreases",
                         shortest(points_.back().second), shortest(worth));
    points_.emplace_back(work, worth);
    return std::nullopt;
  }

  table_reader& table_;
  utility_function::points points_;
};

std::optional<utility_function> read_function(table_reader& given) {
  std::vector<std::string> names;
  for (const utility_entry& entry : utility_catalogue()) names.emplace_back(entry.name);
  const std::size_t before = given.problems();
  const std::string name = given.word("function", "utility function", names);
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  const utility_entry& entry = utility_catalogue()[static_cast<std::size_t>(at - names.begin())];
  std::vector<double> values;
  for (const utility_parameter& p : entry.parameters)
    values.push_back(p.whole
                         ? static_cast<double>(given.integer(p.name, static_cast<std::int64_t>(p.lowest),
                                                             static_cast<std::int64_t>(p.highest)))
                         : given.number(p.name, {p.range, p.lowest, p.lowest_excluded, p.highest, p.highest_excluded}));
  given.close();
  return given.problems() == before ? std::optional{entry.make(values)} : std::nullopt;
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
    const auto read = point_reader{given}.read();
    return table.problems() == before ? read : std::nullopt;
  }
  if (function) return read_function(given);
  given.complain("function", "missing; expected function or points");
  return std::nullopt;
}

}  // namespace muster
