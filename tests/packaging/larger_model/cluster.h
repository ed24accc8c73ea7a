#pragma once

#include <memory>

#include <muster/modules/scheduler/scheduler.h>
#include <muster/modules/server/server.h>

/// One of several clusters in a simulation: all that it is made of stands within this module, its own clock of timers
/// included.
class cluster : public sc_core::sc_module {
 public:
  muster::timekeeper time{"time"};
  muster::scheduler scheduler;

  /// Classes "wide" (2 cores) and "narrow" (1 core) on like servers.
  cluster(const sc_core::sc_module_name& name, std::uint32_t servers, std::uint32_t cores)
      : sc_module(name),
        scheduler("scheduler", time, classes(), {groups(servers, cores)}),
        nodes_("nodes", time, servers, cores) {
    scheduler.dispatches.bind(nodes_.dispatch);
  }

 private:
  static muster::table<muster::class_id, muster::job_class> classes() {
    muster::table<muster::class_id, muster::job_class> all;
    all.push_back({"wide", 2, {muster::group_id{0}}});
    all.push_back({"narrow", 1, {muster::group_id{0}}});
    return all;
  }
  static muster::table<muster::group_id, muster::server_group> groups(std::uint32_t servers, std::uint32_t cores) {
    return muster::table<muster::group_id, muster::server_group>{1, {"node", servers, cores, 1.0}};
  }

  muster::server nodes_;
};
