// A program for RV32, executed by Unicorn, submits jobs to muster's scheduler through the registers of a device.

#include <iostream>

#include <muster/modules/front/job_device.h>
#include <muster/modules/scheduler/scheduler.h>
#include <muster/modules/server/server.h>
#include <muster/policies/catalogue.h>

#include "processor.h"

int sc_main(int, char* arguments[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id node = cluster.groups.push_back({"node", 1, 2, 1.0});  // 1 server of 2 cores of capacity 1
  cluster.classes.push_back({"wide", 2, {node}});                               // in descending order of need
  cluster.classes.push_back({"narrow", 1, {node}});
  cluster.policy = muster::find_policy("first_fit");
  muster::scheduler scheduler{"scheduler", time, cluster};
  muster::server server{"server", time, {1, 2}};
  scheduler.dispatches.bind(server.dispatch);

  muster::job_device<32> device{"device"};
  device.submissions.bind(scheduler.submissions);
  processor core{"core", arguments[1]};
  sc_core::sc_signal<bool> line{"line"};
  core.bus.bind(device.registers);
  device.memory.bind(core.memory);
  device.interrupt.bind(line);
  core.interrupt.bind(line);

  sc_core::sc_start();
  std::cout << scheduler.jobs_completed() << " jobs, "
            << (core.result == 0 ? "each with its completion\n" : "which the program did not find complete\n")
            << (core.interrupts >= 1000 / 16 ? "taken by interrupts\n" : "without interrupts\n");
  return core.result == 0 ? 0 : 1;
}
