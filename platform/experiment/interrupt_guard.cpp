#include "platform/experiment/interrupt_guard.h"

#include <sys/time.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <unistd.h>

namespace muster {

namespace {

constexpr int signals[] = {SIGINT, SIGTERM};
constexpr suseconds_t time_to_finish = 600'000;  // microseconds of processor time

// What handlers read.
volatile std::sig_atomic_t mark = 0, status_at_end = 130, length_of_where = 0;
char where_text[4096];

unsigned guards = 0;
struct sigaction before_guards[NSIG];

void say(const char* text, std::size_t length) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, length);
}

// Calls nothing that a signal handler may not call.
[[noreturn]] void end_at_once(int) {
  constexpr char word[] = "interrupted", new_line[] = "\r\033[K";
  if (::isatty(STDERR_FILENO) == 1) say(new_line, sizeof new_line - 1);  // over a line of progress
  say(word, sizeof word - 1);
  say(where_text, static_cast<std::size_t>(length_of_where));
  say("\n", 1);
  ::_exit(status_at_end);
}

void handle(int signal, void (*handler)(int), struct sigaction* before) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // a line that is being written is written whole; poll() returns even so
  ::sigaction(signal, &action, before);
}

void leave_mark(int) {
  if (mark != 0) return;
  mark = 1;
  handle(SIGPROF, end_at_once, nullptr);
  const itimerval once{{0, 0}, {0, time_to_finish}};
  ::setitimer(ITIMER_PROF, &once, nullptr);
}

}  // namespace

void end_when_interrupted(int status) {
  status_at_end = status;
  for (const int signal : signals) handle(signal, end_at_once, nullptr);
}

void tell_when_interrupted(const std::string& where) {
  const std::string text = where.empty() ? where : "; " + where;
  length_of_where = 0;
  const std::size_t length = std::min(text.size(), sizeof where_text);
  std::memcpy(where_text, text.data(), length);
  length_of_where = static_cast<std::sig_atomic_t>(length);
}

interrupt_guard::interrupt_guard() {
  if (guards++ > 0) return;
  for (const int signal : signals) handle(signal, leave_mark, &before_guards[signal]);
}

interrupt_guard::~interrupt_guard() {
  if (--guards > 0) return;
  for (const int signal : signals) ::sigaction(signal, &before_guards[signal], nullptr);
}

bool interrupt_guard::seen() { return mark != 0; }

}  // namespace muster
