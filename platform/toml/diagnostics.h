#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace muster {

/// A mistake at one place of a scenario.
struct diagnostic {
  std::string file;  ///< as the user wrote it; `--set KEY=VALUE` for an override
  std::uint32_t line = 1;
  std::uint32_t column = 1;  ///< in characters, from 1
  std::string key;           ///< dotted; elements of arrays of tables by name, or [index] where they have none
  std::string message;       ///< what was found and what was expected
};

/// `FILE:LINE:COLUMN: KEY: MESSAGE`, always a single line.
std::string to_string(const diagnostic& d);

/// A scenario that cannot run, with all its mistakes; what() has one line for each.
class scenario_error : public std::runtime_error {
 public:
  explicit scenario_error(std::vector<diagnostic> diagnostics);
  const std::vector<diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<diagnostic> diagnostics_;
};

/// Where a value stands: in the scenario file (source 0), in the override of number source - 1, or in a file
/// that the scenario names.
struct position {
  std::uint32_t source = 0;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Diagnostics of one study: sorted by position, each kept once, also where several points of a sweep report it.
class findings {
 public:
  /// @param sources display names: of the file, then of each override
  explicit findings(std::vector<std::string> sources) : sources_(std::move(sources)) {}

  void add(position where, std::string key, std::string message) {
    all_.emplace(where.source, where.line, where.column, std::move(key), std::move(message));
  }
  /// The source of that display name; a new one if there is none yet.
  std::uint32_t source(const std::string& name);
  std::size_t count() const { return all_.size(); }
  std::vector<diagnostic> list() const;
  /// @throws scenario_error with all of them, if there are any
  void throw_if_any() const;
  /// Adds those of a later copy of this collection whose key the predicate accepts.
  template <class Predicate>
  void take(const findings& other, Predicate accepts) {
    sources_ = other.sources_;
    for (const auto& finding : other.all_)
      if (accepts(std::get<3>(finding))) all_.insert(finding);
  }

 private:
  std::vector<std::string> sources_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string, std::string>> all_;
};

/// The text with control characters escaped, and cut where it is longer than `limit` bytes: fit for one line.
std::string printable(std::string_view text, std::size_t limit = 80);

/// printable() in single quotes.
std::string in_quotes(std::string_view text);

/// The shortest text that reads back as the same number.
std::string shortest(double number);

}  // namespace muster
