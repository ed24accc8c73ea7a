#pragma once

#include <csignal>
#include <string>

namespace muster {

/// @name SIGINT and SIGTERM
/// Either of them ends the process at once, unless an interrupt_guard lives. Nothing that has been stored is lost: a
/// replication is stored whole, and a file is written whole, or not at all.
/// @{

/// Makes SIGINT and SIGTERM end the process; to be called once, when the program begins.
/// @param status with which the process ends
void end_when_interrupted(int status);
/// What standard error is told behind "interrupted" if the process is ended at once: where that is, what has been
/// stored. Empty: nothing more.
void tell_when_interrupted(const std::string& where);

/// @}

/// While one lives, SIGINT and SIGTERM leave a mark, which stays: who asks for it writes what is finished. A process
/// that computes on for most of a second (of its own processor time) is ended at once even so.
class interrupt_guard {
 public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;

  /// Whether one of them has come.
  static bool seen();
};

}  // namespace muster
