#include "platform/simulation/exchange_of_classes.h"

#include "platform/model/class_table.h"

namespace muster {

namespace {

class_exchange exchange_of(const class_spec& c, const time_unit& unit) {
  class_exchange own;
  own.pattern = c.exchange->pattern;
  own.bytes = c.exchange->bytes / (c.exchange->every * static_cast<double>(unit.ticks));
  if (c.tasks) {
    own.cores_per_task = static_cast<std::uint32_t>(c.tasks->per_task.front());
    own.most_per_server = c.tasks->at_most_per_server;
  }
  if (c.listed.empty()) own.tasks = c.tasks ? c.tasks->tasks : c.need;
  return own;
}

}  // namespace

table<class_id, std::optional<class_exchange>> exchange_of_classes(const scenario& model) {
  table<class_id, std::optional<class_exchange>> all;
  for (const std::size_t place : by_descending_need(model)) {
    const class_spec& c = model.classes[place];
    all.push_back(c.exchange ? std::optional{exchange_of(c, model.unit)} : std::nullopt);
  }
  return all;
}

}  // namespace muster
