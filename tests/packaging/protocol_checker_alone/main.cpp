// The checker of the TLM-2.0 base protocol between modules of somebody else's model: it finds what their bridge does
// wrong. Nothing else of muster is here.

#include <iostream>
#include <string>

#include <muster/modules/protocol/protocol_checker.h>

#include "modules.h"

int sc_main(int, char*[]) {
  client client{"client"};
  muster::protocol_checker to_bridge{"client_to_bridge"};
  bridge bridge{"bridge"};
  muster::protocol_checker to_memory{"bridge_to_memory"};
  memory memory{"memory"};
  client.socket.bind(to_bridge.in);
  to_bridge.out.bind(bridge.in);
  bridge.out.bind(to_memory.in);
  to_memory.out.bind(memory.socket);

  sc_core::sc_start();
  for (const muster::protocol_checker* hop : {&to_bridge, &to_memory})
    std::cout << hop->name() << ": " << hop->transactions() << " transactions, " << hop->open_transactions()
              << " open\n";
  std::cout << client.payloads_returned << " payloads have returned\n";
  try {
    to_bridge.check_rest();  // nothing is left to do
  } catch (const sc_core::sc_report& error) {
    const std::string message = error.get_msg();
    std::cout << message.substr(0, message.find("; transaction")) << '\n';  // the transaction's address differs
  }
  return 0;
}
