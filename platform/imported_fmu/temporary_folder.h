#pragma once

#include <sys/types.h>

#include <string>

namespace muster {

/// A folder for temporary files, in TMPDIR or else in /tmp. It is removed with all that is in it when this object ends
/// in the process that made it, and also when that process and those that it has forked end in any other way, even if
/// they are killed: a process that waits for that removes it.
class temporary_folder {
 public:
  /// @throws std::runtime_error if it cannot be made
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  pid_t made_by_;
  int held_ = -1;  // the end of a connection that closes with this process, and with those that it forks
};

}  // namespace muster
