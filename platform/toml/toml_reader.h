#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/toml/quantity.h"
#include "platform/toml/schema.h"
#include "platform/toml/toml_value.h"

namespace muster {

/// A value that was left out, and its default.
struct default_value {
  std::vector<std::string> path;
  std::size_t element;  ///< its table's place, if that is in an array
  toml_value value;
};

/// A string with a unit, and the number that it stands for.
struct converted_value {
  position where;
  toml_value::content number;
};

/// Ends of what the simulation's clock can tell.
struct clock_range {
  double shortest = 0.0;                                     ///< units of time: one step
  double longest = std::numeric_limits<double>::infinity();  ///< units of time; leaves room for sums
  std::string unit{};
};

/// What is collected while one point of a study is read.
struct reading {
  findings& errors;
  const key_node& keys;
  std::size_t problems = 0;  ///< of this point; `errors` counts what several points share only once
  std::vector<default_value> defaults{};
  clock_range clock{};                   ///< as soon as it is known
  std::vector<unit_of_measure> units{};  ///< in which values may be written; as soon as the clock is known
  std::vector<converted_value> converted{};
  std::set<std::string_view> traits{};  ///< what the document has, for conditions of its keys

  void report(position where, std::string key, std::string message) {
    ++problems;
    errors.add(where, std::move(key), std::move(message));
  }
};

/// Reads values of a table by the descriptions of its keys, and reports those that do not fit.
///
/// A value that is missing or wrong is reported, and some valid value is returned, so that the rest of the file can be
/// checked. Defaults are recorded, but not of keys without effect.
/// @throws std::logic_error if a key is not described, or as something else
class table_reader {
 public:
  /// The whole document.
  table_reader(const toml_value& document, reading& report_to);

  /// Describes a key that the schema does not know, such as a parameter of a catalogue, or in place of the schema a key
  /// whose range, words or default depend on other keys.
  /// @param key has a name that outlives this reader
  void describe(described_key key) { own_.push_back(std::move(key)); }
  /// The same of a key of which the default alone depends on other keys.
  void describe_default(std::string_view key, key_default standard);

  std::string text(std::string_view key);
  std::string name(std::string_view key);
  /// @return empty if it is none of the words
  std::string word(std::string_view key);
  /// The place of the word among those of the description; 0 if it is none of them.
  template <class Enum>
  Enum choice(std::string_view key) {
    return static_cast<Enum>(place_of_word(key));
  }
  double number(std::string_view key);
  /// Null if the key is missing or wrong.
  std::optional<double> optional_number(std::string_view key);
  /// False if the key is missing or wrong.
  bool truth(std::string_view key);
  template <class Integer = std::int64_t>
  Integer integer(std::string_view key) {
    return static_cast<Integer>(whole_number(key));
  }
  /// At least one name, each known and none twice. Null if the key is missing or something was reported.
  std::optional<std::vector<std::string>> names(std::string_view key, std::string_view noun,
                                                const std::vector<std::string>& known);
  /// At least one string, if the key is there: the elements of the array that are strings.
  /// @param form what each of them is
  std::vector<const toml_value*> strings(std::string_view key, std::string_view form);
  /// At least one number.
  std::vector<double> numbers(std::string_view key);
  /// A table within; an empty one if it is missing.
  table_reader table(std::string_view key);
  /// At least one table, each called by its `name`.
  std::vector<table_reader> tables(std::string_view key);

  /// The value of a key, or null.
  const toml_value* find(std::string_view key) const;
  /// The same if it is a string.
  const std::string* find_text(std::string_view key) const;
  /// Records the default of a value that was left out.
  void took(std::string_view key, toml_value::content standard);
  /// Reports at the value of the key, or at the table if there is none.
  void complain(std::string_view key, std::string message);
  /// Reports about a value within that of the key.
  void complain_at(const toml_value& within, std::string_view key, std::string message);
  /// Reports about a key at a place of a file that it names.
  void complain_in(const std::string& file, std::uint32_t line, std::uint32_t column, std::string_view key,
                   std::string message);
  /// Reports about the table itself.
  void complain(std::string message);
  /// Reports keys that are not known, and those without effect.
  void close();
  /// How a message on an unknown name ends; see suggestion().
  std::string hint(std::string_view given, const std::vector<std::string>& known) const;
  /// What has been reported of this point so far.
  std::size_t problems() const { return report_to_->problems; }
  const clock_range& clock() const { return report_to_->clock; }

 private:
  table_reader(const toml_value* value, position where, std::vector<std::string> path, const key_node& keys,
               reading& report_to);

  const described_key* own(std::string_view key) const;
  const key_node& node(std::string_view key) const;
  const described_key* description(std::string_view key) const;
  template <class Type>
  const Type& described(std::string_view key) const;
  template <class Value>
  std::optional<Value> default_of(std::string_view key) const;
  bool has_effect(const described_key* key) const;
  const toml_value* effective(std::string_view key) const;
  template <class Value>
  const toml_value* given(std::string_view key, std::string_view expected);
  std::string text(std::string_view key, std::string_view expected);
  std::size_t place_of_word(std::string_view key);
  std::int64_t whole_number(std::string_view key);
  void complain_of_no_effect(const key_condition& only, const toml_entry& entry);
  void missing(std::string_view key, std::string_view expected);
  void wrong_type(std::string_view key, std::string_view expected, const toml_value& found);
  std::optional<double> to_number(std::string_view key, const toml_value& found);
  std::optional<double> with_unit(std::string_view key, std::string_view unit, const toml_value& found);
  const toml_array* elements(std::string_view key, std::string_view expected, std::string_view one);
  table_reader within(std::string_view key, const toml_value* value, position where) const;
  std::string dotted(std::string_view key) const;

  const toml_value* value_;  // null: missing
  bool wrong_ = false;       // no table stands there, which has been reported
  position where_;
  std::vector<std::string> path_;
  std::size_t element_ = 0;
  const key_node* keys_;
  std::vector<described_key> own_;  // in place of the schema's, or beside them
  reading* report_to_;
};

}  // namespace muster
