#include <algorithm>
#include <tuple>

#include <boost/random/uniform_01.hpp>

#include "muster/modules/source/workload.h"
#include "muster/policies/table.h"
#include "platform/model/arrival_entry.h"
#include "platform/model/class_table.h"
#include "platform/model/synthetic_workload.h"

namespace muster {

namespace {

/// A finite number of slotted jobs of each class; each arrives at the beginning of one of the first slots, all equally
/// likely.
///
/// Each class draws arrivals and deadlines from streams of its own, so that every policy sees the same jobs, whatever
/// the order in which the classes are written. Jobs of one slot come in random order.
class population_workload final : public workload {
 public:
  population_workload(const scenario& model, std::uint32_t replication) : slot_(model.unit.to_ticks(model.slot)) {
    members_.reserve(model.run.jobs);
    for (const std::size_t at : by_descending_need(model)) {
      const class_spec& spec = model.classes[at];
      draw_class(model, replication, spec, static_cast<class_id>(sizes_.size()));
      sizes_.push_back(spec.slotted->worth->units() * slot_);
    }
    std::sort(members_.begin(), members_.end(), [](const member& a, const member& b) {
      return std::tie(a.arrival, a.type, a.number) < std::tie(b.arrival, b.type, b.number);
    });
  }

  bool next(job_request& job) override {
    if (at_ == members_.size()) return false;
    const member& m = members_[at_++];
    job = {static_cast<ticks>(m.arrival) * slot_, m.type, sizes_[m.type], {}, m.deadline, nullptr};
    return true;
  }

 private:
  struct member {
    double arrival;  // in slots; the fraction puts the jobs of a slot in order
    std::uint64_t deadline;
    class_id type;
    std::uint32_t number;  // within its class
  };

  void draw_class(const scenario& model, std::uint32_t replication, const class_spec& spec, class_id type) {
    random_stream bits{model.run.seed, replication, "source", "arrivals of " + spec.name};
    deadline_source deadlines{spec.slotted->deadline, model.run.seed, replication, spec.name};
    const auto slots = static_cast<double>(model.arrivals.slots());
    for (std::uint32_t number = 0; number < spec.slotted->jobs; ++number) {
      const double arrival = slots * boost::random::uniform_01<double>{}(bits);
      members_.push_back({arrival, deadlines.next(static_cast<std::uint64_t>(arrival) + 1), type, number});
    }
  }

  ticks slot_;
  table<class_id, ticks> sizes_;
  std::vector<member> members_;  // in the order of arrival
  std::size_t at_ = 0;
};

}  // namespace

extern const arrival_entry uniform_arrivals{"uniform",
                                            4,
                                            arrival_kind::uniform,
                                            {{"slots", integer_key{1, static_cast<std::int64_t>(most_slots), "slots"},
                                              required{}, "jobs arrive in one of so many first slots"}},
                                            nullptr,
                                            make_jobs<population_workload>,
                                            [](const scenario& model) { return model.arrivals.slots(); }};

}  // namespace muster
