#pragma once

#include <cstdint>

#include <tlm>

#include "muster/policies/job.h"

/// @file
/// Addresses, descriptors and phases that are sent over the sockets.
///
/// Submission (job source -> scheduler) and dispatch (scheduler -> server) both speak the TLM-2.0 base protocol. A job
/// is one transaction: BEGIN_REQ = it arrives, END_REQ = it is accepted, BEGIN_RESP = it is complete. A slice is one
/// transaction likewise, from dispatch to the end of its work. Integers are 64 bits wide, in the byte order of the
/// host.

namespace muster {

/// The data of a job that arrives, written to scheduler_register::doorbell.
///
/// Further data follow the descriptor. A job of a class that draws its servers carries their numbers, 8 bytes each: a
/// server's place among all servers, in the order of the scheduler's groups. A slotted job carries the last slot in
/// which it may be served (8 bytes; counted from 1, 0: none). Where the class leaves its utility to its jobs, what each
/// of the job's units adds to it comes next, as doubles.
///
/// A rigid job may carry one word (8 bytes) where the scheduler declares needs that jobs may bring, see
/// job_class::submitted: the number of one of them, from 1; 0, or no word: the job needs what its class does. Where the
/// scheduler's estimate_settings let jobs state more, up to three words follow: that number (0 where no needs are
/// declared), the estimate of the size (0: none), and the number of the user plus 1 (0: not known); where they declare
/// QOS, a fourth one: the number of the job's plus 1 (0: it has none). Words at the end may be left out. An estimate
/// must be stated where the policy uses estimates that are not the sizes.
///
/// A slotted job that is not complete at the end of its last slot has expired: its response is
/// TLM_GENERIC_ERROR_RESPONSE. A job that arrives after the beginning of its last slot, as it was long on its way,
/// expires as well: it counts as arrived and expired, and is answered at the end of the slot, or at once if the slot
/// has ended.
struct job_descriptor {
  std::uint64_t type = 0;  ///< class id: place of the class in descending order of need, equal needs by name
  std::uint64_t size = 0;  ///< service duration on cores of capacity 1, in units of the time resolution; at least 1
};

/// Addresses of the scheduler's target socket.
namespace scheduler_register {
inline constexpr std::uint64_t doorbell = 0x00;         ///< write: job_descriptor; the response comes with completion
inline constexpr std::uint64_t jobs_waiting = 0x40;     ///< read, 8 bytes: jobs in the queue
inline constexpr std::uint64_t jobs_in_service = 0x48;  ///< read, 8 bytes: jobs that hold cores
inline constexpr std::uint64_t phase = 0x50;            ///< read, 8 bytes: phase of the policy's cycle
/// Read, 8 bytes: cores of its servers that no job holds. Absent where jobs need tasks.
inline constexpr std::uint64_t idle_cores = 0x58;
/// Write, 8 bytes, cores: takes the job back that waits longest of those that have never been started, need at most so
/// many cores, and have not been taken back before. The job is answered with a generic error, its extension says
/// job_report::stolen, and it may be submitted again, to a scheduler that numbers its jobs together with this one. A
/// generic error: there is no such job. Absent, which is an address error, unless jobs are rigid and need cores alone,
/// the policy's entry says `shares_servers`, servers never fail and are not shared, and jobs' times are not accounted
/// for. Jobs of blocking calls, and of submitters without muster's extension, are not taken back.
inline constexpr std::uint64_t withdrawal = 0x60;
}  // namespace scheduler_register

/// How a slice obtains its job's state.
namespace slice_start {
inline constexpr std::uint64_t first = 0;     ///< the job has never been interrupted: the server sets it up
inline constexpr std::uint64_t resumed = 1;   ///< the server holds the job's state of the latest interruption
inline constexpr std::uint64_t migrated = 2;  ///< other servers hold the job's state, which must be fetched
}  // namespace slice_start

/// The data of a slice that starts, written to server_register::doorbell.
///
/// Further data may follow where the server has more than cores: what the slice holds of each other amount and of each
/// device, 8 bytes each, in the order of the resources. Devices are counted in parts, see resource_layout. A slice
/// without such data holds cores alone.
struct slice_descriptor {
  std::uint64_t job = 0;    ///< the job's number
  std::uint64_t cores = 0;  ///< cores of this server that the slice holds
  /// Time for which all cores of the slice must be productive, in units of the time resolution. For a slice of a pooled
  /// job it is the time without other servers; servers that know slice_extension::rate share the work instead.
  std::uint64_t duration = 0;
  std::uint64_t start = slice_start::first;
  std::uint64_t state = 0;  ///< bytes of the job's state
};

/// Addresses of a server's target socket. Server n of a bank answers at n * stride + register.
namespace server_register {
inline constexpr std::uint64_t stride = 0x100;
inline constexpr std::uint64_t doorbell = 0x00;    ///< write: slice_descriptor; the response comes with the slice's end
inline constexpr std::uint64_t stop = 0x20;        ///< write, 8 bytes: job number; ends its slice here unfinished
inline constexpr std::uint64_t release = 0x28;     ///< write, 8 bytes: job number; as stop, but no state is saved
inline constexpr std::uint64_t idle_cores = 0x40;  ///< read, 8 bytes: cores that no slice holds
inline constexpr std::uint64_t running_cores = 0x48;  ///< read, 8 bytes: cores that are held and productive
/// Two registers to be read, 8 bytes: how often the server has failed. They are absent where servers never fail. A
/// non-blocking read is answered when the server is down, or in order again. To them a server that drains is down. One
/// read can wait at a time.
inline constexpr std::uint64_t until_failed = 0x50, until_repaired = 0x58;
}  // namespace server_register

/// An ignorable phase from server to scheduler: the slice's cores have become productive after their overhead.
TLM_DECLARE_EXTENDED_PHASE(slice_productive);
/// An ignorable phase from server to scheduler: the slice has been interrupted or stopped, and its cores save the job's
/// state. The response follows.
TLM_DECLARE_EXTENDED_PHASE(slice_saving);

inline sc_core::sc_time to_sc_time(ticks t) { return sc_core::sc_time::from_value(t); }

}  // namespace muster
