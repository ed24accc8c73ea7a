#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/toml/schema.h"
#include "platform/toml/table_findings.h"
#include "platform/toml/toml_value.h"

namespace muster {

/// Reads values of a table by the descriptions of its keys, and reports those that do not fit.
///
/// A value that is missing or wrong is reported, and some valid value is returned, so that the rest of the file can be
/// checked. Defaults are recorded, but not of keys without effect.
/// @throws std::logic_error if a key is not described, or as something else
class table_reader : public table_keys, public table_findings {
 public:
  /// The whole document.
  table_reader(const toml_value& document, reading& report_to);

  /// @param expected what a message says if the key is missing
  std::string text(std::string_view key, std::string_view expected = "a string");
  std::string name(std::string_view key);
  /// @return empty if it is none of the words
  std::string word(std::string_view key);
  /// The place of the word among those of the description; 0 if it is none of them.
  template <class Enum>
  Enum choice(std::string_view key) {
    const auto& words = described<word_key>(key).words;
    const auto found = std::find(words.begin(), words.end(), word(key));
    return static_cast<Enum>(found == words.end() ? 0 : found - words.begin());
  }
  double number(std::string_view key);
  /// A number without a default; null if the key is missing or wrong.
  std::optional<double> optional_number(std::string_view key);
  /// True or false; false if the key is missing or wrong.
  bool truth(std::string_view key);
  template <class Integer = std::int64_t>
  Integer integer(std::string_view key) {
    return static_cast<Integer>(whole_number(key));
  }
  /// A list of at least one name, each known and none twice. Null if the key is missing or something was reported.
  std::optional<std::vector<std::string>> names(std::string_view key, std::string_view noun,
                                                const std::vector<std::string>& known);
  /// The elements of an array that are strings. There must be at least one, if the key is there.
  /// @param form what each of them is
  std::vector<const toml_value*> strings(std::string_view key, std::string_view form);
  /// A list of at least one number, and of so many as its description says.
  std::vector<double> numbers(std::string_view key);
  /// A table within; an empty one if it is missing.
  table_reader table(std::string_view key);
  /// The tables of an array, at least one, each called by its `name` in messages.
  std::vector<table_reader> tables(std::string_view key);

  /// The value of a key, or null.
  const toml_value* find(std::string_view key) const;
  /// The value of a key that is a string, else null.
  const std::string* find_text(std::string_view key) const;
  /// Records the default of a value that was left out.
  void took(std::string_view key, toml_value::content standard);
  /// Records what a text stands for, which the resolved document has in its place.
  void stands_for(std::string_view key, toml_value::content complete);
  /// Where the value of a key stands, or null.
  const position* where(std::string_view key) const;
  /// Reports keys that are not known, and those without effect.
  void close();

 private:
  table_reader(const toml_value* value, position where, std::vector<std::string> path, const key_node& keys,
               reading& report_to);

  bool has_effect(const described_key* key) const;
  const toml_value* effective(std::string_view key) const;
  // The value of a key. Null if it is missing, where its default is recorded or, without one, the key reported.
  template <class Value>
  const toml_value* given(std::string_view key, std::string_view expected) {
    if (const toml_value* found = effective(key)) return found;
    if (auto standard = default_of<Value>(key))
      took(key, std::move(*standard));
    else if (has_effect(description(key)))
      missing(key, expected);
    return nullptr;
  }
  std::int64_t whole_number(std::string_view key);
  std::string no_effect(const described_key& key) const;
  std::string hint_for_key(const std::string& given, const std::vector<std::string>& known) const;
  std::optional<double> number_with_unit(std::string_view unit, std::string_view key, const toml_value& found);
  std::optional<double> to_number(std::string_view key, const toml_value& found);
  std::optional<std::int64_t> to_whole_number(const integer_key& type, std::string_view key, const toml_value& found);
  const toml_array* elements(std::string_view key, std::string_view expected, std::string_view one);
  table_reader within(std::string_view key, const toml_value* value, position where) const;

  std::size_t element_ = 0;  // place in its array
};

}  // namespace muster
