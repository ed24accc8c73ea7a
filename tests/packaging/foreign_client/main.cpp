// Clients that have never heard of muster send jobs to its scheduler.

#include <muster/modules/scheduler/scheduler.h>
#include <muster/modules/server/server.h>
#include <muster/policies/catalogue.h>

#include "clients.h"

int sc_main(int, char*[]) {
  muster::timekeeper time{"time"};
  muster::table<muster::group_id, muster::server_group> groups;
  const muster::group_id node = groups.push_back({"node", 1, 2, 1.0});  // one server of two cores of capacity 1
  muster::table<muster::class_id, muster::job_class> classes;           // in descending order of need
  classes.push_back({"wide", 2, {node}});
  classes.push_back({"narrow", 1, {node}});

  muster::scheduler scheduler{"scheduler", time, classes, groups};
  scheduler.set_policy(muster::find_policy("fcfs")->make(scheduler.view(), {}));
  muster::server server{"server", time, 1, 2};
  scheduler.dispatches.bind(server.dispatch);

  blocking_client one{"one"};
  nonblocking_client other{"other"};
  one.socket.bind(scheduler.submissions);
  other.socket.bind(scheduler.submissions);
  sc_core::sc_start();
  return scheduler.jobs_completed() == 5 ? 0 : 1;
}
