#include <cmath>

#include <fmt/format.h>

#include "platform/toml/toml_reader.h"

namespace muster {

namespace {

// The expectation that a number does not meet, in words; empty: it is in its range, and in that of the clock.
std::string expected_of(double x, const number_key& type, const clock_range& clock) {
  if (!std::isfinite(x)) return "a finite number";
  if (!type.range.holds(x)) return std::string{type.range.words};
  if (x > type.most) return fmt::format("at most {:g}", type.most);
  if (type.clock != clock_limit::none && x >= clock.longest)
    return fmt::format("less than {:.3g} {}, the range of the clock", clock.longest, clock.unit);
  if (type.clock == clock_limit::range_and_step && x > 0.0 && x < clock.shortest)
    return fmt::format("at least the clock's step of {:g} {}", clock.shortest, clock.unit);
  return "";
}

}  // namespace

// The number of a string that has a number and a unit. Null if it is none, or if something is wrong with it: that is
// reported.
std::optional<double> table_reader::number_with_unit(std::string_view unit, std::string_view key,
                                                     const toml_value& found) {
  const auto* text = found.as<std::string>();
  const std::optional<quantity> given = text ? quantity_in(*text) : std::nullopt;
  if (!given) return std::nullopt;
  const std::vector<unit_of_measure> known =
      unit.empty() ? std::vector<unit_of_measure>{} : units_of_key(unit, report_to_->units);
  const std::optional<double> x = in_own_unit(*given, known);
  if (!x)
    complain_at(found, key,
                unit.empty() ? fmt::format("has no unit; expected a number alone, found {}", in_quotes(*text))
                             : wrong_unit(*given, unit, known));
  else
    report_to_->converted.push_back({found.where, is_exact_integer(*x)
                                                      ? toml_value::content{static_cast<std::int64_t>(*x)}
                                                      : toml_value::content{*x}});
  return x;
}

// The number that a value is by the description of its key, or of the elements of its list. Each element of a list that
// is described as another type may be any number.
std::optional<double> table_reader::to_number(std::string_view key, const toml_value& found) {
  const auto* list = std::get_if<numbers_key>(&description(key)->type);
  const auto* described_as = list ? &list->each : std::get_if<number_key>(&description(key)->type);
  const number_key type = described_as ? *described_as : number_key{any_number};
  const std::size_t before = problems();
  const std::optional<double> plain = found.number(), x = plain ? plain : number_with_unit(type.unit, key, found);
  if (problems() != before) return std::nullopt;
  const std::string expected = x ? expected_of(*x, type, clock()) : "";
  if (x && expected.empty()) return x;
  if (x)
    complain_at(found, key, fmt::format("expected {}, found {}", expected, shortest(*x)));
  else
    wrong_type(key, "a number", found);
  return std::nullopt;
}

double table_reader::number(std::string_view key) {
  const toml_value* found = given<double>(key, described<number_key>(key).range.words);
  const auto x = found ? to_number(key, *found) : std::nullopt;
  return x.value_or(default_of<double>(key).value_or(1.0));
}

std::optional<double> table_reader::optional_number(std::string_view key) {
  const toml_value* found = effective(key);
  return found ? to_number(key, *found) : std::nullopt;
}

std::vector<double> table_reader::numbers(std::string_view key) {
  std::vector<double> given;
  if (!find(key)) missing(key, "an array of numbers");
  const toml_array* all = elements(key, "an array of numbers", "number");
  if (!all) return given;
  for (const toml_value& element : *all)
    if (const auto x = to_number(key, element)) given.push_back(*x);
  const auto* list = std::get_if<numbers_key>(&description(key)->type);
  if (list && (all->size() < list->fewest || all->size() > list->most))
    complain(key, fmt::format("expected from {} to {} numbers, found {}", list->fewest, list->most, all->size()));
  return given;
}

std::optional<std::int64_t> table_reader::to_whole_number(const integer_key& type, std::string_view key,
                                                          const toml_value& found) {
  const auto in_range = [&](auto x) {
    return x >= static_cast<decltype(x)>(type.lowest) && x <= static_cast<decltype(x)>(type.highest);
  };
  const auto* plain = found.as<std::int64_t>();
  if (plain && in_range(*plain)) return *plain;
  const auto* text = found.as<std::string>();
  const std::size_t before = problems();
  const std::optional<double> x = number_with_unit(type.unit, key, found);
  if (problems() != before) return std::nullopt;
  if (x && std::trunc(*x) == *x && in_range(*x)) return static_cast<std::int64_t>(*x);
  if (!plain && !x && (!text || type.also.empty()))
    wrong_type(key, "an integer", found);
  else
    complain_at(found, key,
                plain ? fmt::format("expected {}, found {}", words_of(type), *plain)
                : x   ? fmt::format("expected {}, found {} ({})", words_of(type), in_quotes(*text), shortest(*x))
                      : fmt::format("expected {} or '{}', found {}", words_of(type), type.also, in_quotes(*text)));
  return std::nullopt;
}

std::int64_t table_reader::whole_number(std::string_view key) {
  const auto& type = described<integer_key>(key);
  const toml_value* found = given<std::int64_t>(key, words_of(type));
  const auto x = found ? to_whole_number(type, key, *found) : std::nullopt;
  return x.value_or(default_of<std::int64_t>(key).value_or(type.lowest));
}

}  // namespace muster
