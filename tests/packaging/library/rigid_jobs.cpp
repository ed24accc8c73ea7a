// rigid_jobs.cpp: two classes of rigid jobs on a bank of two servers.
#include "job_list.h"

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);  // a tick is 1 ns
  constexpr muster::class_id wide{0}, narrow{1};

  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id node = cluster.groups.push_back({"node", 2, 2, 1.0});  // 2 servers of 2 cores of capacity 1
  cluster.classes.push_back({"wide", 4, {node}});                               // needs 4 cores: both servers
  cluster.classes.push_back({"narrow", 1, {node}});
  cluster.policy = muster::find_policy("first_fit");
  muster::scheduler scheduler{"scheduler", time, cluster};

  muster::server_settings bank;
  bank.count = 2;
  bank.cores = 2;
  bank.costs.set_up = 5;
  muster::server nodes{"nodes", time, bank};
  scheduler.dispatches.bind(nodes.dispatch);

  job_list jobs{{{0, narrow, 30}, {10, wide, 50}, {20, narrow, 40}}};  // arrival, class, size
  job_printer printer;
  muster::job_source source{"source", time, jobs, printer};
  source.submissions.bind(scheduler.submissions);

  sc_core::sc_start();
  return source.outstanding_jobs() == 0 ? 0 : 1;
}
