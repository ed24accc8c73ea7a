#include "platform/model/price.h"

#include <cstddef>

#include "platform/model/class_table.h"
#include "platform/model/network_topology.h"

namespace muster {

double price_of_hardware(const scenario& what) {
  const price_spec& price = *what.price;
  double sum = price.core * static_cast<double>(total_cores(what));
  for (std::size_t s = 0; s < what.servers.size(); ++s) sum += price.servers[s] * what.servers[s].count;
  if (price.link > 0.0) sum += price.link * static_cast<double>(num_edges(make_network_graph(what)));
  return sum;
}

}  // namespace muster
