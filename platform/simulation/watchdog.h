#pragma once

#include <string>

#include <csignal>

namespace muster {

/// Reports on standard error that a function of the policy does not return: after 5 s in one call, and again each time
/// that the longest call so far has doubled. The note names simulation and function.
///
/// A process has at most one, as it uses SIGALRM and the real-time interval timer.
class watchdog {
 public:
  /// @param simulation name of the simulation in the note
  explicit watchdog(const std::string& simulation);
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace muster
