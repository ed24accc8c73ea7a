#pragma once

#include <cstdint>

#include "muster/policies/job.h"
#include "muster/policies/resources.h"

namespace muster {

/// Tasks of a job on one server, where a policy places them, see rigid_decisions::start_on().
struct task_placement {
  group_id group;
  std::uint32_t server;  ///< within the group
  amounts held;          ///< in each place of the server, see resource_layout
};

}  // namespace muster
