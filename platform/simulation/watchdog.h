#pragma once

#include <string>

#include <csignal>

namespace muster {

/// While it lives, a note on standard error says that a function of the policy does not return: after 5 s in one call,
/// and again each time that the longest call so far has doubled. It names the simulation and the function. Nothing else
/// is done about it.
///
/// Uses SIGALRM and the process's real-time interval timer; one at a time.
class watchdog {
 public:
  /// @param simulation as the note names it
  explicit watchdog(const std::string& simulation);
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace muster
