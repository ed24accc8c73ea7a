#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/utility.h"
#include "platform/model/spooled_list.h"

namespace muster {

/// One slotted job of a list.
struct listed_job {
  std::uint64_t id = 0;
  std::uint64_t arrival = 1;   ///< slot, counted from 1
  std::uint64_t deadline = 0;  ///< the last slot in which it may be served; 0: none
  std::shared_ptr<const utility> worth;
};

/// One rigid or pooled job of a list.
struct timed_job {
  double arrival = 0.0, size = 0.0;         ///< in units of time; work on capacity 1
  std::uint32_t type = 0;                   ///< place of its class in scenario::classes
  std::uint32_t need = 0;                   ///< place in class_spec::listed
  double requested = 0.0;                   ///< work that its user has requested, in units of time; 0: not known
  std::uint32_t user = job_facts::no_user;  ///< place in arrival_spec::users
  std::uint32_t line = 0;                   ///< of the log or list that tells of it; 0: none does
};

/// The jobs of a list, of a long log mostly in a temporary file.
using timed_jobs = spooled_list<timed_job>;

/// What a job holds of a server of an entry: as many of its cores, or of its tasks where these count.
struct server_part {
  std::uint32_t entry = 0;   ///< in scenario::servers
  std::uint32_t server = 0;  ///< within the entry
  std::uint32_t units = 1;
};

/// Where a job is that runs at time 0.
struct running_job {
  static constexpr std::uint32_t no_nodes = ~std::uint32_t{0};
  std::uint32_t line = 0;                 ///< of its file
  std::uint32_t nodes = no_nodes;         ///< number of the list that names its nodes there
  std::vector<server_part> servers = {};  ///< by entry, then by number; empty: up to the placement
};

}  // namespace muster
