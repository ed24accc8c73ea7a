#include "platform/metrics/bound_text.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "platform/toml/diagnostics.h"
#include "platform/toml/number_in.h"

namespace muster {

namespace {

std::string without_spaces_around(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// The sides of `<=` or `>=`, and which it is.
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

}  // namespace

std::string wrong_bound_form(const std::string& text) {
  const auto found = comparison_in(text);
  if (!found)
    return fmt::format(
        "expected METRIC[CLASS] <= NUMBER or METRIC[CLASS] >= NUMBER, such as 'response_time <= 0.01', found {}",
        in_quotes(text));
  const auto bound = number_in<double>(found->right);
  if (!bound || !std::isfinite(*bound))
    return fmt::format("expected a number behind {}, found {}", found->at_most ? "<=" : ">=", in_quotes(found->right));
  return "";
}

metric_bound bound_in(const std::string& text) {
  const comparison found = *comparison_in(text);
  return {metric_of_class::of_text(found.left), found.at_most, *number_in<double>(found.right)};
}

std::string to_text(const metric_bound& bound) {
  return fmt::format("{} {} {}", bound.of.text(), bound.sign(), shortest(bound.bound));
}

}  // namespace muster
