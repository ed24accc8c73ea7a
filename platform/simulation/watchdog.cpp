#include "platform/simulation/watchdog.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>

#include <fmt/compile.h>
#include <sys/time.h>
#include <unistd.h>

#include "muster/modules/scheduler/events/policy_call.h"

namespace muster {

namespace {

constexpr unsigned first_note = 5;  // seconds until the first note

// The handler's data are static and its format is compiled, as it must not allocate.
std::array<char, 1000> name;
std::atomic<unsigned> next_note;

// Handles the signal, once a second. A process that was stopped meanwhile gets one signal for the whole time.
void look(int) {
  const char* function = policy_call::under_way();
  if (!function) return;
  const unsigned seconds = policy_call::look();
  if (seconds < next_note) return;
  next_note = 2 * seconds;
  const int error = errno;
  const char* over_progress = ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";
  std::array<char, 1200> note;
  const auto end =
      fmt::format_to_n(note.data(), note.size(), FMT_COMPILE("{}note: {}: the policy's {} has not returned for {} s\n"),
                       over_progress, name.data(), function, seconds);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, note.data(), std::min(end.size, note.size()));
  errno = error;
}

void set_timer(time_t seconds) {
  const itimerval each{{seconds, 0}, {seconds, 0}};
  ::setitimer(ITIMER_REAL, &each, nullptr);
}

}  // namespace

watchdog::watchdog(const std::string& simulation) {
  name.fill('\0');
  std::copy_n(simulation.begin(), std::min(simulation.size(), name.size() - 1), name.begin());
  next_note = first_note;
  struct sigaction action {};
  action.sa_handler = look;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGALRM, &action, &before_);
  set_timer(1);
}

watchdog::~watchdog() {
  set_timer(0);
  ::signal(SIGALRM, SIG_IGN);  // drops a signal that is pending: it would end the process
  ::sigaction(SIGALRM, &before_, nullptr);
}

}  // namespace muster
