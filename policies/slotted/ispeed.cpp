#include <vector>

#include "muster/policies/catalogue.h"
#include "muster/policies/slotted/ordering_policy.h"
#include "muster/policies/slotted/unit_queue.h"

namespace muster {

/// Interactive Services with Partial Execution and Deadlines: each core of the slot goes to the unit of work that adds
/// most to the utility; deadlines play no role. Source: ISPEED paper, Algorithm 1.
///
/// With the plain gain of a unit, a job whose first units have no gain would not start. Unless it is to be taken
/// literally, the gain is therefore replaced by the largest mean gain over the job's next units, which equals it where
/// the utility is concave.
class ispeed final : public ordering_policy {
 public:
  explicit ispeed(bool literally) : gain_(literally ? slotted_view::gain : slotted_view::steepest_gain) {}

 private:
  double rank(const job& j) const override { return -gain_(j, 0); }
  void share_out(unsigned cores, job_order& jobs, slotted_decisions& decide) override;

  void give_core(std::size_t number);

  struct share {
    const job* owner;
    unsigned cores;
  };
  double (*gain_)(const job&, unsigned);
  std::vector<share> shares_;  // shares of this slot, in the order in which the jobs got their first cores
  unit_queue next_;            // next units of these jobs
};

void ispeed::share_out(unsigned cores, job_order& jobs, slotted_decisions& decide) {
  shares_.clear();
  next_.clear();
  for (; cores > 0 && !(jobs.empty() && next_.empty()); --cores) {
    if (next_.empty() || (!jobs.empty() && jobs.first() < next_.first())) {
      shares_.push_back({jobs.take_first().owner, 0});
      give_core(shares_.size() - 1);
    } else {
      give_core(next_.take_first().share);
    }
  }
  for (const share& s : shares_) decide.serve(*s.owner, s.cores);
}

void ispeed::give_core(std::size_t number) {
  share& s = shares_[number];
  const job& j = *s.owner;
  if (++s.cores < slotted_view::units_left(j)) next_.insert({{-gain_(j, s.cores), j.arrival, j.id, &j}, number});
}

extern const policy_entry ispeed_entry = [] {
  policy_entry entry;
  entry.name = "ispeed";
  entry.about =
      "in each slot the units of work that add most to the utility, whatever the deadlines (ISPEED, Algorithm 1)";
  entry.parameters = {{"gain", choice_parameter{{"envelope", "literal"}},
                       "what a unit adds: as the concave envelope of what remains has it, or taken literally"}};
  entry.construct = [](const cluster_view&, const settings& given, random_numbers&) -> std::unique_ptr<slotted_policy> {
    return std::make_unique<ispeed>(given.choice("gain") == "literal");
  };
  return entry;
}();

}  // namespace muster
