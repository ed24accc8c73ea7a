#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "platform/toml/diagnostics.h"

namespace muster {

struct toml_value;
struct toml_entry;

using toml_array = std::vector<toml_value>;
/// Keys in the order in which they were written.
using toml_table = std::vector<toml_entry>;

/// A TOML date, time or both; a scenario has no use for one.
struct toml_date {
  bool operator==(const toml_date&) const { return true; }
};

/// A TOML value and where it was written; a copy, as a sweep puts into each point, keeps the position.
struct toml_value {
  using content = std::variant<std::string, std::int64_t, double, bool, toml_date, toml_array, toml_table>;

  position where;
  content is;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&is);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&is);
  }
  /// The value of a key, or null; null too if this is no table.
  const toml_value* find(std::string_view key) const;
  toml_value* find(std::string_view key);
  /// The value, whole or not, if it is a number.
  std::optional<double> number() const;
  /// Its type in messages: "a string", "an integer", ...
  std::string_view type_name() const;
  /// How many values there are within it, itself included.
  std::size_t count() const;
};

struct toml_entry {
  std::string key;
  position key_where;
  toml_value value;
};

/// The content of a value, if there is a value and it is of that type; else null.
template <class T>
const T* as_if(const toml_value* value) {
  return value ? value->as<T>() : nullptr;
}
template <class T>
T* as_if(toml_value* value) {
  return value ? value->as<T>() : nullptr;
}

/// The elements of an array, or the entries of a table; none where there is no value, or it is something else.
template <class T>
const T& contents_of(const toml_value* value) {
  static const T none{};
  const T* const found = as_if<T>(value);
  return found ? *found : none;
}

/// Equal contents, wherever they were written.
bool operator==(const toml_value& a, const toml_value& b);
bool operator==(const toml_entry& a, const toml_entry& b);

toml_array to_array(const std::vector<std::string>& texts);

/// Parses a TOML document. The text may be anything: binary data and excessive nesting are reported too.
/// @param source of the positions
/// @return nothing if it is not TOML; `errors` then has the reason
std::optional<toml_value> parse_toml(std::string_view text, std::uint32_t source, findings& errors);

/// A number as TOML has one that is no integer: 2.0, 0.5 or 1e+100.
std::string float_literal(double number);

/// The characters of keys that need no quotes.
inline constexpr std::string_view bare_characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/// The table as a TOML document that reads back as an equal table (but for scalars being written before tables).
std::string to_toml(const toml_table& document);

/// The value on one line, as it stands behind `=`, but for an array of several tables, which has a line for each.
std::string to_toml(const toml_value& value);

/// The value as columns of results have it: 31, msf, or msfq(threshold=31) for a table with a name or distribution.
std::string short_form(const toml_value& value);

}  // namespace muster
