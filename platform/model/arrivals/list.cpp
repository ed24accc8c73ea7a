#include <algorithm>

#include "muster/modules/source/workload.h"
#include "muster/policies/utility.h"
#include "platform/model/arrival_entry.h"
#include "platform/model/class_table.h"
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

/// The rigid or pooled jobs of a list, the same in every replication.
class timed_list_workload final : public workload {
 public:
  explicit timed_list_workload(const scenario& model)
      : jobs_(model.arrivals.jobs), unit_(model.unit), ids_(model.classes.size()) {
    const std::vector<std::size_t> order = by_descending_need(model);
    for (std::size_t id = 0; id < order.size(); ++id) ids_[order[id]] = static_cast<class_id>(id);
  }

  bool next(job_request& job) override {
    if (at_ == jobs_->size()) return false;
    const timed_job& listed = (*jobs_)[at_++];
    job.arrival = unit_.to_ticks(listed.arrival);
    job.type = ids_[listed.type];
    job.size = std::max<ticks>(1, unit_.to_ticks(listed.size));
    job.need = listed.need;
    job.estimate = listed.requested > 0.0 ? std::max<ticks>(1, unit_.to_ticks(listed.requested)) : 0;
    job.user = listed.user;
    return true;
  }

 private:
  std::shared_ptr<const timed_jobs> jobs_;
  time_unit unit_;
  std::vector<class_id> ids_;  // by the place of the class in the scenario
  std::size_t at_ = 0;
};

std::unique_ptr<workload> make_workload_of_list(const scenario& model, std::uint32_t) {
  if (model.arrivals.jobs) return std::make_unique<timed_list_workload>(model);
  return std::make_unique<list_workload>(model);
}

// The last slot of a list in which one core does all the work after the last arrival and deadline.
std::uint64_t last_slot_of_list(const scenario& model) {
  std::uint64_t last = 0, units = 0;
  for (const listed_job& job : model.arrivals.list) {
    last = std::max({last, job.arrival, job.deadline});
    units += job.worth->units();
  }
  return last + units;
}

}  // namespace

extern const arrival_entry list_arrivals{"list",
                                         5,
                                         arrival_kind::list,
                                         {{"file", text_key{"jobs.csv"}, required{}, "list of jobs, or a log"}},
                                         nullptr,
                                         make_workload_of_list,
                                         last_slot_of_list};

}  // namespace muster
