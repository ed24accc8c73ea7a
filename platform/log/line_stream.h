#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/log/byte_stream.h"

namespace muster {

/// The lines of a log, one after the other, without their ends: a line feed, a carriage return, or a carriage
/// return with a line feed. One file may have all of them.
class line_stream {
 public:
  /// A longer line is no line of a log. Only so much of it is kept.
  static constexpr std::size_t longest_line = std::size_t{1} << 20;

  /// @throws std::runtime_error that says why the file cannot be read, but not its name
  explicit line_stream(const std::string& path);

  /// The beginning of the file, some hundred lines, before the first line is taken.
  std::string_view begin() const { return {buffer_.data(), filled_}; }
  /// Goes on to the next line. @return whether there is one
  bool next();
  /// The present line, until the next one is taken.
  std::string_view line() const { return line_; }
  /// The number of the present line, from 1.
  std::uint64_t number() const { return number_; }
  /// Whether the present line is longer than longest_line.
  bool too_long() const { return too_long_; }
  const byte_stream& bytes() const { return bytes_; }

 private:
  // Reads on, keeping what is not yet a line. @return whether anything has come
  bool fill();
  void take(std::size_t end, std::size_t next);

  byte_stream bytes_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, filled_ = 0;  // in the buffer
  std::string_view line_;
  std::uint64_t number_ = 0;
  bool too_long_ = false;
};

}  // namespace muster
