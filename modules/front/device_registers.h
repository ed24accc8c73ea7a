#pragma once

#include <cstdint>

#include "muster/modules/protocol/protocol.h"

/// @file
/// The registers of job_device. modules/docs/device.md is its data sheet.

namespace muster {

/// Addresses of job_device's registers. Each has 8 bytes and is accessed by 4 or 8. A register that acts when it is
/// written does so by the access that has its lower 4 bytes; its upper 4 bytes are ignored.
namespace device_register {
/// Write: submits a job of as many words (8 bytes) of the descriptor, from 1 to descriptor_words.
inline constexpr std::uint64_t doorbell = 0x00;
inline constexpr std::uint64_t tag = 0x08;               ///< read, write: any number; it returns with the completion
inline constexpr std::uint64_t completions = 0x10;       ///< read: completions that the client can take now
inline constexpr std::uint64_t outstanding = 0x18;       ///< read: submitted jobs whose completion is not taken yet
inline constexpr std::uint64_t interrupt_enable = 0x20;  ///< read, write: bits as in interrupt_cause
/// Read: see device_interrupt; write: a 1 clears memory_error.
inline constexpr std::uint64_t interrupt_cause = 0x28;
inline constexpr std::uint64_t jobs_waiting = scheduler_register::jobs_waiting;        ///< read: as the scheduler's
inline constexpr std::uint64_t jobs_in_service = scheduler_register::jobs_in_service;  ///< read: as the scheduler's
inline constexpr std::uint64_t phase = scheduler_register::phase;                      ///< read: as the scheduler's
/// Read, four registers: the words of the earliest completion, see job_completion; 0 while there is none, or a ring.
inline constexpr std::uint64_t completion = 0x60;
inline constexpr std::uint64_t pop = 0x80;        ///< write, any value: the earliest completion has been taken
inline constexpr std::uint64_t ring_base = 0xa0;  ///< read, write while there is no ring: address in client's memory
/// Read, write: completions that the ring holds, a power of 2 up to most_in_ring; 0: there is no ring.
inline constexpr std::uint64_t ring_size = 0xa8;
inline constexpr std::uint64_t ring_head = 0xb0;  ///< read, write: completions taken from the ring, modulo 2^32
inline constexpr std::uint64_t ring_tail = 0xb8;  ///< read: completions written to the ring, modulo 2^32
/// Read, write: the words of the next job, as they are written to scheduler_register::doorbell.
inline constexpr std::uint64_t descriptor = 0x800;

inline constexpr std::uint64_t descriptor_words = 256;
inline constexpr std::uint64_t most_in_ring = 65536;
}  // namespace device_register

/// Causes of an interrupt, bits of device_register::interrupt_cause.
namespace device_interrupt {
inline constexpr std::uint64_t completion = 1;    ///< the client can take at least one completion
inline constexpr std::uint64_t memory_error = 2;  ///< the client's memory refused a completion; there is no ring now
}  // namespace device_interrupt

/// A completion, as it stands in the client's ring: 32 bytes.
struct job_completion {
  std::uint64_t tag = 0;
  /// 0: the job is complete; otherwise minus the scheduler's tlm_response_status: 1 generic (an invalid job, or one
  /// that has expired), 2 address, 3 command, 4 burst (wrong number of words), 5 byte enables.
  std::uint64_t status = 0;
  std::uint64_t submitted = 0;  ///< when the doorbell was written, in units of the time resolution
  std::uint64_t completed = 0;  ///< when the scheduler answered, likewise
};

}  // namespace muster
