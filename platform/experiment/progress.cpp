#include "platform/experiment/progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace muster {

using namespace std::chrono_literals;

progress::progress(std::size_t tasks, bool quiet)
    : tasks_(tasks), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

progress::~progress() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void progress::finished(std::uint64_t jobs) {
  ++done_;
  jobs_ += jobs;
}

void progress::tick() {
  if (quiet_) return;
  const auto now = clock::now();
  if (now - shown_ < (terminal_ ? std::chrono::duration_cast<clock::duration>(500ms) : clock::duration(1min))) return;
  shown_ = now;
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}", line());
  else
    fmt::print(stderr, "{}\n", line());
  drawn_ = terminal_;
  std::fflush(stderr);
}

std::string progress::line() const {
  const double elapsed = std::chrono::duration<double>(clock::now() - began_).count();
  const double rate = static_cast<double>(jobs_) / elapsed;
  const double left = done_ ? elapsed * static_cast<double>(tasks_ - done_) / static_cast<double>(done_) : 0.0;
  return fmt::format("{} of {} replications, {:.2f} million jobs per second{}", done_, tasks_, rate / 1e6,
                     done_ ? fmt::format(", about {:.0f} s left", left) : "");
}

}  // namespace muster
