#include "platform/model/list_workload.h"

namespace muster {

bool list_workload::next(job_request& job) {
  if (at_ == jobs_.size()) return false;
  const listed_job& listed = jobs_[at_++];
  job = {(listed.arrival - 1) * slot_,
         class_id{0},
         listed.worth->units() * slot_,
         {},
         listed.deadline,
         listed.worth.get()};
  return true;
}

}  // namespace muster
