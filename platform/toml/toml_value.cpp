#include "platform/toml/toml_value.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

namespace muster {

namespace {

position to_position(const toml::source_region& region, std::uint32_t source) {
  return {source, region.begin.line, region.begin.column};
}

toml_value convert(const toml::node& node, std::uint32_t source) {
  toml_value value{to_position(node.source(), source), {}};
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
  } else if (const auto* text = node.as_string()) {
    value.is = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.is = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.is = number->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.is = truth->get();
  } else {
    value.is = toml_date{};
  }
  return value;
}

// Length of the UTF-8 character at `at`, or 0 if there is none.
std::size_t character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(at);
  if (lead < 0x80) return lead == 0 ? 0 : 1;
  const std::size_t length = lead >= 0xf5 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xc0u) != 0x80u) return 0;
  const unsigned second = byte(at + 1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool no_character = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
  return overlong || no_character ? 0 : length;
}

/// Checks a text before it is parsed: the parser does not limit the depth of dotted keys.
class text_check {
 public:
  text_check(std::string_view text, std::uint32_t source) : text_(text) { here_.source = source; }

  /// Why the text cannot be parsed, or nothing. where() then has the place.
  std::optional<std::string> complaint() {
    while (at_ < text_.size()) {
      const std::size_t length = character(text_, at_);
      if (length == 0) return "the file is not text: expected UTF-8 without NUL bytes";
      if (length == 1) look_at(text_[at_]);
      if (nesting_ > deepest || dots_ > deepest) return fmt::format("nested too deeply: expected at most {}", deepest);
      for (std::size_t i = 0; i < length; ++i) advance(i == 0);
    }
    return std::nullopt;
  }
  position where() const { return here_; }

 private:
  static constexpr int deepest = 32;

  void advance(bool new_character) {
    if (text_[at_] == '\n') {
      ++here_.line;
      here_.column = 1;
    } else if (new_character) {
      ++here_.column;
    }
    ++at_;
  }

  bool starts(std::string_view with) const { return text_.compare(at_, with.size(), with) == 0; }

  void look_at(char c) {
    if (comment_) {
      comment_ = c != '\n';
      if (!comment_) dots_ = 0;
    } else if (!quote_.empty()) {
      inside_string(c);
    } else if (starts("\"\"\"") || starts("'''")) {
      open(3);
    } else if (c == '"' || c == '\'') {
      open(1);
    } else {
      bare(c);
    }
  }

  void bare(char c) {
    comment_ = c == '#';
    if (c == '[' || c == '{') ++nesting_;
    if (c == ']' || c == '}') --nesting_;
    if (c == '.')
      ++dots_;
    else if (std::string_view{"=,[{\n"}.find(c) != std::string_view::npos)
      dots_ = 0;
  }

  void open(std::size_t length) {
    quote_ = text_.substr(at_, length);
    skip(length - 1);
  }

  void inside_string(char c) {
    if (c == '\\' && quote_[0] == '"' && at_ + 1 < text_.size() && text_[at_ + 1] > ' ') {
      skip(character(text_, at_ + 1) == 1 ? 1 : 0);
    } else if (quote_.size() == 1 && c == '\n') {
      quote_ = {};
    } else if (starts(quote_)) {
      // Up to two quotes may stand before the closing three.
      std::size_t length = quote_.size();
      if (length == 3)
        while (length < 5 && at_ + length < text_.size() && text_[at_ + length] == c) ++length;
      quote_ = {};
      skip(length - 1);
    }
  }

  void skip(std::size_t count) {
    while (count-- > 0) advance(true);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  position here_;
  bool comment_ = false;
  std::string_view quote_;  // of the string that is open
  int nesting_ = 0;
  int dots_ = 0;  // of the current key
};

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
  text_check check{text, source};
  if (const auto complaint = check.complaint()) {
    errors.add(check.where(), "syntax", *complaint);
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
