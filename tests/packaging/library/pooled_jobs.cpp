// pooled_jobs.cpp: pooled jobs on two servers, one of which has an interruption timer.
#include "job_list.h"

class every_40_ns final : public muster::interruption_timer {
  muster::ticks next(std::uint32_t /*server*/) override { return 40; }
};

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  constexpr muster::class_id anywhere{0}, only_b{1};

  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id a = cluster.groups.push_back({"a", 1, 1, 1.0});
  const muster::group_id b = cluster.groups.push_back({"b", 1, 1, 2.0});  // of capacity 2
  cluster.classes.push_back({"anywhere", 1, {a, b}});
  cluster.classes.push_back({"only_b", 1, {b}});
  cluster.policy = muster::find_policy("balanced_fair");
  cluster.parameters.set("theta", 40.0);  // the mean work between interruptions, as declared; the timer decides
  muster::scheduler scheduler{"scheduler", time, cluster};

  every_40_ns timer;
  muster::server_settings one_core;
  one_core.costs.restore = 4;
  muster::server server_b{"server_b", time, one_core};
  one_core.interruptions = &timer;
  muster::server server_a{"server_a", time, one_core};
  scheduler.dispatches.bind(server_a.dispatch);  // in the order of the groups
  scheduler.dispatches.bind(server_b.dispatch);

  job_list jobs{{{0, anywhere, 200}, {10, only_b, 60}}};  // size: the time on one server of capacity 1
  job_printer printer;
  muster::job_source source{"source", time, jobs, printer};
  source.submissions.bind(scheduler.submissions);

  sc_core::sc_start();
  return source.outstanding_jobs() == 0 ? 0 : 1;
}
