// A module that controls a cluster while it runs: a job every 10 s takes 4 s of the only core.
//
//   control SCENARIO.toml

#include <iostream>

#include <systemc>

#include <muster/platform/cluster/cluster.h>

namespace {

/// Slows the core down at 100 s, takes the server out of service at 200 s, and brings it back, at full speed, at 300 s.
class governor : public sc_core::sc_module {
 public:
  governor(const sc_core::sc_module_name& name, muster::cluster& controlled) : sc_module(name), cluster_(controlled) {
    SC_HAS_PROCESS(governor);
    SC_THREAD(govern);
  }

 private:
  void govern() {
    muster::cluster_control& control = cluster_.control();
    const muster::server_range all = control.all_servers();
    wait(100, sc_core::SC_SEC);
    control.set_speed(all, 0.25);
    wait(100, sc_core::SC_SEC);
    control.drain(all);
    wait(100, sc_core::SC_SEC);
    control.set_speed(all, 1.0);
    control.restore(all);
  }

  muster::cluster& cluster_;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  try {
    muster::cluster_options options;
    options.controlled = true;
    muster::cluster cluster{"cluster", muster::read_scenario(argv[1]), 0, options};
    governor governor{"governor", cluster};
    for (int n = 0; n < 4; ++n) {
      sc_core::sc_start(99, sc_core::SC_SEC);
      std::cout << "after " << sc_core::sc_time_stamp().to_seconds() << " s: " << cluster.jobs_completed() << " of "
                << cluster.jobs_arrived() << " jobs are complete\n";
      sc_core::sc_start(1, sc_core::SC_SEC);
    }
    return 0;
  } catch (const std::exception& fault) {
    std::cerr << fault.what() << '\n';
    return 2;
  }
}
