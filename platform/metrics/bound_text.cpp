#include "platform/metrics/bound_text.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "platform/metrics/metric.h"
#include "platform/model/time_unit.h"
#include "platform/toml/diagnostics.h"
#include "platform/toml/quantity.h"

namespace muster {

namespace {

std::string without_spaces_around(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The two sides of a comparison, and whether it is `<=` or `>=`.
struct comparison {
  std::string left, right;
  bool at_most;
};

std::optional<comparison> comparison_in(const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || (text[at - 1] != '<' && text[at - 1] != '>')) return std::nullopt;
  return comparison{without_spaces_around(text.substr(0, at - 1)), without_spaces_around(text.substr(at + 1)),
                    text[at - 1] == '<'};
}

std::vector<unit_of_measure> units_of_metric(const metric_of_class& of, const time_unit& own) {
  return units_of_key(find_metric(of.metric)->unit, units_beside(own));
}

}  // namespace

std::string wrong_bound_form(const std::string& text) {
  const auto sides = comparison_in(text);
  if (!sides)
    return fmt::format(
        "expected METRIC[CLASS] <= NUMBER or METRIC[CLASS] >= NUMBER, such as 'response_time <= 0.01' or "
        "'response_time <= 10 ms', found {}",
        in_quotes(text));
  const auto bound = number_in<double>(sides->right);
  const auto with_unit = quantity_in(sides->right);
  if (!(bound && std::isfinite(*bound)) && !(with_unit && std::isfinite(static_cast<double>(with_unit->number))))
    return fmt::format("expected a number behind {}, found {}", sides->at_most ? "<=" : ">=", in_quotes(sides->right));
  return "";
}

metric_of_class bounded_metric(const std::string& text) { return metric_of_class::of_text(comparison_in(text)->left); }

std::string wrong_bound_unit(const std::string& text, const time_unit& own) {
  const auto given = quantity_in(comparison_in(text)->right);
  if (!given) return "";
  const metric_of_class of = bounded_metric(text);
  const std::string_view unit = find_metric(of.metric)->unit;
  if (unit.empty())
    return fmt::format("{} has no unit; expected a number alone, found {}", of.metric,
                       in_quotes(comparison_in(text)->right));
  return wrong_unit(*given, unit, units_of_metric(of, own));
}

metric_bound bound_in(const std::string& text, const time_unit& own) {
  const comparison sides = *comparison_in(text);
  const metric_of_class of = bounded_metric(text);
  const auto given = quantity_in(sides.right);
  return {of, sides.at_most, given ? *in_own_unit(*given, units_of_metric(of, own)) : *number_in<double>(sides.right)};
}

std::string to_text(const metric_bound& bound) {
  return fmt::format("{} {} {}", bound.of.text(), bound.sign(), shortest(bound.bound));
}

}  // namespace muster
