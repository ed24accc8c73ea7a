#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace muster {

/// Tells on standard error how far a long run is: in place on a terminal, a plain line a minute elsewhere.
class progress {
 public:
  /// @param tasks replications to run in all
  progress(std::size_t tasks, bool quiet);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void finished(std::uint64_t jobs);
  void tick();

 private:
  using clock = std::chrono::steady_clock;

  std::string line() const;

  std::size_t tasks_, done_ = 0;
  std::uint64_t jobs_ = 0;
  bool quiet_, terminal_, drawn_ = false;
  clock::time_point began_ = clock::now(), shown_ = began_;
};

}  // namespace muster
