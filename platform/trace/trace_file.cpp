#include "platform/trace/trace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
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
  } catch (const std::exception&) {  // whoever wanted to know has flushed
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

void mend_trace(const std::filesystem::path& path, std::string_view last_line) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return;
  // Lines are much shorter than that.
  std::string end(static_cast<std::size_t>(std::min<std::uintmax_t>(size, trace_file::most)), '\0');
  std::ifstream(path, std::ios::binary)
      .seekg(static_cast<std::streamoff>(size - end.size()))
      .read(end.data(), static_cast<std::streamsize>(end.size()));
  const std::size_t whole = end.rfind('\n') + 1;  // 0 if there is none
  if (whole == 0) {
    std::filesystem::remove(path, error);
    return;
  }
  const bool ended = whole == end.size() && whole > last_line.size() &&
                     end.compare(whole - last_line.size(), last_line.size(), last_line) == 0;
  if (ended) return;
  std::filesystem::resize_file(path, size - (end.size() - whole), error);
  std::ofstream(path, std::ios::binary | std::ios::app) << last_line;
}

}  // namespace muster
