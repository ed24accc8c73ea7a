#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "platform/toml/quantity.h"

namespace muster {

/// A number with its 95 % interval, and why it should not be taken as it stands.
struct interval_value {
  double mean = 0.0;
  std::optional<double> ci_low{}, ci_high{};
  std::string note{};     ///< reasons for caution, for programs
  std::string letters{};  ///< the same reasons, behind the number for people
};

/// A value of a table: nothing, a text, a whole number, a number, or a number with its interval. It stays what it is
/// until a writer writes it.
class cell {
 public:
  using content = std::variant<std::monostate, std::string, std::int64_t, double, interval_value>;

  /// Nothing: "-" for people, empty in CSV, null in JSON.
  cell() = default;
  // NOLINTBEGIN(google-explicit-constructor): a value is a cell
  cell(std::string text) : value_(std::move(text)) {}
  cell(const char* text) : value_(std::string(text)) {}
  cell(double number) : value_(number) {}
  cell(interval_value number) : value_(std::move(number)) {}
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  cell(Integer number) : value_(static_cast<std::int64_t>(number)) {}
  template <class Value>
  cell(const std::optional<Value>& value) : cell(value ? cell(*value) : cell()) {}
  // NOLINTEND(google-explicit-constructor)

  /// The cell with a text that people read in place of the value.
  cell shown_as(std::string text) const {
    cell changed = *this;
    changed.shown_ = std::move(text);
    return changed;
  }

  const content& value() const { return value_; }
  bool is_empty() const { return std::holds_alternative<std::monostate>(value_); }
  /// What people read in place of the value, if anything.
  const std::string& shown() const { return shown_; }

 private:
  content value_;
  std::string shown_;
};

/// A text of which "-" says that there is nothing.
inline cell text_cell(std::string text) { return text == "-" ? cell() : cell(std::move(text)); }

/// What a scenario has for a key: the text as it stands there for people, for programs a number where it is one.
inline cell setting_cell(const std::string& value) {
  const auto number = number_in<double>(value);
  return number && std::isfinite(*number) ? cell(*number).shown_as(value) : text_cell(value);
}

}  // namespace muster
