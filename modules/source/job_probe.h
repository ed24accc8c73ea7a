#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "muster/modules/kernel/timekeeper.h"
#include "muster/modules/protocol/job_extension.h"
#include "muster/modules/source/job_observer.h"

namespace muster {

/// A module that fits between any submitter of jobs and the scheduler (or a link) and reports passing jobs to an
/// observer: for foreign submitters, and to observe any hop. A probe changes nothing and costs no kernel event. A job
/// that is submitted as a plain payload has no extension before the scheduler: for such a job the observer receives the
/// completion only.
class job_probe : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<job_probe> in{"in"};
  tlm_utils::simple_initiator_socket<job_probe> out{"out"};

  /// @param observer outlives the probe
  job_probe(const sc_core::sc_module_name& name, timekeeper& time, job_observer& observer);

 private:
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void blocking(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& p);

  timekeeper& time_;
  job_observer& observer_;
};

}  // namespace muster
