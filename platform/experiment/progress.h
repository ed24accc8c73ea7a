#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace muster {

/// How far a run is.
struct run_state {
  std::size_t points = 0, points_done = 0;
  std::uint64_t jobs = 0;  ///< simulated by this run: those that have arrived, of replications under way
  double jobs_left = 0.0;  ///< as far as can be told
  /// The half-width of the interval at the point in work, and what it should be, as shares of the mean.
  std::optional<double> half_width, wanted;
};

/// @param elapsed seconds
std::string progress_line(const run_state& state, double elapsed);

/// What a run has before it.
struct run_size {
  std::size_t points = 0;
  std::uint64_t replications = 0;
  bool at_least = false;    ///< a precision may take more of them
  std::size_t workers = 1;  ///< replications at a time
};

/// The size of a run in words: "36 points, 360 replications to run, 2 at a time".
std::string to_text(const run_size& size);

/// A duration in the unit that fits: "42 s", "12 min", "3.5 h" or "8.2 days".
/// @param seconds >= 0
std::string duration_text(double seconds);

/// Tells on standard error how far a long run is: in place on a terminal, a plain line a minute elsewhere.
class progress_display {
 public:
  explicit progress_display(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}
  ~progress_display() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
  }
  progress_display(const progress_display&) = delete;
  progress_display& operator=(const progress_display&) = delete;

  /// Whether it is time for show().
  bool is_due() const;
  void show(const run_state& state);
  /// Says what is to be run, unless nothing is.
  void begin(const run_size& size) {
    if (!quiet_ && size.replications > 0) print(to_text(size));
  }
  /// Says how long the run is likely to take, unless that is a matter of seconds.
  /// @param replications how many have been measured
  void estimate(const run_state& state, std::size_t replications);
  /// A line that stays, whether quiet or not.
  void warn(const std::string& what) { print("warning: " + what); }

 private:
  using clock = std::chrono::steady_clock;

  double elapsed() const { return std::chrono::duration<double>(clock::now() - began_).count(); }
  void print(const std::string& line);

  bool quiet_, terminal_, drawn_ = false;
  clock::time_point began_ = clock::now(), shown_ = began_;
};

}  // namespace muster
