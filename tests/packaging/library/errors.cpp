// errors.cpp: an invalid cluster is reported before time 0, a rule broken by a policy during the simulation.
#include "job_list.h"

/// Starts every job at once, whether it fits or not.
class hasty final : public muster::rigid_policy {
  void arrived(const muster::job& job, muster::rigid_view, muster::rigid_decisions& decide) override {
    decide.start(job);
  }
};

const muster::policy_entry hasty_entry = [] {
  muster::policy_entry entry;
  entry.name = "hasty";
  entry.about = "Starts every job at once, whether it fits or not";
  entry.construct = muster::without_settings<hasty>;
  return entry;
}();

template <class Function>
void print_error_of(const Function& function) {
  try {
    function();
  } catch (const sc_core::sc_report& error) {
    std::cout << error.get_msg_type() << ": " << error.get_msg() << '\n';
  }
}

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id node = cluster.groups.push_back({"node", 1, 2, 1.0});
  cluster.classes.push_back({"wide", 2, {node}});
  cluster.policy = muster::find_policy("fcfs");
  cluster.parameters.set("treshold", std::int64_t{1});
  print_error_of([&] { muster::scheduler{"invalid", time, cluster}; });

  cluster.parameters = {};
  cluster.policy = &hasty_entry;
  muster::scheduler scheduler{"scheduler", time, cluster};
  muster::server server{"server", time, {1, 2}};
  scheduler.dispatches.bind(server.dispatch);
  job_list jobs{{{0, muster::class_id{0}, 10}, {5, muster::class_id{0}, 10}}};
  job_printer printer;
  muster::job_source source{"source", time, jobs, printer};
  source.submissions.bind(scheduler.submissions);
  print_error_of([] { sc_core::sc_start(); });
  return 0;
}
