#pragma once

#include <cstdint>

#include "muster/policies/job.h"

namespace muster {

/// When servers fail and how long repairs take; each server of a bank has its own sequences. A server may also drain in
/// place of a failure: what runs there goes on to its end, and the scheduler sends nothing new until the repair.
class fault_clock {
 public:
  virtual ~fault_clock() = default;
  /// The time from the start, or from the end of the latest repair, to the next failure, in ticks. A failure beyond the
  /// range of the clock never comes.
  /// @param server number within the bank
  /// @return at least 1
  virtual ticks to_failure(std::uint32_t server) = 0;
  /// The time that the repair takes which begins now, in ticks. A repair that would end beyond the range of the clock
  /// never ends.
  /// @return at least 1
  virtual ticks to_repair(std::uint32_t server) = 0;
  /// Whether the failure that comes now is none, but the server drains. Called before to_repair().
  virtual bool drains(std::uint32_t /*server*/) { return false; }
};

/// A clock for servers that never fail by themselves and leave service by request alone, see server_health::withdraw().
class no_faults final : public fault_clock {
 public:
  ticks to_failure(std::uint32_t) override { return end_of_clock; }
  ticks to_repair(std::uint32_t) override { return end_of_clock; }
};

}  // namespace muster
