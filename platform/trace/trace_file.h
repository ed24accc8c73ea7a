#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "muster/policies/job.h"

namespace muster {

/// Writes text into memory that is known to have room for it: no check at each piece, and literals are copied inline.
struct text_cursor {
  char* at;

  /// The text that has been written there. @param begin its first character
  std::string_view text_from(const char* begin) const { return {begin, static_cast<std::size_t>(at - begin)}; }

  template <std::size_t Size>
  text_cursor& operator<<(const char (&literal)[Size]) {
    std::memcpy(at, literal, Size - 1);
    at += Size - 1;
    return *this;
  }
  text_cursor& operator<<(std::string_view text) {
    at += text.copy(at, text.size());
    return *this;
  }
  text_cursor& operator<<(std::uint64_t number) {
    const fmt::format_int digits(number);
    return *this << std::string_view(digits.data(), digits.size());
  }
  text_cursor& operator<<(char c) {
    *at++ = c;
    return *this;
  }
};

/// Prints ticks as decimal numbers of a unit that holds a power of ten of them: exactly, without trailing zeros, and
/// several times faster than floating point.
class decimal_time {
 public:
  /// The most characters that a number takes.
  static constexpr std::size_t longest = 48;

  /// @param digits behind the point: a unit is 10^digits ticks; 0 to 18
  explicit decimal_time(int digits) : digits_(digits) {
    for (int n = 0; n < digits; ++n) unit_ *= 10;
  }
  /// @return nothing if the unit does not hold a power of ten of ticks
  static std::optional<decimal_time> of_unit(std::uint64_t ticks_in_unit) {
    int digits = 0;
    for (; ticks_in_unit > 1; ticks_in_unit /= 10, ++digits)
      if (ticks_in_unit % 10 != 0) return std::nullopt;
    return decimal_time(digits);
  }

  /// @param to has room for `longest` characters
  /// @return the end of the printed characters
  char* print(char* to, ticks t) const {
    text_cursor whole{to};
    whole << t / unit_;
    to = whole.at;
    ticks fraction = t % unit_;
    if (fraction == 0) return to;
    int length = digits_;
    for (; fraction % 10 == 0; fraction /= 10) --length;
    *to = '.';
    for (int at = length; at > 0; --at, fraction /= 10) to[at] = static_cast<char>('0' + fraction % 10);
    return to + length + 1;
  }

 private:
  int digits_;
  ticks unit_ = 1;
};

/// A file that is written from its beginning to its end, through a buffer: memory does not grow with it.
class trace_file {
 public:
  /// @throws std::runtime_error if the file cannot be made
  explicit trace_file(const std::filesystem::path& path)
      : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail(path_);
  }
  /// Writes the rest of the buffer, as far as that is possible.
  ~trace_file() {
    try {
      if (!failed_) flush();
    } catch (const std::exception&) {  // who needs the error has called flush()
    }
    ::close(file_);
  }
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

  /// Room for up to `length` characters, to be confirmed by advance_to(). @param length at most `most`
  char* room(std::size_t length) {
    if (buffer_.size() - used_ < length) flush();
    return buffer_.data() + used_;
  }
  void advance_to(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }

  trace_file& operator<<(std::string_view text) {
    for (; text.size() > most; text.remove_prefix(most)) *this << text.substr(0, most);
    char* to = room(text.size());
    std::memcpy(to, text.data(), text.size());
    advance_to(to + text.size());
    return *this;
  }
  /// Writes a character, or a number.
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  trace_file& operator<<(Integer value) {
    text_cursor to{room(std::numeric_limits<std::uint64_t>::digits10 + 1)};
    to << value;
    advance_to(to.at);
    return *this;
  }

  /// @throws std::runtime_error, for example when the disk is full
  void flush() {
    for (std::size_t done = 0; done < used_;) {
      const ssize_t n = ::write(file_, buffer_.data() + done, used_ - done);
      if (n < 0 && errno != EINTR) {
        failed_ = true;
        used_ = 0;
        fail(path_);
      }
      if (n > 0) done += static_cast<std::size_t>(n);
    }
    used_ = 0;
  }

  static constexpr std::size_t most = 1 << 18;

 private:
  [[noreturn]] static void fail(const std::filesystem::path& path) {
    throw std::runtime_error(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  }

  std::filesystem::path path_;
  int file_;
  std::size_t used_ = 0;
  bool failed_ = false;  // an error has been thrown already
  std::array<char, most> buffer_;
};

}  // namespace muster
