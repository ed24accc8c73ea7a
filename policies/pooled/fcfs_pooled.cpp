#include "muster/policies/pooled/fcfs_pooled.h"

#include "muster/policies/catalogue.h"
#include "muster/policies/pooled/whole_servers.h"

namespace muster {

void fcfs_pooled::arrived(const job& last, pooled_view cluster, pooled_decisions& decide) {
  for (const group_id servers : cluster.servers(last))
    if (cluster.idle(servers)) decide.join(last, servers);
}

void fcfs_pooled::freed(group_id servers, pooled_view cluster, pooled_decisions& decide) {
  if (const job* next = cluster.first(servers)) decide.join(*next, servers);
}

extern const policy_entry fcfs_pooled_entry = [] {
  policy_entry entry;
  entry.name = "fcfs_pooled";
  entry.about =
      "every server serves the first job in the queue that may use it; jobs pool servers (Balanced fairness, Section "
      "2)";
  entry.construct = without_settings<fcfs_pooled>;
  entry.check_classes = unless_whole_servers;
  entry.stable_up_to = stability_rule::in_order;
  return entry;
}();

}  // namespace muster
