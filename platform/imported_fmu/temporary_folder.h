#pragma once

#include <string>

namespace muster {

/// A folder for temporary files, in TMPDIR or else in /tmp. It is removed with all that is in it when this object ends,
/// and also when the process ends in any other way, even if it is killed: a process that waits for that removes it.
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
  int held_ = -1;  // the end of a pipe that closes with this process
};

}  // namespace muster
