#include "platform/model/price.h"

#include <cstddef>

#include "platform/model/class_table.h"
#include "platform/model/network_topology.h"

namespace muster {

double price_of_hardware(const scenario& model) {
  const price_spec& price = *model.price;
  double sum = price.core * static_cast<double>(total_cores(model));
  for (std::size_t s = 0; s < model.servers.size(); ++s) sum += price.servers[s] * model.servers[s].count;
  if (price.link > 0.0) sum += price.link * static_cast<double>(num_edges(make_network_graph(model)));
  return sum;
}

}  // namespace muster
