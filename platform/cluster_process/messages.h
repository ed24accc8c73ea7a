#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

/// @file
/// The messages between a cluster_process and the process that it has started. Each request has one reply, and each end
/// waits for the other's. Numbers are as this machine has them, as both ends are on it.

namespace muster {

/// A message that is cut off, or that only another version of muster understands.
class message_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The version of the messages: both ends have the same.
inline constexpr std::uint32_t message_version = 1;

/// What a cluster's process is asked for. Behind it every request but `begin` has the inputs that are to be set first:
/// their number, and of each its place among the variables and its value.
enum class request_kind : std::uint8_t {
  begin,      ///< message_version, scenario, settings, replication, plugins: builds the cluster; the reply describes it
  want,       ///< the place of a variable: each reply from now on has its value
  advance,    ///< until, and whether to stop at an event
  parameter,  ///< of the policy: name and value
  fork,       ///< the process that is forked answers at the socket that comes along
  results,    ///< the reply has results.csv
  name        ///< a name that is no variable's: the reply refuses it, with the nearest ones
};

/// How a reply begins. One that is done goes on with the instant, whether the window has ended, whether it has stopped
/// at an event, and the values of all variables that are wanted; the others have a text.
enum class reply_kind : std::uint8_t {
  done,
  refused,  ///< nothing has changed
  failed
};

/// Numbers and texts in a row.
class message {
 public:
  template <class Number>
  message& put(Number value) {
    static_assert(std::is_arithmetic_v<Number> || std::is_enum_v<Number>);
    const auto* const first = reinterpret_cast<const char*>(&value);
    bytes_.insert(bytes_.end(), first, first + sizeof value);
    return *this;
  }
  message& put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
  }
  /// @throws message_error at the end of the message
  template <class Number>
  Number get() {
    static_assert(std::is_arithmetic_v<Number> || std::is_enum_v<Number>);
    Number value;
    std::memcpy(&value, next(sizeof value), sizeof value);
    return value;
  }
  /// @throws message_error as get() does
  std::string get_text() {
    const auto length = get<std::uint32_t>();
    return {next(length), length};
  }

  void clear() {
    bytes_.clear();
    read_ = 0;
  }

 private:
  friend class channel;
  const char* next(std::size_t count) {
    if (count > bytes_.size() - read_) throw message_error("a message is cut off");
    read_ += count;
    return bytes_.data() + read_ - count;
  }

  std::vector<char> bytes_;
  std::size_t read_ = 0;
};

/// An end of a connection, which closes with it. No call raises SIGPIPE, and no program that is started inherits it.
class channel {
 public:
  explicit channel(int socket = -1) : socket_(socket) {}
  channel(channel&& other) noexcept;
  channel& operator=(channel&& other) noexcept;
  ~channel() { close(); }

  int socket() const { return socket_; }
  void close();
  /// Sends a message. @param pass an end to be sent along, of which the receiver gets a copy; -1: none
  /// @return false: nobody is at the other end
  bool send(const message& what, int pass = -1);
  /// Waits for a message. @param passed receives an end that has come along; null: none is expected
  /// @return false: the other end has been closed
  bool receive(message& into, channel* passed = nullptr);

 private:
  int socket_;
};

/// The two ends of a new connection. @throws std::system_error if there are none left
struct channel_pair {
  channel_pair();
  channel near, far;
};

}  // namespace muster
