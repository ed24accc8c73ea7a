#include "muster/modules/source/workload.h"
#include "muster/policies/utility.h"
#include "platform/model/arrival_entry.h"
#include "platform/model/scenario.h"

namespace muster {

namespace {

/// The slotted jobs of a list, the same in every replication.
class list_workload final : public workload {
 public:
  explicit list_workload(const scenario& model) : jobs_(model.arrivals.list), slot_(model.unit.to_ticks(model.slot)) {}

  bool next(job_request& job) override {
    if (at_ == jobs_.size()) return false;
    const listed_job& listed = jobs_[at_++];
    const ticks size = listed.worth->units() * slot_;
    job = {(listed.arrival - 1) * slot_, class_id{0}, size, {}, listed.deadline, listed.worth.get()};
    return true;
  }

 private:
  const std::vector<listed_job>& jobs_;
  ticks slot_;
  std::size_t at_ = 0;
};

}  // namespace

extern const arrival_entry list_arrivals{"list", 5, arrival_kind::list, nullptr,
                                         [](const scenario& model, std::uint32_t) -> std::unique_ptr<workload> {
                                           return std::make_unique<list_workload>(model);
                                         }};

}  // namespace muster
