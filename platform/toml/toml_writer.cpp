#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "platform/toml/toml_value.h"

namespace muster {

namespace {

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (literal += '\\') += c;
    else if (code < 0x20 || code == 0x7f)
      literal += fmt::format("\\u{:04X}", code);
    else
      literal += c;
  }
  return literal + '"';
}

std::string key_literal(std::string_view key) {
  const bool bare = !key.empty() && key.find_first_not_of(bare_characters) == std::string_view::npos;
  return bare ? std::string{key} : string_literal(key);
}

bool is_table(const toml_value& value) { return value.as<toml_table>(); }

std::string inline_literal(const toml_value& value);

std::string array_literal(const toml_array& elements) {
  std::vector<std::string> literals;
  for (const toml_value& element : elements) literals.push_back(inline_literal(element));
  // Tables one below the other; numbers and names side by side.
  const bool multi_line = elements.size() > 1 && std::any_of(elements.begin(), elements.end(), is_table);
  return multi_line ? fmt::format("[\n  {}\n]", fmt::join(literals, ",\n  "))
                    : fmt::format("[{}]", fmt::join(literals, ", "));
}

std::string line(const toml_entry& entry) {
  return fmt::format("{} = {}", key_literal(entry.key), inline_literal(entry.value));
}

std::string table_literal(const toml_table& entries) {
  std::vector<std::string> literals;
  for (const toml_entry& entry : entries) literals.push_back(line(entry));
  return entries.empty() ? "{}" : fmt::format("{{ {} }}", fmt::join(literals, ", "));
}

std::string inline_literal(const toml_value& value) {
  struct {
    std::string operator()(const std::string& text) const { return string_literal(text); }
    std::string operator()(std::int64_t integer) const { return fmt::format("{}", integer); }
    std::string operator()(double number) const { return float_literal(number); }
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    // A complete scenario has none.
    std::string operator()(toml_date) const { return "1970-01-01"; }
    std::string operator()(const toml_array& elements) const { return array_literal(elements); }
    std::string operator()(const toml_table& entries) const { return table_literal(entries); }
  } literal;
  return std::visit(literal, value.is);
}

std::string lines(const toml_table& entries) {
  std::string text;
  for (const toml_entry& entry : entries) text += line(entry) + "\n";
  return text;
}

bool is_array_of_tables(const toml_value& value) {
  const auto* elements = value.as<toml_array>();
  return elements && !elements->empty() && std::all_of(elements->begin(), elements->end(), is_table);
}

// name(parameter=value ..) of a table whose first word is known, such as a policy or a distribution.
std::string short_table(const toml_table& entries) {
  const auto is_head = [](const toml_entry& e) {
    return (e.key == "name" || e.key == "distribution") && e.value.as<std::string>();
  };
  const auto head = std::find_if(entries.begin(), entries.end(), is_head);
  std::vector<std::string> rest;
  for (auto entry = entries.begin(); entry != entries.end(); ++entry)
    if (entry != head) rest.push_back(entry->key + "=" + short_form(entry->value));
  if (head == entries.end()) return fmt::format("{{{}}}", fmt::join(rest, " "));
  const std::string& name = *head->value.as<std::string>();
  return rest.empty() ? name : fmt::format("{}({})", name, fmt::join(rest, " "));
}

}  // namespace

// A number with a fraction must not read back as an integer.
std::string float_literal(double number) {
  std::string text = shortest(number);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string to_toml(const toml_table& document) {
  std::string scalars, tables;
  for (const toml_entry& entry : document) {
    const std::string key = key_literal(entry.key);
    if (const auto* table = entry.value.as<toml_table>())
      tables += fmt::format("\n[{}]\n{}", key, lines(*table));
    else if (is_array_of_tables(entry.value))
      for (const toml_value& element : *entry.value.as<toml_array>())
        tables += fmt::format("\n[[{}]]\n{}", key, lines(*element.as<toml_table>()));
    else
      scalars += line(entry) + "\n";
  }
  return scalars + tables;
}

std::string to_toml(const toml_value& value) { return inline_literal(value); }

std::string short_form(const toml_value& value) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* number = value.as<double>()) return shortest(*number);
  if (const auto* entries = value.as<toml_table>()) return short_table(*entries);
  const auto* elements = value.as<toml_array>();
  if (!elements) return inline_literal(value);
  std::vector<std::string> all;
  for (const toml_value& element : *elements) all.push_back(short_form(element));
  return fmt::format("[{}]", fmt::join(all, " "));
}

}  // namespace muster
