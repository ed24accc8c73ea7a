#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace muster {

/// What ranks say to each other.
enum class rank_says {
  ready,    ///< to rank 0: the sender, and what it has read
  task,     ///< from rank 0
  outcome,  ///< to rank 0: of a task
  alive,    ///< to rank 0: at work, or waiting for some
  stop,     ///< from rank 0: no more tasks; give up those at work
  stopped   ///< to rank 0: has stopped, on request or by an error; the text is the reason
};

struct rank_message {
  std::size_t from = 0;
  rank_says kind = rank_says::alive;
  std::string text;
};

/// A rank's way to the others. The one that speaks MPI lies in a module of its own, see started_ranks.h, and uses
/// nothing of muster but this header.
class rank_link {
 public:
  /// Leaves the others, which waits for them to leave as well.
  virtual ~rank_link() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t ranks() const = 0;
  virtual std::string host() const = 0;

  /// Does not wait.
  virtual void send(std::size_t to, rank_says kind, const std::string& text) = 0;
  /// The next message, if there is one; does not wait.
  virtual std::optional<rank_message> receive() = 0;
  /// One of the others may be dead: leave without waiting for them.
  virtual void expect_no_farewell() = 0;
  /// The last call on rank 0. Ends this process and the others if one of them may be dead, as they would wait for each
  /// other. @param status this process's exit status
  virtual void leave(int status) = 0;
};

}  // namespace muster
