#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/source/job_source.h"
#include "muster/policies/table.h"
#include "platform/model/scenario.h"

namespace muster {

/// A finite number of slotted jobs of each class; each arrives at the beginning of one of the first slots, all equally
/// likely.
///
/// Each class draws arrivals and deadlines from streams of its own, so that every policy sees the same jobs, whatever
/// the order in which the classes are written. Jobs of one slot come in random order.
class population_workload final : public workload {
 public:
  /// @param what with arrivals of process uniform
  population_workload(const scenario& what, std::uint32_t replication);

  bool next(job_request& job) override;

 private:
  struct member {
    double arrival;  // in slots; the fraction puts the jobs of a slot in order
    std::uint64_t deadline;
    class_id type;
    std::uint32_t number;  // within its class
  };

  void draw_class(const scenario& what, std::uint32_t replication, const class_spec& spec, class_id type);

  ticks slot_;
  table<class_id, ticks> sizes_;
  std::vector<member> members_;  // in the order of arrival
  std::size_t at_ = 0;
};

}  // namespace muster
