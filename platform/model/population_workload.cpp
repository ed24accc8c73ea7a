#include "platform/model/population_workload.h"

#include <algorithm>
#include <tuple>

#include <boost/random/uniform_01.hpp>

#include "platform/model/class_table.h"
#include "platform/model/deadline_source.h"

namespace muster {

population_workload::population_workload(const scenario& what, std::uint32_t replication)
    : slot_(what.unit.to_ticks(what.slot)) {
  members_.reserve(what.run.jobs);
  for (const std::size_t at : by_descending_need(what)) {
    const class_spec& spec = what.classes[at];
    draw_class(what, replication, spec, static_cast<class_id>(sizes_.size()));
    sizes_.push_back(spec.slotted->worth->units() * slot_);
  }
  std::sort(members_.begin(), members_.end(), [](const member& a, const member& b) {
    return std::tie(a.arrival, a.type, a.number) < std::tie(b.arrival, b.type, b.number);
  });
}

void population_workload::draw_class(const scenario& what, std::uint32_t replication, const class_spec& spec,
                                     class_id type) {
  random_stream bits{what.run.seed, replication, "source", "arrivals of " + spec.name};
  deadline_source deadlines{spec.slotted->deadline, what.run.seed, replication, spec.name};
  const auto slots = static_cast<double>(what.arrivals.slots);
  for (std::uint32_t number = 0; number < spec.slotted->jobs; ++number) {
    const double arrival = slots * boost::random::uniform_01<double>{}(bits);
    members_.push_back({arrival, deadlines.next(static_cast<std::uint64_t>(arrival) + 1), type, number});
  }
}

bool population_workload::next(job_request& job) {
  if (at_ == members_.size()) return false;
  const member& m = members_[at_++];
  job = {static_cast<ticks>(m.arrival) * slot_, m.type, sizes_[m.type], {}, m.deadline, nullptr};
  return true;
}

}  // namespace muster
