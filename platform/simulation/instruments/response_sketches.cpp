#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Adds the distribution of the response times of each class, for pictures.
void add_response_times(const observed_replication& replication, replication_result& result) {
  std::vector<class_responses>& all = result.pictures.responses;
  all.resize(replication.order.size());
  for (const class_id id : replication.classes())
    all[replication.order[static_cast<std::size_t>(id)]] = {
        replication.class_of(id).name, replication.jobs.classes()[id].responses.sketch().in_buckets_of<4>()};
}

}  // namespace

extern const instrument_entry response_sketches_instrument{instrument_order::others,
                                                           [](const observed_replication& replication) {
                                                             return replication.watch.pictures &&
                                                                    replication.watch.point_is_drawn;
                                                           },
                                                           add_at_the_end<add_response_times>};

}  // namespace muster
