#include "platform/model/listed_requests.h"

#include <algorithm>

#include "platform/model/class_table.h"

namespace muster {

listed_requests::listed_requests(const scenario& model)
    : jobs_(model.arrivals.jobs), unit_(model.unit), ids_(model.classes.size()) {
  const std::vector<std::size_t> order = by_descending_need(model);
  for (std::size_t id = 0; id < order.size(); ++id) ids_[order[id]] = static_cast<class_id>(id);
}

void listed_requests::write(std::size_t place, job_request& job) const {
  const timed_job& listed = (*jobs_)[place];
  job.arrival = unit_.to_ticks(listed.arrival);
  job.type = ids_[listed.type];
  job.size = std::max<ticks>(1, unit_.to_ticks(listed.size));
  job.need = listed.need;
  job.estimate = listed.requested > 0.0 ? std::max<ticks>(1, unit_.to_ticks(listed.requested)) : 0;
  job.user = listed.user;
  job.listed = static_cast<std::uint32_t>(place);
}

}  // namespace muster
