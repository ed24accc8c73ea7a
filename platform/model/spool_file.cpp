#include "platform/model/spool_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace muster {

namespace {

[[noreturn]] void throw_error(const char* what) {
  throw std::runtime_error(std::string{"a temporary file for its jobs "} + what + ": " + std::strerror(errno) +
                           "; TMPDIR names the folder");
}

// A file that is open and has no name any more; null if there is none.
std::FILE* open_without_name() {
  const char* const folder = std::getenv("TMPDIR");
  std::string path = std::string{folder && *folder ? folder : "/tmp"} + "/muster.XXXXXX";
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) return nullptr;
  unlink(path.c_str());
  std::FILE* const file = fdopen(descriptor, "w+b");
  if (!file) close(descriptor);
  return file;
}

}  // namespace

spool_file::spool_file() : file_(open_without_name()) {
  if (!file_) throw_error("cannot be made");
}

void spool_file::write(std::uint64_t offset, const void* bytes, std::size_t count) {
  const auto* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t done = pwrite(fileno(file_.get()), from, count, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw_error("cannot be written");
    from += done;
    offset += static_cast<std::uint64_t>(done);
    count -= static_cast<std::size_t>(done);
  }
}

void spool_file::read(std::uint64_t offset, void* to, std::size_t count) const {
  auto* at = static_cast<char*>(to);
  while (count > 0) {
    const ssize_t done = pread(fileno(file_.get()), at, count, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw_error("cannot be read");
    at += done;
    offset += static_cast<std::uint64_t>(done);
    count -= static_cast<std::size_t>(done);
  }
}

}  // namespace muster
