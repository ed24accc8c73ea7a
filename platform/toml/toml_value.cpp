#include "platform/toml/toml_value.h"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <boost/locale/utf.hpp>

#include <algorithm>
#include <tuple>

#include "platform/toml/text_file.h"

namespace muster {

namespace {

position to_position(const toml::source_region& region, std::uint32_t source) {
  return {source, region.begin.line, region.begin.column};
}

toml_value convert(const toml::node& node, std::uint32_t source) {
  toml_value value{to_position(node.source(), source), toml_date{}};
  if (const auto* table = node.as_table()) {
    toml_table entries;
    for (const auto& [key, child] : *table)
      entries.push_back({std::string{key.str()}, to_position(key.source(), source), convert(child, source)});
    // The parser sorts by name, but the order of a sweep's keys matters.
    std::stable_sort(entries.begin(), entries.end(), [](const toml_entry& a, const toml_entry& b) {
      return std::tie(a.key_where.line, a.key_where.column) < std::tie(b.key_where.line, b.key_where.column);
    });
    value.is = std::move(entries);
  } else if (const auto* array = node.as_array()) {
    toml_array elements;
    for (const auto& child : *array) elements.push_back(convert(child, source));
    value.is = std::move(elements);
  } else {
    node.visit([&value](const auto& scalar) {
      using type = decltype(scalar);
      if constexpr (toml::is_string<type> || toml::is_number<type> || toml::is_boolean<type>) value.is = scalar.get();
    });
  }
  return value;
}

// Behind the string that begins at `at`, or at the end of its line if it does not end there.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool multi_line = text.compare(at, 3, std::string(3, quote)) == 0;
  const std::string_view end = text.substr(at, multi_line ? 3 : 1);
  for (at += end.size(); at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"' && at + 1 < text.size() && text[at + 1] > ' ') {
      ++at;
    } else if (!multi_line && text[at] == '\n') {
      return at;
    } else if (text.compare(at, end.size(), end) == 0) {
      // Up to two quotes may stand before the closing three.
      const std::size_t behind = std::min(text.find_first_not_of(quote, at), text.size());
      return multi_line ? std::min(behind, at + 5) : at + 1;
    }
  }
  return text.size();
}

// Where the text is nested too deeply, if it is: the parser does not limit the depth of dotted keys.
std::optional<std::size_t> nested_too_deeply(std::string_view text, int deepest) {
  int nesting = 0, dots = 0;  // dots of the current key
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '[' || c == '{') ++nesting;
    if (c == ']' || c == '}') --nesting;
    if (c == '.') ++dots;
    if (std::string_view{"=,[{\n"}.find(c) != std::string_view::npos) dots = 0;
    if (nesting > deepest || dots > deepest) return at;
    if (c == '#')
      at = std::min(text.find('\n', at), text.size());
    else
      at = c == '"' || c == '\'' ? end_of_string(text, at) : at + 1;
  }
  return std::nullopt;
}

// The first byte that is no text, if there is one.
std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  using characters = boost::locale::utf::utf_traits<char>;
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = at;
    const auto character = characters::decode(at, text.end());
    if (character == 0 || !boost::locale::utf::is_valid_codepoint(character))
      return static_cast<std::size_t>(begin - text.begin());
  }
  return std::nullopt;
}

position position_at(std::string_view text, std::size_t at, std::uint32_t source) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line = std::min(before.rfind('\n') + 1, at);
  return {source, static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1),
          characters(before.substr(line)) + 1};
}

}  // namespace

const toml_value* toml_value::find(std::string_view key) const {
  if (const auto* entries = as<toml_table>())
    for (const toml_entry& entry : *entries)
      if (entry.key == key) return &entry.value;
  return nullptr;
}

toml_value* toml_value::find(std::string_view key) {
  return const_cast<toml_value*>(static_cast<const toml_value*>(this)->find(key));
}

std::optional<double> toml_value::number() const {
  if (const auto* integer = as<std::int64_t>()) return static_cast<double>(*integer);
  const auto* number = as<double>();
  return number ? std::optional<double>{*number} : std::nullopt;
}

std::string_view toml_value::type_name() const {
  static constexpr std::string_view names[] = {"a string",       "an integer", "a number", "a boolean",
                                               "a date or time", "an array",   "a table"};
  return names[is.index()];
}

std::size_t toml_value::count() const {
  std::size_t n = 1;
  if (const auto* elements = as<toml_array>())
    for (const toml_value& element : *elements) n += element.count();
  if (const auto* entries = as<toml_table>())
    for (const toml_entry& entry : *entries) n += entry.value.count();
  return n;
}

bool operator==(const toml_value& a, const toml_value& b) { return a.is == b.is; }
bool operator==(const toml_entry& a, const toml_entry& b) { return a.key == b.key && a.value == b.value; }

toml_array to_array(const std::vector<std::string>& texts) {
  toml_array all;
  for (const std::string& text : texts) all.push_back({{}, text});
  return all;
}

std::optional<toml_value> parse_toml(std::string_view text, std::uint32_t source, findings& errors) {
  constexpr int deepest = 32;
  if (const auto at = first_invalid_utf8(text)) {
    errors.add(position_at(text, *at, source), "syntax", "the file is not text: expected UTF-8 without NUL bytes");
    return std::nullopt;
  }
  if (const auto at = nested_too_deeply(text, deepest)) {
    errors.add(position_at(text, *at, source), "syntax",
               fmt::format("nested too deeply: expected at most {}", deepest));
    return std::nullopt;
  }
  try {
    toml_value document = convert(toml::parse(text), source);
    document.where = {source, 1, 1};
    return document;
  } catch (const toml::parse_error& error) {
    errors.add(to_position(error.source(), source), "syntax", printable(error.description(), 400));
    return std::nullopt;
  }
}

}  // namespace muster
