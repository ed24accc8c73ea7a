#pragma once

#include <cstddef>
#include <vector>

#include "muster/policies/catalogue.h"
#include "platform/model/scenario.h"

namespace muster {

/// Positions in `scenario.classes` in the order of the classes' ids: descending need, equal needs by name. Where jobs
/// need tasks, by the largest share that a job needs of any resource in place of its cores.
std::vector<std::size_t> by_descending_need(const scenario& model);

/// Servers that are equal to the scheduler: an entry of `scenario.servers`, or a single server of it where jobs
/// draw their servers.
struct server_span {
  std::size_t entry = 0;    ///< in scenario.servers
  std::uint32_t first = 0;  ///< within the entry
  std::uint32_t count = 1;
};

/// The groups of servers, in the order of `scenario.servers`.
table<group_id, server_span> server_groups(const scenario& model);

/// The classes as a policy sees them. A class takes cores first from the servers that the fewest classes can use,
/// equally flexible ones as the scenario lists them.
table<class_id, job_class> class_table(const scenario& model);

/// Cores of each group of servers, all servers of the group together.
table<group_id, unsigned> group_cores(const scenario& model);

/// What a server has of each of the cluster's resources, cores first, of devices their number.
amounts resources_of(const scenario& model, const server_spec& server);

/// All servers and resources, by group; of a model where only cores count none.
cluster_inventory inventory_of(const scenario& model);

/// The number of servers of the platform.
std::uint64_t total_servers(const scenario& model);
/// The number of cores of the platform.
std::uint64_t total_cores(const scenario& model);
/// What all servers have of one of scenario::resources, of devices in parts.
double total_amount(const scenario& model, std::size_t resource);
/// Work that all servers together do per unit of time.
double total_capacity(const scenario& model);
/// Arrivals per unit of time; of a list of rigid or pooled jobs until the last of them, 0 if all arrive at time 0.
double rate_until_last(const scenario& model);
/// The price of the servers, cores, resources and links of a scenario together: all of the cost that does not depend on
/// the run.
/// @param model with prices
double price_of_hardware(const scenario& model);

/// The policy's settings, with classes by id.
settings policy_settings(const scenario& model);
/// Whether the policy may preempt rigid jobs with its settings.
bool may_preempt(const scenario& model);
/// Whether the policy may kill rigid jobs for good with its settings, so that they leave before their work is done.
bool may_kill_for_good(const scenario& model);

/// Mean work that a server does on a pooled job between interruptions by the policy; infinite: jobs are not pooled, or
/// not interrupted. @param model complete and checked
double work_between_interruptions(const scenario& model);

}  // namespace muster
