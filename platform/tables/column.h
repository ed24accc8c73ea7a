#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace muster {

/// What a column has. Programs get one value of it, and with an interval also NAME_ci_low and NAME_ci_high.
enum class column_kind : std::uint8_t {
  text,
  whole,  ///< numbers without a fraction
  number,
  setting,   ///< what scenarios have for a key: a text or a number
  interval,  ///< numbers with 95 % intervals
  estimate,  ///< numbers with 95 % intervals and reasons for caution, which programs get as NAME_note
};

/// The description of a column.
struct column {
  // NOLINTBEGIN(google-explicit-constructor): most columns are no more than their head
  column(std::string head_text) : head(std::move(head_text)) {}
  column(const char* head_text) : head(head_text) {}
  // NOLINTEND(google-explicit-constructor)

  /// @name Setters of what is not as usual
  /// @{
  column& named(std::string for_programs) { return name = std::move(for_programs), *this; }
  column& formatted(std::string as_fmt_has_it) { return format = std::move(as_fmt_has_it), *this; }
  column& with_digits(int at_most) { return digits = at_most, *this; }
  column& said_above() { return is_said_above = true, *this; }
  column& as_key() { return is_key = true, *this; }
  /// @}

  std::string head;               ///< for people
  std::string name{};             ///< for programs; a layout makes it of the head, with `_` in the place of blanks
  std::string format = "{:.6g}";  ///< of numbers for people
  int digits = 4;                 ///< of a number with an interval for people, at most
  bool is_said_above = false;     ///< a terminal has the value above the table, not in it
  bool is_key = false;            ///< a store's table has it in its primary key
  column_kind kind = column_kind::text;
};

}  // namespace muster
