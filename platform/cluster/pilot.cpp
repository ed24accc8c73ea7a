#include "platform/cluster/pilot.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/simulation/kernel_run.h"
#include "platform/simulation/replication.h"

namespace muster {

namespace {

// The first character of the process's message, which the number of jobs or the fault follows.
constexpr char found = 'f', unsettled = 'u', failed = 'x';

std::string message_of_pilot(const scenario& point) {
  try {
    renew_kernel();  // that of the process from which this one was forked is in use
    const found_warm_up warm_up = run_pilot(point);
    return (warm_up.settled ? found : unsettled) + std::to_string(warm_up.jobs);
  } catch (const std::exception& fault) {
    return failed + std::string{fault.what()};
  }
}

// Ends the process by _exit(): output that waits to be written, and objects, belong to the one that it was forked from.
[[noreturn]] void answer(const scenario& point, int pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGPIPE, SIG_DFL);
  const std::string text = message_of_pilot(point);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t more = ::write(pipe, text.data() + sent, text.size() - sent);
    if (more < 0 && errno != EINTR) break;
    if (more > 0) sent += static_cast<std::size_t>(more);
  }
  ::_exit(0);
}

std::string all_of(int pipe) {
  std::string text;
  std::array<char, 512> some{};
  for (ssize_t got = 1; got != 0;) {
    got = ::read(pipe, some.data(), some.size());
    if (got < 0 && errno != EINTR) break;
    if (got > 0) text.append(some.data(), static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

found_warm_up warm_up_by_pilot(const scenario& point) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) throw std::system_error(errno, std::generic_category(), "a pilot's process");
  const pid_t child = ::fork();
  const int error = errno;
  if (child == 0) {
    ::close(pipe[0]);
    answer(point, pipe[1]);
  }
  ::close(pipe[1]);
  const std::string text = child < 0 ? "" : all_of(pipe[0]);
  ::close(pipe[0]);
  if (child < 0) throw std::system_error(error, std::generic_category(), "a pilot's process");
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  if (text.empty()) throw std::runtime_error("the pilot that is to find run.warm_up was killed, or has crashed");
  if (text.front() == failed) throw std::runtime_error("the pilot that is to find run.warm_up: " + text.substr(1));
  return {std::stoull(text.substr(1)), text.front() == found};
}

}  // namespace muster
