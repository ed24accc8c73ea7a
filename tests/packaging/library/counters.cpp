// counters.cpp: what counters show between two steps of the kernel, with a quantum of 100 ns.
#include "job_list.h"

/// Reads a counter when its event occurs, in a process of the kernel.
struct reader : sc_core::sc_module {
  sc_core::sc_event now{"now"};

  reader(const sc_core::sc_module_name& name, const muster::scheduler& of) : sc_module(name), scheduler(of) {
    SC_HAS_PROCESS(reader);
    SC_METHOD(read);
    sensitive << now;
    dont_initialize();
  }
  void read() {
    std::cout << "process at " << sc_core::sc_time_stamp() << ": " << scheduler.jobs_completed() << " jobs\n";
  }
  const muster::scheduler& scheduler;
};

int sc_main(int, char*[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(100, sc_core::SC_NS));

  muster::timekeeper time{"time"};
  muster::scheduler_settings cluster;
  const muster::group_id node = cluster.groups.push_back({"node", 1, 1, 1.0});
  cluster.classes.push_back({"single", 1, {node}});
  cluster.policy = muster::find_policy("fcfs");
  muster::scheduler scheduler{"scheduler", time, cluster};
  muster::server server{"server", time, {1, 1}};
  scheduler.dispatches.bind(server.dispatch);

  struct : muster::workload {
    bool next(muster::job_request& job) override {
      job = {10 * number, muster::class_id{0}, 10};  // one every 10 ns, of 10 ns
      return number++ < 100;
    }
    muster::ticks number = 0;
  } jobs;
  struct : muster::job_observer {
    void job_arrives(muster::ticks, const muster::job_extension&) override {}
    void job_completes(muster::ticks, const muster::job_extension&) override {}
  } nothing;
  muster::job_source source{"source", time, jobs, nothing};
  source.submissions.bind(scheduler.submissions);
  reader counter{"counter", scheduler};

  sc_core::sc_start(45, sc_core::SC_NS);
  std::cout << "after sc_start at " << sc_core::sc_time_stamp() << ": " << scheduler.jobs_completed()
            << " jobs, the cluster is at " << muster::to_sc_time(time.now()) << '\n';
  counter.now.notify(95, sc_core::SC_NS);  // at 140 ns, when a job completes
  sc_core::sc_start(200, sc_core::SC_NS);
  return 0;
}
