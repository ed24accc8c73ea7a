#include "platform/simulation/watchdog.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <sys/time.h>
#include <unistd.h>

#include "muster/modules/scheduler/policy_call.h"

namespace muster {

namespace {

constexpr unsigned first_note = 5;  // seconds

// What the handler needs lies ready: it may neither allocate nor format.
std::array<char, 1000> name;
std::atomic<unsigned> next_note;

class line {
 public:
  void add(const char* text) {
    for (; *text != '\0' && length_ < text_.size(); ++text) text_[length_++] = *text;
  }
  void add(unsigned number) {
    std::array<char, 12> digits{};
    std::size_t at = digits.size() - 1;
    for (; number > 0; number /= 10) digits[--at] = static_cast<char>('0' + number % 10);
    add(&digits[at]);
  }
  void print() const { [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text_.data(), length_); }

 private:
  std::array<char, 1200> text_;
  std::size_t length_ = 0;
};

// Once a second. A process that was stopped meanwhile gets one signal for the whole time.
void look(int) {
  const char* function = policy_call::under_way();
  if (!function) return;
  const unsigned seconds = policy_call::look();
  if (seconds < next_note) return;
  next_note = 2 * seconds;
  const int error = errno;
  line note;
  if (::isatty(STDERR_FILENO) == 1) note.add("\r\033[K");  // over the line of progress
  note.add("note: ");
  note.add(name.data());
  note.add(": the policy's ");
  note.add(function);
  note.add(" has not returned for ");
  note.add(seconds);
  note.add(" s\n");
  note.print();
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
