// A cluster beside an FMU of somebody else: a job every 10 s takes 4 s of the only core, whose speed the FMU sets.
//
//   foreign_fmu SCENARIO.toml

#include <iostream>

#include <systemc>

#include <muster/platform/cluster/cluster.h>

int sc_main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  try {
    muster::cluster cluster{"cluster", muster::read_scenario(argv[1])};
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
