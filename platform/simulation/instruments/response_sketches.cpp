#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Adds the distribution of the response times of each class, for pictures.
class response_sketches final : public instrument {
 public:
  explicit response_sketches(const observed_replication& replication) : replication_(replication) {}

  void add_to(replication_result& result) override {
    std::vector<class_responses>& all = result.pictures.responses;
    all.resize(replication_.order.size());
    for (const class_id id : replication_.classes())
      all[replication_.order[static_cast<std::size_t>(id)]] = {
          replication_.class_of(id).name, replication_.jobs.classes()[id].responses.sketch().in_buckets_of<4>()};
  }

 private:
  const observed_replication& replication_;
};

}  // namespace

extern const instrument_entry response_sketches_instrument{instrument_order::others,
                                                           [](observed_replication& replication) {
                                                             if (replication.watch.pictures)
                                                               replication.add<response_sketches>(replication);
                                                           }};

}  // namespace muster
