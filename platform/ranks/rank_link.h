#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace muster {

/// The kinds of messages between ranks.
enum class rank_says {
  ready,    ///< to rank 0: the sender's rank_report
  task,     ///< from rank 0
  outcome,  ///< to rank 0: the outcome of a task
  alive,    ///< to rank 0: the sender works, or waits for a task
  stop,     ///< from rank 0: no more tasks follow, and those under way are given up
  stopped   ///< to rank 0: the sender has stopped, on request or by an error; the text is the reason
};

struct rank_message {
  std::size_t from = 0;
  rank_says kind = rank_says::alive;
  std::string text;
};

/// A rank's connection to the others. That by MPI is in a separate module, which uses only this header, see
/// rank_team.h.
class rank_link {
 public:
  /// Leaves the others, which waits for them to leave as well.
  virtual ~rank_link() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t ranks() const = 0;
  virtual std::string host() const = 0;

  /// Sends a message; does not wait.
  virtual void send(std::size_t to, rank_says kind, const std::string& text) = 0;
  /// Returns the next message, if there is one; does not wait.
  virtual std::optional<rank_message> receive() = 0;
  /// Tells that one of the others may be dead, so that leave() does not wait for them.
  virtual void expect_no_farewell() = 0;
  /// Ends this process and the others if one of them may be dead, as they would wait for each other. The last call on
  /// rank 0. @param status this process's exit status
  virtual void leave(int status) = 0;
};

}  // namespace muster
