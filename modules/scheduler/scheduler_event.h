#pragma once

#include <cstdint>

#include <tlm>

#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/job_extension.h"

namespace muster {

/// What happens to a scheduler. The transaction that stands beside it is a job's or a slice's.
enum class scheduler_event : std::uint8_t {
  job_arrives,        ///< a job, in time or after waiting for its turn
  job_announced,      ///< a job that was announced for this instant: to the submission port
  slice_ends,         ///< a slice's response has come
  slice_saves,        ///< slice_saving has come
  health_changes,     ///< a server has failed or has been repaired: the response to a watch
  deadline_passes,    ///< a slotted job's
  unserved_job_ends,  ///< the deadline of a slotted job that came too late to be served
  slot_begins,        ///< no transaction
  cores_change,       ///< within a slot; no transaction
  policy_wakes        ///< at a time for which the policy has asked; no transaction
};

/// The job of a transaction that has been accepted.
inline job_extension& job_of(tlm::tlm_generic_payload& p) { return *transaction_pool<job_extension>::find(p); }

/// Receives events, one after the other in the order of simulated time.
class event_sink {
 public:
  virtual void happens(scheduler_event what, tlm::tlm_generic_payload* transaction) = 0;
  /// @name The two events of each job, for those who take them directly
  /// @{
  virtual void job_arrives(job_extension& j) { happens(scheduler_event::job_arrives, j.transaction); }
  virtual void slice_ends(tlm::tlm_generic_payload& slice) { happens(scheduler_event::slice_ends, &slice); }
  /// @}

 protected:
  ~event_sink() = default;
};

/// Takes what the scheduler decides: at once, or when the decision has been taken.
class order_sink {
 public:
  /// Sends a transaction to its server.
  virtual void send(tlm::tlm_generic_payload& order) = 0;
  /// The job begins service, for the first time, with the orders that have been sent.
  virtual void begin_service(job_extension& j) = 0;
  /// @name Events that wait for their turn
  /// @{
  virtual bool slot_waits() const { return false; }
  /// A job that has left has no deadline.
  virtual void forget_deadline(const job_extension&) {}
  /// @}

 protected:
  ~order_sink() = default;
};

}  // namespace muster
