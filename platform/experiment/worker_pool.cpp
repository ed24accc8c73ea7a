#include "platform/experiment/worker_pool.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
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

// What a child writes of a task begins with one of these. The answer of a task that ends follows as its time in
// microseconds, its length, a line break and its text.
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

std::string answer_of(std::size_t task, const std::function<std::string(std::size_t)>& work, bool& failed) {
  failed = false;
  try {
    return work(task);
  } catch (const std::exception& e) {
    failed = true;
    return e.what();
  } catch (...) {
    failed = true;
    return thrown_text();
  }
}

// Whether a child has ended; it is still to be waited for. What it wrote is in its pipe by then.
bool has_ended(pid_t child) {
  siginfo_t seen{};
  return ::waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOHANG | WNOWAIT) == 0 && seen.si_pid == child;
}

// @param longest it begins no task later
[[noreturn]] void be_child(int to, const std::vector<std::size_t>& tasks, std::chrono::duration<double> longest,
                           const std::function<std::string(std::size_t)>& work) {
  using clock = std::chrono::steady_clock;
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before we could ask to be told
  // The parent decides; mpirun signals whole process groups.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  // Standard output is for the results of the parent, whatever plugins and FMUs print.
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  tell_crashes(to);
  clock::time_point now = clock::now();
  const clock::time_point end = now + std::chrono::duration_cast<clock::duration>(longest);
  bool failed = false;
  for (std::size_t i = 0; i < tasks.size() && !failed && (i == 0 || now < end); ++i) {
    const clock::time_point began = now;
    const std::string answer = answer_of(tasks[i], work, failed);
    now = clock::now();
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(now - began);
    arrival_board::show(0);
    write_all(to, fmt::format("{}{} {}\n", failed ? failure : success, took.count(), answer.size()));
    write_all(to, answer);
  }
  // Nobody needs what is left of the process.
  ::_exit(0);
}

std::string end_of(int status) {
  return WIFSIGNALED(status)
             ? fmt::format("the worker was ended by signal {} ({})", WTERMSIG(status), ::sigdescr_np(WTERMSIG(status)))
             : fmt::format("the worker ended with status {} and no result", WEXITSTATUS(status));
}

}  // namespace

child_processes::~child_processes() {
  for (const child& c : children_) ::kill(c.process, SIGKILL);
  std::vector<task_outcome> unwanted;
  for (const child& c : children_) collect(c, unwanted);
}

void child_processes::start(std::vector<std::size_t> tasks, const std::function<std::string(std::size_t)>& work) {
  int ends[2];
  // A program that a task starts may outlive the worker, and must not hold its pipe.
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error(fmt::format("no pipe for a worker: {}", std::strerror(errno)));
  const std::size_t place = arrival_board::take_place();
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error(fmt::format("no process for a worker: {}", std::strerror(errno)));
  if (process == 0) {
    ::close(ends[0]);
    arrival_board::use(place);
    be_child(ends[1], tasks, batch_time(), work);
  }
  ::close(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  children_.push_back({process, ends[0], std::move(tasks), place, 0, std::chrono::microseconds(0), {}});
}

std::vector<task_outcome> child_processes::wait(std::chrono::milliseconds longest) {
  std::vector<pollfd> waits;
  for (const child& c : children_) waits.push_back({c.pipe, POLLIN, 0});
  std::vector<task_outcome> ended;
  ::poll(waits.data(), waits.size(), static_cast<int>(longest.count()));
  for (std::size_t i = children_.size(); i-- > 0;) {
    // A process that the child has forked may hold the pipe for ever.
    const bool at_end = has_ended(children_[i].process);
    bool is_whole = drain(children_[i], ended, at_end);
    while (at_end && !is_whole) is_whole = drain(children_[i], ended, at_end);
    if (!is_whole) continue;
    collect(children_[i], ended);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return ended;
}

std::optional<std::size_t> child_processes::take_not_begun() {
  if (not_begun_.empty()) return std::nullopt;
  return not_begun_.extract(not_begun_.begin()).value();
}

std::size_t child_processes::quick_tasks() const {
  constexpr double most = 1000.0;
  return static_cast<std::size_t>(std::clamp(batch_time() / slow_task_, 1.0, most));
}

std::chrono::duration<double> child_processes::batch_time() const {
  constexpr double share = 0.1;
  const std::chrono::duration<double> shortest = shortest_batch, longest = longest_batch;
  return std::clamp(std::chrono::duration<double>(share * (clock::now() - made_)), shortest, longest);
}

// Reads some of what is there, and adds the outcomes that are complete. Returns whether nothing will follow: nobody has
// the other end of the pipe, or the pipe is empty and the child `at_end` of its life.
bool child_processes::drain(child& from, std::vector<task_outcome>& ended, bool at_end) {
  char buffer[65536];
  const ssize_t n = ::read(from.pipe, buffer, sizeof buffer);
  if (n > 0) from.received.append(buffer, static_cast<std::size_t>(n));
  std::size_t at = 0;
  for (;;) {
    const std::size_t line_end = from.received.find('\n', at);
    if (line_end == std::string::npos || from.received[at] == crash) break;
    char* behind = nullptr;
    const std::chrono::microseconds took{std::strtoll(from.received.c_str() + at + 1, &behind, 10)};
    const std::size_t length = std::strtoull(behind, nullptr, 10);
    if (from.received.size() - line_end - 1 < length) break;
    const bool failed = from.received[at] == failure;
    from.at_work += took;
    ended.push_back({from.tasks[from.answered++], failed, from.received.substr(line_end + 1, length), false});
    at = line_end + 1 + length;
  }
  from.received.erase(0, at);
  return n == 0 || (n < 0 && errno != EINTR && (at_end || errno != EAGAIN));
}

// Adds the outcome of the task at which the child has died, if it did.
void child_processes::collect(const child& ended, std::vector<task_outcome>& outcomes) {
  ::close(ended.pipe);
  arrival_board::give_back(ended.place);
  int status = 0;
  while (::waitpid(ended.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (ended.answered > 0) {
    const std::chrono::duration<double> at_work = ended.at_work;
    slow_task_ = std::max(at_work / static_cast<double>(ended.answered), slow_task_ / growth);
  }
  std::size_t begun = ended.answered;
  const bool as_told = begun > 0 && ended.received.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (begun < ended.tasks.size() && !as_told) {
    std::string text = end_of(status);
    // A worker that was killed may have left half an answer.
    if (!ended.received.empty() && ended.received.front() == crash)
      text += " in the policy's " + ended.received.substr(1);
    outcomes.push_back({ended.tasks[begun++], true, std::move(text), true});
  }
  not_begun_.insert(ended.tasks.begin() + static_cast<std::ptrdiff_t>(begun), ended.tasks.end());
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
  const auto next_task = [&] {
    const std::optional<std::size_t> handed_back = busy.take_not_begun();
    return handed_back ? handed_back : next();
  };
  for (;;) {
    // Tasks are dealt in turn: no idle worker goes without while another has several, and those that come first begin
    // first, however long they take.
    const std::size_t idle = workers_ - busy.count(), most = share_processes_ ? busy.quick_tasks() : 1;
    std::vector<std::vector<std::size_t>> hands(idle);
    for (std::size_t dealt = 0; dealt < idle * most; ++dealt) {
      const std::optional<std::size_t> task = next_task();
      if (!task) break;
      hands[dealt % idle].push_back(*task);
    }
    for (std::vector<std::size_t>& tasks : hands)
      if (!tasks.empty()) busy.start(std::move(tasks), work);
    if (busy.count() == 0) return true;
    for (const task_outcome& outcome : busy.wait(std::chrono::milliseconds(200)))
      if (!finished(outcome)) return false;
    if (!tick()) return false;
  }
}

}  // namespace muster
