// RTL, compiled by Verilator, submits jobs to muster's scheduler through the registers of a device. Its clock is a
// clock of the same simulation, in whose time jobs run.

#include <iostream>

#include <muster/modules/front/job_device.h>
#include <muster/modules/scheduler/scheduler.h>
#include <muster/modules/server/server.h>
#include <muster/policies/catalogue.h>

#include "bus_master.h"

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id node = cluster.groups.push_back({"node", 1, 2, 1.0});  // 1 server of 2 cores of capacity 1
  cluster.classes.push_back({"single", 1, {node}});
  cluster.policy = muster::find_policy("fcfs");
  muster::scheduler scheduler{"scheduler", time, cluster};
  muster::server server{"server", time, {1, 2}};
  scheduler.dispatches.bind(server.dispatch);

  muster::job_device<32> device{"device"};
  bus_master master{"master"};
  sc_core::sc_clock clock{"clock", 4, sc_core::SC_NS};
  sc_core::sc_signal<bool> line{"line"};
  device.submissions.bind(scheduler.submissions);
  device.interrupt.bind(line);
  master.bus.bind(device.registers);
  master.clock.bind(clock);
  master.interrupt.bind(line);

  sc_core::sc_start();
  std::cout << master.completed() << " jobs, sum of their tags " << master.tags() << '\n';
  return scheduler.jobs_completed() == 64 ? 0 : 1;
}
