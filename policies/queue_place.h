#pragma once

#include <cstdint>

namespace muster {

/// The place of a job that has been preempted among the waiting jobs of its class.
enum class queue_place : std::uint8_t {
  by_arrival,
  at_tail,
  nowhere  ///< of a job that is killed alone: it does not wait again, but has ended
};

}  // namespace muster
