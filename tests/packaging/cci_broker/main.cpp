// A tool that knows a cluster by CCI alone: it reads and sets what the broker has.
//
//   cci_broker SCENARIO.toml

#include <iostream>
#include <string>

#include <systemc>

#include <muster/modules/kernel/cci_parameters.h>
#include <muster/platform/cluster/cluster.h>

namespace {

void tell_completions(cci::cci_broker_handle& broker) {
  const cci::cci_param_handle completed = broker.get_param_handle("cluster.completed");
  std::cout << "after " << sc_core::sc_time_stamp().to_seconds() << " s: " << completed.get_cci_value().get_uint64()
            << " jobs are complete\n";
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  try {
    cci::cci_register_broker(new cci_utils::broker("global"));
    cci::cci_broker_handle broker = cci::cci_get_global_broker(cci::cci_originator("tool"));
    muster::cluster_options options;
    options.controlled = true;
    muster::cluster cluster{"cluster", muster::read_scenario(argv[1]), 0, options};
    const muster::cci_parameters shown{cluster.parameters(), broker};

    sc_core::sc_start(100, sc_core::SC_SEC);
    tell_completions(broker);
    cci::cci_param_handle speed = broker.get_param_handle("cluster.speed.node");
    speed.set_cci_value(cci::cci_value(0.25));
    std::cout << speed.name() << " is the " << speed.get_description() << ": " << speed.get_cci_value() << "\n";
    sc_core::sc_start(100, sc_core::SC_SEC);
    tell_completions(broker);
    try {
      broker.get_param_handle("cluster.server_node.cores").set_cci_value(cci::cci_value(2));
    } catch (const sc_core::sc_report& refusal) {
      std::cout << "cluster.server_node.cores is refused: " << refusal.get_msg() << "\n";
    }
    return 0;
  } catch (const std::exception& fault) {
    std::cerr << fault.what() << '\n';
    return 2;
  }
}
