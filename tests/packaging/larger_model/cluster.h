#pragma once

#include <muster/modules/scheduler/scheduler.h>
#include <muster/modules/server/server.h>

/// One of several clusters in a simulation: all that it is made of stands within this module, its own clock of timers
/// included.
class cluster : public sc_core::sc_module {
 public:
  muster::timekeeper time{"time"};
  muster::scheduler scheduler;

  /// Classes "wide" (2 cores) and "narrow" (1 core) on like servers.
  cluster(const sc_core::sc_module_name& name, std::uint32_t servers, std::uint32_t cores,
          const muster::policy_entry& policy)
      : sc_module(name),
        scheduler("scheduler", time, settings(servers, cores, policy)),
        nodes_("nodes", time, {servers, cores}) {
    scheduler.dispatches.bind(nodes_.dispatch);
  }

 private:
  static muster::scheduler_settings settings(std::uint32_t servers, std::uint32_t cores,
                                             const muster::policy_entry& policy) {
    muster::scheduler_settings all;
    const muster::group_id node = all.groups.push_back({"node", servers, cores, 1.0});
    all.classes.push_back({"wide", 2, {node}});
    all.classes.push_back({"narrow", 1, {node}});
    all.policy = &policy;
    return all;
  }

  muster::server nodes_;
};
