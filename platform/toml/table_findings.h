#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
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

/// A string, and what it stands for: of one with a unit a number, of a path the whole path.
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

/// The findings, defaults and conversions that are collected while one point of a study is read.
struct reading {
  findings& errors;
  const key_node& keys;
  std::size_t problems = 0;  ///< of this point; `errors` counts what several points share only once
  std::vector<default_value> defaults{};
  clock_range clock{};                   ///< as soon as it is known
  std::vector<unit_of_measure> units{};  ///< in which values may be written; as soon as the clock is known
  std::vector<converted_value> converted{};
  std::set<std::string_view> traits{};  ///< what the document has, for conditions of its keys
};

/// The findings about one table of a document: what is reported of its keys, and how messages on them are worded.
class table_findings {
 public:
  /// @param value the table; null: it is missing
  table_findings(const toml_value* value, position where, std::vector<std::string> path, reading& report_to)
      : value_(value), where_(where), path_(std::move(path)), report_to_(&report_to) {}

  /// Reports at the value of the key, or at the table if there is none.
  void complain(std::string_view key, std::string message);
  /// Reports about a value within that of the key.
  void complain_at(const toml_value& within, std::string_view key, std::string message);
  /// Reports about a key at a place of a file that it names.
  void complain_in(const std::string& file, std::uint32_t line, std::uint32_t column, std::string_view key,
                   std::string message);
  /// Reports about the table itself.
  void complain(std::string message);
  /// Reports a value of another type than expected.
  void wrong_type(std::string_view key, std::string_view expected, const toml_value& found);
  /// How a message on an unknown name ends; see suggestion().
  std::string hint(std::string_view given, const std::vector<std::string>& known) const;
  /// The number of mistakes of this point that have been reported so far.
  std::size_t problems() const { return report_to_->problems; }
  const clock_range& clock() const { return report_to_->clock; }

 protected:
  void missing(std::string_view key, std::string_view expected);
  void report(position where, std::string_view key, std::string message);
  /// The path of a key from the document on; of an empty key that of the table.
  std::string dotted(std::string_view key) const;

  const toml_value* value_;
  bool wrong_ = false;  // no table stands there, which has been reported
  position where_;
  std::vector<std::string> path_;
  reading* report_to_;
};

}  // namespace muster
