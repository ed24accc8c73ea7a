#include "platform/experiment/worker_pool.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace muster {

namespace {

struct worker {
  pid_t process;
  int pipe;
  std::size_t task;
  std::string received;
};

void write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(to, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) ::_exit(1);
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

// The first byte of the answer tells success from failure; no byte at all means that the child died.
[[noreturn]] void be_child(int to, std::size_t task, const std::function<std::string(std::size_t)>& work) {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before we could ask to be told
  std::signal(SIGINT, SIG_IGN);           // the parent decides
  std::string answer;
  try {
    answer = "+" + work(task);
  } catch (const std::exception& e) {
    answer = std::string("-") + e.what();
  }
  write_all(to, answer);
  // Tearing a large model down takes seconds and nobody needs it.
  ::_exit(0);
}

worker start(std::size_t task, const std::function<std::string(std::size_t)>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error(fmt::format("no pipe for a worker: {}", std::strerror(errno)));
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error(fmt::format("no process for a worker: {}", std::strerror(errno)));
  if (child == 0) {
    ::close(ends[0]);
    be_child(ends[1], task, work);
  }
  ::close(ends[1]);
  return {child, ends[0], task, {}};
}

// Reads what is there. Returns whether the child has closed its end.
bool drain(worker& w) {
  char buffer[65536];
  const ssize_t n = ::read(w.pipe, buffer, sizeof buffer);
  if (n > 0) w.received.append(buffer, static_cast<std::size_t>(n));
  return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

task_outcome collect(const worker& w) {
  ::close(w.pipe);
  int status = 0;
  while (::waitpid(w.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!w.received.empty()) return {w.task, w.received.front() == '-', w.received.substr(1)};
  return {w.task, true,
          WIFSIGNALED(status) ? fmt::format("the worker was ended by signal {}", WTERMSIG(status))
                              : fmt::format("the worker ended with status {} and no result", WEXITSTATUS(status))};
}

/// Workers at work. However this one ends, none of them is left behind.
struct crew : std::vector<worker> {
  crew() = default;
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() {
    for (const worker& w : *this) ::kill(w.process, SIGKILL);
    for (const worker& w : *this) collect(w);
  }
};

}  // namespace

bool worker_pool::run(std::size_t count, const std::function<std::string(std::size_t)>& work,
                      const std::function<bool(const task_outcome&)>& finished,
                      const std::function<bool()>& tick) const {
  crew busy;
  std::size_t next = 0;
  bool going_on = true;
  while (going_on && (next < count || !busy.empty())) {
    while (next < count && busy.size() < workers_) busy.push_back(start(next++, work));
    std::vector<pollfd> waits;
    for (const worker& w : busy) waits.push_back({w.pipe, POLLIN, 0});
    ::poll(waits.data(), waits.size(), 200);
    for (std::size_t i = busy.size(); going_on && i-- > 0;) {
      if (!(waits[i].revents & (POLLIN | POLLHUP | POLLERR)) || !drain(busy[i])) continue;
      const task_outcome outcome = collect(busy[i]);
      busy.erase(busy.begin() + static_cast<std::ptrdiff_t>(i));
      going_on = finished(outcome);
    }
    going_on = going_on && tick();
  }
  return going_on;
}

}  // namespace muster
