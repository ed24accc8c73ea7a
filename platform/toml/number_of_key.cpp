#include "platform/toml/number_of_key.h"

#include <cmath>

#include <fmt/format.h>

namespace muster {

namespace {

// Of a string that has a number and a unit. Null if it is none, or if something is wrong with it: that is reported.
std::optional<double> with_unit(std::string_view unit, std::string_view key, const toml_value& found,
                                table_findings& table) {
  const auto* text = found.as<std::string>();
  const std::optional<quantity> given = text ? quantity_in(*text) : std::nullopt;
  if (!given) return std::nullopt;
  const std::vector<unit_of_measure> known =
      unit.empty() ? std::vector<unit_of_measure>{} : units_of_key(unit, table.collected().units);
  const std::optional<double> x = in_own_unit(*given, known);
  if (!x)
    table.complain_at(found, key,
                      unit.empty() ? fmt::format("has no unit; expected a number alone, found {}", in_quotes(*text))
                                   : wrong_unit(*given, unit, known));
  else
    table.collected().converted.push_back({found.where, is_exact_integer(*x)
                                                            ? toml_value::content{static_cast<std::int64_t>(*x)}
                                                            : toml_value::content{*x}});
  return x;
}

// What a number is not; empty: it is in its range, and in that of the clock.
std::string expected_of(double x, const number_key& type, const clock_range& clock) {
  if (!std::isfinite(x)) return "a finite number";
  if (!type.range.holds(x)) return std::string{type.range.words};
  if (type.clock != clock_limit::none && x >= clock.longest)
    return fmt::format("less than {:.3g} {}, the range of the clock", clock.longest, clock.unit);
  if (type.clock == clock_limit::range_and_step && x > 0.0 && x < clock.shortest)
    return fmt::format("at least the clock's step of {:g} {}", clock.shortest, clock.unit);
  return "";
}

}  // namespace

std::optional<double> number_of(const number_key& type, std::string_view key, const toml_value& found,
                                table_findings& table) {
  const std::size_t before = table.problems();
  const std::optional<double> plain = found.number(), x = plain ? plain : with_unit(type.unit, key, found, table);
  if (table.problems() != before) return std::nullopt;
  const std::string expected = x ? expected_of(*x, type, table.clock()) : "";
  if (x && expected.empty()) return x;
  if (x)
    table.complain_at(found, key, fmt::format("expected {}, found {}", expected, shortest(*x)));
  else
    table.wrong_type(key, "a number", found);
  return std::nullopt;
}

std::optional<std::int64_t> whole_number_of(const integer_key& type, std::string_view key, const toml_value& found,
                                            table_findings& table) {
  const auto in_range = [&](auto x) {
    return x >= static_cast<decltype(x)>(type.lowest) && x <= static_cast<decltype(x)>(type.highest);
  };
  const auto* plain = found.as<std::int64_t>();
  if (plain && in_range(*plain)) return *plain;
  const auto* text = found.as<std::string>();
  const std::size_t before = table.problems();
  const std::optional<double> x = with_unit(type.unit, key, found, table);
  if (table.problems() != before) return std::nullopt;
  if (x && std::trunc(*x) == *x && in_range(*x)) return static_cast<std::int64_t>(*x);
  if (!plain && !x && (!text || type.also.empty()))
    table.wrong_type(key, "an integer", found);
  else
    table.complain_at(found, key,
                      plain ? fmt::format("expected {}, found {}", words_of(type), *plain)
                      : x   ? fmt::format("expected {}, found {} ({})", words_of(type), in_quotes(*text), shortest(*x))
                          : fmt::format("expected {} or '{}', found {}", words_of(type), type.also, in_quotes(*text)));
  return std::nullopt;
}

}  // namespace muster
