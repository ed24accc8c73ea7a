#include "platform/simulation/synthetic_workload.h"

#include <algorithm>

#include "platform/scenario/class_table.h"

namespace muster {

synthetic_workload::synthetic_workload(const scenario& what, std::uint32_t replication)
    : unit_(what.unit),
      arrival_bits_(what.run.seed, replication, "source", "arrivals"),
      class_bits_(what.run.seed, replication, "source", "classes"),
      interarrival_(what.arrivals.interarrival) {
  std::vector<double> shares;
  for (const std::size_t at : by_descending_need(what)) {
    const class_spec& c = what.classes[at];
    shares.push_back(c.share);
    sizes_.push_back({random_stream(what.run.seed, replication, "source", "sizes of " + c.name), c.size});
  }
  choice_ = boost::random::discrete_distribution<std::uint32_t>(shares.begin(), shares.end());
}

bool synthetic_workload::next(job_request& job) {
  now_ += unit_.to_ticks(interarrival_(arrival_bits_));
  job.arrival = now_;
  job.type = sizes_.size() == 1 ? class_id{0} : static_cast<class_id>(choice_(class_bits_));
  size_source& source = sizes_[job.type];
  job.size = std::max<ticks>(1, unit_.to_ticks(source.size(source.bits)));
  return true;
}

}  // namespace muster
