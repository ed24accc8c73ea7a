#include "platform/metrics/replication_result.h"
#include "platform/model/class_table.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Adds the distribution of the response times of each class, for pictures.
class response_sketches final : public instrument {
 public:
  response_sketches(const scenario& point, const job_statistics& jobs) : point_(point), jobs_(jobs) {}

  void add_to(replication_result& result) override {
    const std::vector<std::size_t> order = by_descending_need(point_);
    std::vector<class_responses>& all = result.pictures.responses;
    all.resize(order.size());
    for (const class_id id : id_range<class_id>{order.size()}) {
      const std::size_t at = order[static_cast<std::size_t>(id)];
      all[at] = {point_.classes[at].name, jobs_.classes()[id].responses.sketch().in_buckets_of<4>()};
    }
  }

 private:
  const scenario& point_;
  const job_statistics& jobs_;
};

}  // namespace

extern const instrument_entry response_sketches_instrument{
    instrument_order::others, [](observed_replication& replication) {
      if (replication.watch.pictures) replication.add<response_sketches>(replication.point, replication.jobs);
    }};

}  // namespace muster
