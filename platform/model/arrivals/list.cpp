#include <algorithm>

#include "muster/modules/source/workload.h"
#include "platform/model/arrival_entry.h"
#include "platform/model/dependent_workload.h"
#include "platform/model/listed_requests.h"
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
  explicit timed_list_workload(const scenario& model) : jobs_(model) {}

  bool next(job_request& job) override {
    if (at_ == jobs_.size()) return false;
    jobs_.write(at_++, job);
    return true;
  }

 private:
  listed_requests jobs_;
  std::size_t at_ = 0;
};

std::unique_ptr<workload> make_workload_of_list(const scenario& model, std::uint32_t) {
  if (model.arrivals.dependencies) return std::make_unique<dependent_workload>(model);
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
