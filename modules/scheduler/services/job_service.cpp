#include "muster/modules/scheduler/services/job_service.h"

#include <fmt/format.h>

#include "muster/policies/catalogue.h"

namespace muster {

using namespace tlm;

job_service::job_service(const scheduler_parts& parts, const policy& rules)
    : parts_(parts),
      time_(parts.time),
      state_(parts.state),
      cores_(parts.cores),
      entry_(*rules.entry()),
      wakes_(parts.time),
      phases_(parts.time, rules),
      stalls_(parts.time, parts.state, parts.cores),
      watches_(parts),
      stream_end_(parts.time) {}

// A policy that starts nothing is not called twice.
bool job_service::end_stream() {
  if (state_.in_service() > 0 || !state_.anyone_waits() || completed_at_end_ == completed_) return false;
  completed_at_end_ = completed_;
  stream_end_.announce();
  return true;
}

void job_service::happens(scheduler_event kind, tlm_generic_payload* transaction) {
  switch (kind) {
    case scheduler_event::job_announced: break;  // handled by the submission port
    case scheduler_event::job_arrives: job_arrives(job_of(*transaction)); break;
    case scheduler_event::slice_ends: slice_ends(*transaction); break;
    case scheduler_event::slice_saves: slice_saves(*transaction); break;
    case scheduler_event::jobs_have_left: jobs_have_left(); break;
    case scheduler_event::health_changes:
      if (const auto repaired = watches_.answered(*transaction, stalls_, completed_)) server_is_repaired(*repaired);
      break;
    case scheduler_event::deadline_passes: deadline_passed(job_of(*transaction)); break;
    case scheduler_event::unserved_job_ends: leave_unserved(job_of(*transaction)); break;
    case scheduler_event::slot_begins: slot_begins(); break;
    case scheduler_event::cores_change: cores_change(); break;
    case scheduler_event::policy_wakes: policy_wakes(wakes_.take()); break;
    case scheduler_event::others_change: others_change(); break;
    case scheduler_event::stream_ends: stream_ends(); break;
    case scheduler_event::cores_freed: cores_freed(); break;
  }
}

const std::vector<const job_extension*>& job_service::jobs_too_late() const {
  static const std::vector<const job_extension*> none;
  return none;
}

void job_service::refuse_copy(const job& given, const char* decision) const {
  fault(fmt::format("policy '{}' {} a copy of job {}; expected the job itself, by reference or pointer", entry_.name,
                    decision, given.id));
}

}  // namespace muster
