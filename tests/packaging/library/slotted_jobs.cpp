// slotted_jobs.cpp: slotted jobs with deadlines on two machines.
#include "job_list.h"

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  constexpr muster::class_id search{0};
  constexpr muster::ticks slot = 100;

  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id machine = cluster.groups.push_back({"machine", 2, 1, 1.0});
  muster::job_class type{"search", 1, {machine}};
  type.worth = std::make_shared<muster::utility>(std::vector<double>{4, 3, 2, 1});  // what each of the 4 units adds
  cluster.classes.push_back(type);
  cluster.policy = muster::find_policy("ispeed");
  cluster.slot = slot;
  muster::scheduler scheduler{"scheduler", time, cluster};

  muster::server machines{"machines", time, {2, 1}};
  scheduler.dispatches.bind(machines.dispatch);

  // Arrival, class, size (4 units of a slot each), no servers of its own, the last slot in which it may be served.
  job_list jobs{{{0, search, 4 * slot, {}, 3}, {100, search, 4 * slot, {}, 4}}};
  job_printer printer;
  muster::job_source source{"source", time, jobs, printer};
  source.submissions.bind(scheduler.submissions);

  sc_core::sc_start();
  return source.outstanding_jobs() == 0 ? 0 : 1;
}
