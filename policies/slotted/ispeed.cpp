#include "muster/policies/catalogue.h"
#include "muster/policies/slotted/slot_policy.h"

namespace muster {

/// Interactive Services with Partial Execution and Deadlines: each core of the slot goes to the unit of work that adds
/// most to the utility; deadlines play no role. Source: ISPEED paper, Algorithm 1.
///
/// With the plain gain of a unit, a job whose first units have no gain would not start. Unless it is to be taken
/// literally, the gain is therefore replaced by the largest mean gain over the job's next units, which equals it where
/// the utility is concave.
class ispeed final : public slot_policy {
 public:
  explicit ispeed(bool literally) : gain_(literally ? cluster_view::gain : cluster_view::steepest_gain) {}

 private:
  double rank(const job& j) const override { return -gain_(j, 0); }
  void share_out(unsigned cores, job_order& jobs, decisions& decide) override;

  double (*gain_)(const job&, unsigned);
  job_order served_;  // in this slot, by the gain of the next unit
};

void ispeed::share_out(unsigned cores, job_order& jobs, decisions& decide) {
  for (; cores > 0 && !(jobs.empty() && served_.empty()); --cores) {
    const bool fresh = served_.empty() || (!jobs.empty() && jobs.first() < served_.first());
    const auto [rank, arrival, id, best, given] = (fresh ? jobs : served_).take_first();
    decide.serve(*best);
    if (given + 1 < cluster_view::units_left(*best)) served_.insert(*best, -gain_(*best, given + 1), given + 1);
  }
  served_.clear();
}

extern const policy_entry ispeed_entry;
const policy_entry ispeed_entry{
    "ispeed",
    "in each slot the units of work that add most to the utility, whatever the deadlines (ISPEED, Algorithm 1)",
    {{"gain", choice_parameter{{"envelope", "literal"}},
      "what a unit adds: as the concave envelope of what remains has it, or taken literally"}},
    [](const cluster_view&, const settings& given, random_numbers&) -> std::unique_ptr<policy> {
      return std::make_unique<ispeed>(given.choice("gain") == "literal");
    },
    nullptr,
    progress::slotted};

}  // namespace muster
