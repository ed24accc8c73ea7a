#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace muster {

/// How far a run is.
struct run_state {
  std::size_t points = 0, points_done = 0;
  std::uint64_t jobs = 0;  ///< simulated by this run
  double jobs_left = 0.0;  ///< as far as can be told
  /// Of the point in work: half-width of its interval and what it should be, as shares of the mean.
  std::optional<double> half_width, wanted;
};

/// @param elapsed seconds
std::string progress_line(const run_state& state, double elapsed);

/// Tells on standard error how far a long run is: in place on a terminal, a plain line a minute elsewhere.
class progress_display {
 public:
  explicit progress_display(bool quiet);
  ~progress_display();
  progress_display(const progress_display&) = delete;
  progress_display& operator=(const progress_display&) = delete;

  /// Whether it is time for show().
  bool is_due() const;
  void show(const run_state& state);
  /// A line that stays, whether quiet or not.
  void warn(const std::string& what);

 private:
  using clock = std::chrono::steady_clock;

  bool quiet_, terminal_, drawn_ = false;
  clock::time_point began_ = clock::now(), shown_ = began_;
};

}  // namespace muster
