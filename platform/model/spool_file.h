#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>

namespace muster {

/// A temporary file without a name, in the folder that TMPDIR names, else in /tmp. It is gone when nobody has it open.
/// Processes that are forked read the same file.
class spool_file {
 public:
  /// @throws std::runtime_error that says why there is none
  spool_file();

  /// @throws std::runtime_error where there is no room for it
  void write(std::uint64_t offset, const void* bytes, std::size_t count);
  /// Reads bytes that have been written. @throws std::runtime_error
  void read(std::uint64_t offset, void* to, std::size_t count) const;

 private:
  struct file_closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, file_closer> file_;
};

}  // namespace muster
