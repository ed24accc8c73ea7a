// faults.cpp: a server fails under a job that writes checkpoints.
#include "job_list.h"

/// Server 0 fails at 50 ns and is repaired in 30 ns. Nothing else fails within the first seconds.
class one_fault final : public muster::fault_clock {
  muster::ticks to_failure(std::uint32_t server) override { return server == 0 && first_++ == 0 ? 50 : never; }
  muster::ticks to_repair(std::uint32_t) override { return 30; }
  static constexpr muster::ticks never = 1'000'000'000'000;
  int first_ = 0;
};

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  constexpr muster::class_id single{0};

  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  muster::server_group group{"node", 2, 1, 1.0};
  group.fails = true;  // the scheduler watches these servers
  const muster::group_id node = cluster.groups.push_back(group);
  cluster.classes.push_back({"single", 1, {node}});
  cluster.policy = muster::find_policy("fcfs");
  cluster.checkpoint = 20;  // a failure loses the work since the latest multiple of 20 ns
  muster::scheduler scheduler{"scheduler", time, cluster};

  one_fault faults;
  muster::server_settings bank;
  bank.count = 2;
  bank.faults = &faults;
  bank.costs.migration = 3;
  bank.costs.restore = 5;
  muster::server nodes{"nodes", time, bank};
  scheduler.dispatches.bind(nodes.dispatch);

  job_list jobs{{{0, single, 100}, {60, single, 10}}};
  job_printer printer;
  muster::job_source source{"source", time, jobs, printer};
  source.submissions.bind(scheduler.submissions);

  sc_core::sc_start(1, sc_core::SC_US);  // with faults there is always a next event
  return source.outstanding_jobs() == 0 ? 0 : 1;
}
