#include "platform/experiment/progress.h"

#include <cstdio>

#include "platform/tables/number_text.h"

namespace muster {

using namespace std::chrono_literals;

std::string progress_line(const run_state& state, double elapsed) {
  const auto jobs = static_cast<double>(state.jobs);
  std::string line = fmt::format("{} of {} points, {:.2f} million jobs per second", state.points_done, state.points,
                                 jobs / elapsed / 1e6);
  if (state.half_width && state.wanted)
    line += fmt::format(", half-width {:.2g} % of {:.2g} %", *state.half_width * 100.0, *state.wanted * 100.0);
  if (state.jobs > 0) line += fmt::format(", about {} left", duration_text(elapsed * state.jobs_left / jobs));
  return line;
}

std::string to_text(const run_size& size) {
  return fmt::format("{}, {}{} to run, {} at a time", counted(size.points, "point"), size.at_least ? "at least " : "",
                     counted(size.replications, "replication"), size.workers);
}

std::string duration_text(double seconds) {
  constexpr double minute = 60.0, hour = 60.0 * minute, day = 24.0 * hour;
  if (seconds < 5.0 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2.0 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 2.0 * day) return fmt::format("{:.1f} h", seconds / hour);
  return fmt::format("{:.1f} days", seconds / day);
}

// Prints a line that stays, over the line of progress.
void progress_display::print(const std::string& line) {
  fmt::print(stderr, "{}{}\n", drawn_ ? "\r\033[K" : "", line);
  drawn_ = false;
}

void progress_display::estimate(const run_state& state, std::size_t replications) {
  constexpr double soon = 10.0;
  const double left = elapsed() * state.jobs_left / static_cast<double>(state.jobs);
  if (quiet_ || left < soon) return;
  print(fmt::format("about {} left, judging by the first {} of them; Ctrl-C keeps what is finished",
                    duration_text(left), replications));
}

bool progress_display::is_due() const {
  const clock::duration pause = terminal_ ? std::chrono::duration_cast<clock::duration>(500ms) : clock::duration(1min);
  return !quiet_ && clock::now() - shown_ >= pause;
}

void progress_display::show(const run_state& state) {
  shown_ = clock::now();
  const std::string line = progress_line(state, elapsed());
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}", line);
  else
    fmt::print(stderr, "{}\n", line);
  drawn_ = terminal_;
  std::fflush(stderr);
}

}  // namespace muster
