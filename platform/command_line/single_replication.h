#pragma once

#include <cstddef>
#include <string>

#include "platform/model/scenario.h"

namespace CLI {  // NOLINT(readability-identifier-naming): not ours
class App;
}

namespace muster {

/// `run --point P --replication R --no-fork`: one replication in this process, for a debugger. Nothing is stored.
class single_replication {
 public:
  /// @param command `run`, with its other options
  void add_to(CLI::App& command);
  bool given() const { return no_fork_; }
  /// Simulates, and says on standard output how far it came, unless `quiet`.
  /// @return the exit status
  /// @throws std::runtime_error on a fault
  int run(const study& s, bool check_protocol, bool quiet) const;

 private:
  std::size_t point_ = 0;
  std::string replication_;
  bool no_fork_ = false;
};

}  // namespace muster
