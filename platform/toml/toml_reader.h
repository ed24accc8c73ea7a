#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/toml/toml_value.h"

namespace muster {

/// Which numbers a key accepts. Infinities and NaN never are.
struct number_range {
  std::string_view words;  ///< as messages put it
  double lowest = -std::numeric_limits<double>::infinity();
  bool lowest_excluded = false;
  double highest = std::numeric_limits<double>::infinity();
  bool highest_excluded = false;

  bool holds(double x) const {
    return (lowest_excluded ? x > lowest : x >= lowest) && (highest_excluded ? x < highest : x <= highest);
  }
};

inline constexpr number_range any_number{"a number"};
inline constexpr number_range above_zero{"a number > 0", 0.0, true};
inline constexpr number_range zero_or_more{"a number >= 0", 0.0};

/// A value that was left out, and its default.
struct default_value {
  std::vector<std::string> path;
  std::size_t element;  ///< its table's place, if that is in an array
  toml_value value;
};

/// What is collected while one point of a study is read.
struct reading {
  findings& errors;
  std::size_t problems = 0;  ///< of this point; `errors` counts what several points share only once
  std::vector<default_value> defaults;

  void report(position where, std::string key, std::string message) {
    ++problems;
    errors.add(where, std::move(key), std::move(message));
  }
};

/// Reads typed values from a table, records which keys were read, and reports values that do not fit.
///
/// Without a default a key is required. A value that is missing or wrong is reported, and some valid value is
/// returned, so that the rest of the file can be checked.
class table_reader {
 public:
  /// The whole document.
  table_reader(const toml_value& document, reading& report_to);

  std::string text(std::string_view key, std::optional<std::string> standard = {});
  /// Letters, digits and the characters of `also`, at most longest_name of them.
  std::string name(std::string_view key, std::string_view also = "_-");
  /// One of some words. @param noun what they are, for messages; empty result if it is none of them
  std::string word(std::string_view key, std::string_view noun, const std::vector<std::string>& words,
                   std::optional<std::string> standard = {});
  double number(std::string_view key, const number_range& range, std::optional<double> standard = {});
  /// Null if the key is missing or wrong.
  std::optional<double> optional_number(std::string_view key, const number_range& range);
  std::int64_t integer(std::string_view key, std::int64_t lowest, std::int64_t highest,
                       std::optional<std::int64_t> standard = {});
  /// At least one name, each known and none twice. Null if the key is missing or something was reported.
  std::optional<std::vector<std::string>> names(std::string_view key, std::string_view noun,
                                                const std::vector<std::string>& known);
  /// At least one number.
  std::vector<double> numbers(std::string_view key);
  /// A table within; an empty one if it is missing.
  table_reader table(std::string_view key);
  /// At least one table, each called by its `name`.
  std::vector<table_reader> tables(std::string_view key);

  /// The value of a key, or null; the key counts as known from now on.
  const toml_value* find(std::string_view key);
  /// The table's entries, as they were written.
  const toml_table& entries() const;
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
  /// Reports the keys that were not read.
  void close();
  /// How a message on an unknown name ends; see suggestion().
  std::string hint(std::string_view given, const std::vector<std::string>& known) const;
  /// What has been reported of this point so far.
  std::size_t problems() const { return report_to_->problems; }

 private:
  table_reader(const toml_value* value, position where, std::vector<std::string> path, reading& report_to);

  void missing(std::string_view key, std::string_view expected);
  void wrong_type(std::string_view key, std::string_view expected, const toml_value& found);
  std::optional<double> to_number(std::string_view key, const toml_value& found, const number_range& range);
  std::string dotted(std::string_view key) const;

  const toml_value* value_;  // null: missing
  bool wrong_ = false;       // no table stands there, which has been reported
  position where_;
  std::vector<std::string> path_;
  std::size_t element_ = 0;
  reading* report_to_;
  std::vector<std::string> asked_;
};

}  // namespace muster
