// A scenario's cluster as a module of a foreign simulation, beside a module with a clock of its own.
//
//   cluster_from_scenario SCENARIO.toml     writes the results as `muster run SCENARIO.toml` does

#include <algorithm>
#include <iostream>

#include <systemc>

#include <muster/platform/cluster/cluster.h>

namespace {

/// Looks at the cluster once a minute.
class monitor : public sc_core::sc_module {
 public:
  monitor(const sc_core::sc_module_name& name, const muster::cluster& observed) : sc_module(name), observed_(observed) {
    SC_HAS_PROCESS(monitor);
    SC_METHOD(look);
  }
  std::uint64_t most_waiting() const { return most_waiting_; }

 private:
  void look() {
    std::uint64_t waiting = 0;
    for (const muster::jobs_of_class& of : observed_.jobs()) waiting += of.waiting;
    most_waiting_ = std::max(most_waiting_, waiting);
    next_trigger(60, sc_core::SC_SEC);
  }

  const muster::cluster& observed_;
  std::uint64_t most_waiting_ = 0;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  try {
    muster::cluster cluster{"cluster", muster::read_scenario(argv[1])};
    monitor monitor{"monitor", cluster};
    while (!cluster.finished()) sc_core::sc_start(1000, sc_core::SC_SEC);
    std::cout << cluster.results_csv();
    std::cerr << "at most " << monitor.most_waiting() << " jobs waited\n";
    return 0;
  } catch (const std::exception& fault) {
    std::cerr << fault.what() << '\n';
    return 2;
  }
}
