#include "platform/imported_fmu/temporary_folder.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

namespace muster {

namespace {

[[noreturn]] void throw_error(const char* what) {
  throw std::runtime_error(
      fmt::format("a temporary folder {}: {}; TMPDIR names where it is made", what, std::strerror(errno)));
}

void remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

// Waits until the last process has closed the other end of the pipe. No signal of the terminal or of a group of
// processes ends it before, and it keeps no file of anybody open.
[[noreturn]] void remove_when_closed(int pipe, const std::string& path) {
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  ::dup2(pipe, STDIN_FILENO);
  ::close_range(STDOUT_FILENO, ~0U, 0);
  char nothing = 0;
  while (::read(STDIN_FILENO, &nothing, 1) < 0 && errno == EINTR) {
  }
  remove(path);
  ::_exit(0);
}

}  // namespace

temporary_folder::temporary_folder() : made_by_(::getpid()) {
  const char* const above = std::getenv("TMPDIR");
  path_ = std::string{above && *above ? above : "/tmp"} + "/muster.XXXXXX";
  if (!::mkdtemp(path_.data())) throw_error("cannot be made");
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    remove(path_);
    throw_error("cannot be watched");
  }
  // The process that waits is nobody's child, so that whoever waits for children does not meet it.
  const pid_t between = ::fork();
  if (between == 0) {
    const pid_t watcher = ::fork();
    if (watcher == 0) {
      ::close(ends[1]);
      remove_when_closed(ends[0], path_);
    }
    ::_exit(watcher < 0 ? 1 : 0);
  }
  ::close(ends[0]);
  held_ = ends[1];
  int status = 1;
  while (between > 0 && ::waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  if (between > 0 && status == 0) return;
  ::close(held_);
  remove(path_);
  throw_error("cannot be watched");
}

temporary_folder::~temporary_folder() {
  if (::getpid() == made_by_) remove(path_);
  ::close(held_);
}

}  // namespace muster
