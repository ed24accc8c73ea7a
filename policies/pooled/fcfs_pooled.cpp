#include "muster/policies/pooled/fcfs_pooled.h"

#include "muster/policies/catalogue.h"
#include "muster/policies/pooled/whole_servers.h"

namespace muster {

void fcfs_pooled::arrived(const job& last, const cluster_view& cluster, decisions& decide) {
  for (const group_id servers : cluster.servers(last))
    if (cluster.idle(servers)) decide.join(last, servers);
}

void fcfs_pooled::freed(group_id servers, const cluster_view& cluster, decisions& decide) {
  if (const job* next = cluster.first(servers)) decide.join(*next, servers);
}

extern const policy_entry fcfs_pooled_entry;
const policy_entry fcfs_pooled_entry{
    "fcfs_pooled",
    "every server serves the first job in the queue that may use it; jobs pool servers (Balanced fairness, Section 2)",
    {},
    [](const cluster_view&, const settings&, random_numbers&) -> std::unique_ptr<policy> {
      return std::make_unique<fcfs_pooled>();
    },
    unless_whole_servers,
    progress::pooled,
    false,
    false,
    {},
    stability_rule::in_order};

}  // namespace muster
