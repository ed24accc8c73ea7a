#include <fmt/format.h>

#include <algorithm>

#include "platform/toml/toml_value.h"

namespace muster {

namespace {

bool is_bare(std::string_view key) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), bare);
}

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

std::string key_literal(std::string_view key) { return is_bare(key) ? std::string{key} : string_literal(key); }

// A number with a fraction must not read back as an integer.
std::string float_literal(double number) {
  std::string text = shortest(number);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

bool is_table(const toml_value& value) { return value.as<toml_table>(); }

std::string inline_literal(const toml_value& value);

std::string array_literal(const toml_array& elements) {
  // Tables one below the other; numbers and names side by side.
  const bool tall = elements.size() > 1 && std::any_of(elements.begin(), elements.end(), is_table);
  std::string literal = "[";
  for (const toml_value& element : elements) {
    if (&element != &elements.front()) literal += tall ? "," : ", ";
    if (tall) literal += "\n  ";
    literal += inline_literal(element);
  }
  return literal + (tall ? "\n]" : "]");
}

std::string table_literal(const toml_table& entries) {
  std::string literal = "{";
  for (const toml_entry& entry : entries)
    literal +=
        fmt::format("{}{} = {}", literal.size() > 1 ? ", " : " ", key_literal(entry.key), inline_literal(entry.value));
  return literal + (entries.empty() ? "}" : " }");
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
  for (const toml_entry& entry : entries)
    text += fmt::format("{} = {}\n", key_literal(entry.key), inline_literal(entry.value));
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
  std::string rest;
  for (auto entry = entries.begin(); entry != entries.end(); ++entry)
    if (entry != head) rest += (rest.empty() ? "" : " ") + entry->key + "=" + short_form(entry->value);
  if (head == entries.end()) return "{" + rest + "}";
  return *head->value.as<std::string>() + (rest.empty() ? "" : "(" + rest + ")");
}

}  // namespace

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
      scalars += fmt::format("{} = {}\n", key, inline_literal(entry.value));
  }
  return scalars + tables;
}

std::string short_form(const toml_value& value) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (const auto* number = value.as<double>()) return shortest(*number);
  if (const auto* entries = value.as<toml_table>()) return short_table(*entries);
  const auto* elements = value.as<toml_array>();
  if (!elements) return inline_literal(value);
  std::string all;
  for (const toml_value& element : *elements) all += (all.empty() ? "" : " ") + short_form(element);
  return "[" + all + "]";
}

}  // namespace muster
