#include "platform/experiment/progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace muster {

using namespace std::chrono_literals;

std::string progress_line(const run_state& state, double elapsed) {
  const auto jobs = static_cast<double>(state.jobs);
  std::string line = fmt::format("{} of {} points, {:.2f} million jobs per second", state.points_done, state.points,
                                 jobs / elapsed / 1e6);
  if (state.half_width && state.wanted)
    line += fmt::format(", half-width {:.2g} % of {:.2g} %", *state.half_width * 100.0, *state.wanted * 100.0);
  if (state.jobs > 0) line += fmt::format(", about {:.0f} s left", elapsed * state.jobs_left / jobs);
  return line;
}

progress_display::progress_display(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

progress_display::~progress_display() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void progress_display::warn(const std::string& what) {
  fmt::print(stderr, "{}warning: {}\n", drawn_ ? "\r\033[K" : "", what);
  drawn_ = false;
}

bool progress_display::is_due() const {
  const clock::duration pause = terminal_ ? std::chrono::duration_cast<clock::duration>(500ms) : clock::duration(1min);
  return !quiet_ && clock::now() - shown_ >= pause;
}

void progress_display::show(const run_state& state) {
  shown_ = clock::now();
  const std::string line = progress_line(state, std::chrono::duration<double>(shown_ - began_).count());
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}", line);
  else
    fmt::print(stderr, "{}\n", line);
  drawn_ = terminal_;
  std::fflush(stderr);
}

}  // namespace muster
