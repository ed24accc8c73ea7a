// Clients that have never heard of muster send jobs to its scheduler.

#include <muster/modules/scheduler/scheduler.h>
#include <muster/modules/server/server.h>
#include <muster/policies/catalogue.h>

#include "clients.h"

int sc_main(int, char*[]) {
  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id node = cluster.groups.push_back({"node", 1, 2, 1.0});  // 1 server of 2 cores of capacity 1
  cluster.classes.push_back({"wide", 2, {node}});                               // in descending order of need
  cluster.classes.push_back({"narrow", 1, {node}});
  cluster.policy = muster::find_policy("fcfs");

  muster::scheduler scheduler{"scheduler", time, cluster};
  muster::server server{"server", time, {1, 2}};
  scheduler.dispatches.bind(server.dispatch);

  blocking_client one{"one"};
  nonblocking_client other{"other"};
  one.socket.bind(scheduler.submissions);
  other.socket.bind(scheduler.submissions);
  sc_core::sc_start();
  return scheduler.jobs_completed() == 5 ? 0 : 1;
}
