#include "platform/trace/trace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace muster {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw std::runtime_error(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
}

}  // namespace

trace_file::trace_file(const std::filesystem::path& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail(path_);
}

trace_file::~trace_file() {
  try {
    if (!failed_) flush();
  } catch (const std::exception&) {  // who needs the error has called flush()
  }
  ::close(file_);
}

void trace_file::flush() {
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

}  // namespace muster
