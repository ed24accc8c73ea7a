#pragma once

#include <stdexcept>
#include <string>

#include "muster/modules/kernel/timekeeper.h"

namespace muster {

/// Ends the simulation with a SystemC error of type /muster/scheduler.
[[noreturn]] inline void scheduler_fault(const timekeeper& time, const std::string& message) {
  time.report_error("/muster/scheduler", message);
  throw std::runtime_error(message);  // if SystemC's own exception has been disabled
}

}  // namespace muster
