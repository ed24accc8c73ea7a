#include "platform/model/listed_requests.h"

#include "platform/model/class_table.h"

namespace muster {

listed_requests::listed_requests(const scenario& model)
    : jobs_(model.arrivals.jobs), unit_(model.unit), ids_(model.classes.size()) {
  const std::vector<std::size_t> order = by_descending_need(model);
  for (std::size_t id = 0; id < order.size(); ++id) ids_[order[id]] = static_cast<class_id>(id);
}

}  // namespace muster
