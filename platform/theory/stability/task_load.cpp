#include "platform/theory/stability/task_load.h"

#include <algorithm>

#include "platform/model/resource_load.h"

namespace muster {

double load_of_tasks(const scenario& model, const std::vector<demand>& demands) {
  std::vector<double> overhead;
  overhead.reserve(demands.size());
  for (const demand& d : demands) overhead.push_back(d.overhead);
  const double rate = model.arrivals.rate;
  double largest = binding_load(resource_loads(model, rate, run_on::fastest, overhead)).load;
  for (std::size_t at = 0; at < model.classes.size(); ++at) {
    const class_spec& c = model.classes[at];
    const room_for_tasks room = room_for(model, c);
    largest = std::max(largest, rate * c.share * (c.size.mean() / room.fastest + overhead[at]) / room.jobs);
  }
  return largest;
}

}  // namespace muster
