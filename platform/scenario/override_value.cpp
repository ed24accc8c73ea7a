#include "platform/scenario/override_value.h"

#include <algorithm>
#include <utility>

#include "platform/toml/dotted_key.h"
#include "platform/toml/quantity.h"

namespace muster {

std::optional<override_value> parse_override(const std::string& text, std::uint32_t source, findings& errors) {
  std::size_t equals = 0;
  for (char quote = 0; equals < text.size() && (quote || text[equals] != '='); ++equals)
    if (const char c = text[equals]; c == quote)
      quote = 0;
    else if (!quote && (c == '"' || c == '\''))
      quote = c;
  const std::string key = text.substr(0, equals);
  auto path = split_key(key);
  if (equals == text.size() || !path) {
    errors.add({source, 1, 1}, "--set", "expected dotted.key=value, such as arrivals.rate=7.0");
    return std::nullopt;
  }
  // The key's place is kept by blanks, so that columns are those of the user's text.
  const std::string value = text.substr(equals + 1);
  findings of_value{std::vector<std::string>(source + 1)};
  auto parsed = parse_toml("v" + std::string(equals - 1, ' ') + "=" + value, source, of_value);
  const bool single = parsed && parsed->as<toml_table>()->size() == 1;
  const bool with_unit = !single && quantity_in(value);
  const bool relative = value.rfind("./", 0) == 0 || value.rfind("../", 0) == 0;
  const bool word = value.find_first_not_of(std::string{bare_characters} + "./") == std::string::npos &&
                    (relative || value.find_first_of("0123456789-.") != 0) && !value.empty();
  const position value_where{source, 1, static_cast<std::uint32_t>(equals + 2)};
  if (single)
    return override_value{std::move(*path), {source, 1, 1}, std::move(parsed->as<toml_table>()->front().value)};
  if (word || with_unit) return override_value{std::move(*path), {source, 1, 1}, {value_where, value}};
  for (const diagnostic& d : of_value.list()) errors.add({source, d.line, d.column}, join_key(*path), d.message);
  if (parsed) errors.add(value_where, join_key(*path), "expected a single value");
  return std::nullopt;
}

}  // namespace muster
