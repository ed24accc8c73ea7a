#include "platform/experiment/worker_pool.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "muster/modules/scheduler/events/policy_call.h"
#include "muster/policies/thrown_text.h"
#include "platform/simulation/arrival_board.h"

namespace muster {

namespace {

void write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(to, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) ::_exit(1);
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

// What a child writes begins with one of these.
constexpr char success = '+', failure = '-', crash = '!';

constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
struct sigaction before_crash[NSIG];
int crash_pipe = -1;

// Leaves on the pipe which function of the policy was under way; then the signal does what it would have done.
void tell_crash(int signal, siginfo_t* cause, void*) {
  if (const char* function = policy_call::under_way()) {
    char text[64] = {crash};
    std::size_t length = 1;
    while (*function && length < sizeof text) text[length++] = *function++;
    [[maybe_unused]] const ssize_t written = ::write(crash_pipe, text, length);
  }
  ::sigaction(signal, &before_crash[signal], nullptr);
  if (cause->si_code <= 0) ::raise(signal);  // sent by a process; else the instruction fails again
}

void tell_crashes(int to) {
  alignas(16) static char stack[std::size_t{64} << 10];  // that of the policy may be exhausted
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  crash_pipe = to;
  struct sigaction action {};
  action.sa_sigaction = tell_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : crashes) ::sigaction(signal, &action, &before_crash[signal]);
}

[[noreturn]] void be_child(int to, const std::function<std::string()>& work) {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before we could ask to be told
  // The parent decides; mpirun signals whole process groups.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  tell_crashes(to);
  std::string answer;
  try {
    answer = success + work();
  } catch (const std::exception& e) {
    answer = failure + std::string(e.what());
  } catch (...) {
    answer = failure + thrown_text();
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
  const std::size_t place = arrival_board::take_place();
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error(fmt::format("no process for a worker: {}", std::strerror(errno)));
  if (process == 0) {
    ::close(ends[0]);
    arrival_board::use(place);
    be_child(ends[1], work);
  }
  ::close(ends[1]);
  children_.push_back({process, ends[0], task, place, {}});
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
  arrival_board::give_back(ended.place);
  int status = 0;
  while (::waitpid(ended.process, &status, 0) < 0 && errno == EINTR) {
  }
  const bool crashed = !ended.received.empty() && ended.received.front() == crash;
  // One that was killed may have left half an answer.
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !ended.received.empty() && !crashed)
    return {ended.task, ended.received.front() == failure, ended.received.substr(1), false};
  std::string text =
      WIFSIGNALED(status)
          ? fmt::format("the worker was ended by signal {} ({})", WTERMSIG(status), ::sigdescr_np(WTERMSIG(status)))
          : fmt::format("the worker ended with status {} and no result", WEXITSTATUS(status));
  if (crashed) text += " in the policy's " + ended.received.substr(1);
  return {ended.task, true, std::move(text), true};
}

bool worker_pool::run(std::size_t count, const std::function<std::string(std::size_t)>& work,
                      const std::function<bool(const task_outcome&)>& finished,
                      const std::function<bool()>& tick) const {
  std::size_t begun = 0;
  return run([&] { return begun < count ? std::optional(begun++) : std::nullopt; }, work, finished, tick);
}

bool worker_pool::run(const std::function<std::optional<std::size_t>()>& next,
                      const std::function<std::string(std::size_t)>& work,
                      const std::function<bool(const task_outcome&)>& finished,
                      const std::function<bool()>& tick) const {
  child_processes busy;
  for (;;) {
    while (busy.count() < workers_) {
      const std::optional<std::size_t> task = next();
      if (!task) break;
      busy.start(*task, [&] { return work(*task); });
    }
    if (busy.count() == 0) return true;
    for (const task_outcome& outcome : busy.wait(std::chrono::milliseconds(200)))
      if (!finished(outcome)) return false;
    if (!tick()) return false;
  }
}

}  // namespace muster
