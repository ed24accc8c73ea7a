#include "platform/imported_fmu/temporary_folder.h"

#include <sys/socket.h>
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

[[noreturn]] void throw_error(int reason) {
  throw std::runtime_error(
      fmt::format("a temporary folder cannot be made: {}; TMPDIR names where", std::strerror(reason)));
}

void remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

// Makes the folder, hands its path back and removes it when the last process has closed the other end of the
// connection. No signal of the terminal or of a group of processes ends it before, and it keeps no file of anybody
// open.
[[noreturn]] void keep_folder(int connection, std::string path) {
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  ::dup2(connection, STDIN_FILENO);
  ::close_range(STDOUT_FILENO, ~0U, 0);
  const int failed = ::mkdtemp(path.data()) ? 0 : errno;
  // Whether anybody is there to read it is seen below.
  [[maybe_unused]] ssize_t written = ::write(STDIN_FILENO, &failed, sizeof failed);
  if (failed != 0) ::_exit(1);
  written = ::write(STDIN_FILENO, path.data(), path.size());
  char nothing = 0;
  while (::read(STDIN_FILENO, &nothing, 1) < 0 && errno == EINTR) {
  }
  remove(path);
  ::_exit(0);
}

// Reads so many bytes. @return whether there are so many
bool read_all(int from, void* to, std::size_t count) {
  auto* at = static_cast<char*>(to);
  while (count > 0) {
    const ssize_t done = ::read(from, at, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace

temporary_folder::temporary_folder() : made_by_(::getpid()) {
  const char* const above = std::getenv("TMPDIR");
  path_ = std::string{above && *above ? above : "/tmp"} + "/muster.XXXXXX";
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw_error(errno);
  // The process that keeps the folder is nobody's child, so that whoever waits for children does not meet it.
  const pid_t between = ::fork();
  if (between == 0) {
    ::close(ends[1]);
    if (::fork() == 0) keep_folder(ends[0], path_);
    ::_exit(0);
  }
  int failed = between < 0 ? errno : 0;
  ::close(ends[0]);
  held_ = ends[1];
  while (between > 0 && ::waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (between > 0 && !read_all(held_, &failed, sizeof failed)) failed = EAGAIN;  // no process could be made
  if (failed == 0 && read_all(held_, path_.data(), path_.size())) return;
  ::close(held_);
  throw_error(failed);
}

temporary_folder::~temporary_folder() {
  if (::getpid() == made_by_) remove(path_);
  ::close(held_);
}

}  // namespace muster
