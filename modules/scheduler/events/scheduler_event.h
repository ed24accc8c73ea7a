#pragma once

#include <cstdint>

#include <tlm>

#include "muster/modules/kernel/transaction_pool.h"
#include "muster/modules/protocol/job_extension.h"

namespace muster {

/// The events that a scheduler processes. The transaction that is passed with an event is that of a job or of a slice.
enum class scheduler_event : std::uint8_t {
  job_arrives,        ///< a job arrives
  job_announced,      ///< a job whose request takes effect now; handled by the submission port
  slice_ends,         ///< a slice's response has come
  slice_saves,        ///< the phase slice_saving of a slice has come
  jobs_have_left,     ///< rigid jobs that the policy has preempted have left their cores; with one of these jobs
  health_changes,     ///< a server has failed or has been repaired: the response to a watch
  deadline_passes,    ///< the deadline of a slotted job passes
  unserved_job_ends,  ///< the deadline of a slotted job that has arrived too late to be served
  slot_begins,        ///< no transaction
  cores_change,       ///< jobs get or lose cores within a slot; no transaction
  policy_wakes,       ///< a time requested by decisions::wake_at(); no transaction
  others_change,      ///< other schedulers have given back cores that all share, or taken a waiting job; no transaction
  stream_ends,        ///< jobs wait, none is in service, and nothing else is left to happen; no transaction
  cores_freed         ///< slices have ended of rigid jobs that go on in others; no transaction
};

/// The job of a transaction that has been accepted.
inline job_extension& job_of(tlm::tlm_generic_payload& p) { return *transaction_pool<job_extension>::find(p); }

/// Receives events, one after the other in the order of simulated time.
class event_observer {
 public:
  /// @param transaction null where the event has none
  virtual void happens(scheduler_event kind, tlm::tlm_generic_payload* transaction) = 0;
  /// @name The two most frequent events; overridden to spare the dispatch by happens()
  /// @{
  virtual void job_arrives(job_extension& j) { happens(scheduler_event::job_arrives, j.transaction); }
  virtual void slice_ends(tlm::tlm_generic_payload& slice) { happens(scheduler_event::slice_ends, &slice); }
  /// @}

 protected:
  ~event_observer() = default;
};

/// Takes the slices that the scheduler dispatches.
class slice_sink {
 public:
  /// Sends a transaction to its server, at once or when the time of the decision has passed.
  virtual void send(tlm::tlm_generic_payload& order) = 0;

 protected:
  ~slice_sink() = default;
};

/// Takes all orders of the scheduler: slices and stops.
class order_sink : public slice_sink {
 public:
  /// Notes that the job begins service, for the first time, with the orders that have been sent.
  virtual void begin_service(job_extension& j) = 0;
  /// @name Events that wait to be processed
  /// @{
  /// Whether the beginning of a slot waits to be processed.
  virtual bool slot_waits() const { return false; }
  /// Removes the waiting deadline of a job that has left.
  virtual void forget_deadline(const job_extension&) {}
  /// @}

 protected:
  ~order_sink() = default;
};

}  // namespace muster
