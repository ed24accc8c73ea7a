#include "platform/experiment/child_processes.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace muster {

namespace {

void write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(to, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) ::_exit(1);
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

// The first byte of the answer tells success from failure.
[[noreturn]] void be_child(int to, const std::function<std::string()>& work) {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before we could ask to be told
  // The parent decides; mpirun signals whole process groups.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  std::string answer;
  try {
    answer = "+" + work();
  } catch (const std::exception& e) {
    answer = std::string("-") + e.what();
  }
  write_all(to, answer);
  // Tearing a large model down takes seconds and nobody needs it.
  ::_exit(0);
}

}  // namespace

child_processes::~child_processes() {
  for (const child& c : children_) ::kill(c.process, SIGKILL);
  for (const child& c : children_) collect(c);
}

void child_processes::start(std::size_t task, const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error(fmt::format("no pipe for a worker: {}", std::strerror(errno)));
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error(fmt::format("no process for a worker: {}", std::strerror(errno)));
  if (process == 0) {
    ::close(ends[0]);
    be_child(ends[1], work);
  }
  ::close(ends[1]);
  children_.push_back({process, ends[0], task, {}});
}

std::vector<task_outcome> child_processes::wait(std::chrono::milliseconds longest) {
  std::vector<pollfd> waits;
  for (const child& c : children_) waits.push_back({c.pipe, POLLIN, 0});
  std::vector<task_outcome> ended;
  if (::poll(waits.data(), waits.size(), static_cast<int>(longest.count())) <= 0) return ended;
  for (std::size_t i = children_.size(); i-- > 0;) {
    if (!(waits[i].revents & (POLLIN | POLLHUP | POLLERR)) || !drain(children_[i])) continue;
    ended.push_back(collect(children_[i]));
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return ended;
}

// Reads what is there. Returns whether the child has closed its end.
bool child_processes::drain(child& from) {
  char buffer[65536];
  const ssize_t n = ::read(from.pipe, buffer, sizeof buffer);
  if (n > 0) from.received.append(buffer, static_cast<std::size_t>(n));
  return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

task_outcome child_processes::collect(const child& ended) {
  ::close(ended.pipe);
  int status = 0;
  while (::waitpid(ended.process, &status, 0) < 0 && errno == EINTR) {
  }
  // One that was killed may have left half an answer.
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !ended.received.empty())
    return {ended.task, ended.received.front() == '-', ended.received.substr(1), false};
  return {ended.task, true,
          WIFSIGNALED(status) ? fmt::format("the worker was ended by signal {}", WTERMSIG(status))
                              : fmt::format("the worker ended with status {} and no result", WEXITSTATUS(status)),
          true};
}

}  // namespace muster
