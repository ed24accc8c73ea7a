#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"
#include "platform/theory/slotted/optimal_utility.h"

namespace muster {

namespace {

/// Computes the most utility that the jobs could have earned, and its ratio to what they have earned.
class utility_optimum final : public instrument {
 public:
  explicit utility_optimum(const observed_replication& replication) : replication_(replication) {}

  void add_to(replication_result& result) override {
    const std::uint64_t jobs = replication_.jobs.completed();
    const auto utility = static_cast<double>(replication_.jobs.sum().utility);
    const double optimum = optimum_of(replication_.point, replication_.number);
    result.add("all", "optimal_utility", optimum, jobs);
    result.add("all", "competitive_ratio", optimum / utility, jobs, utility > 0.0);
    if (utility == 0.0 && optimum > 0.0)
      result.notes.push_back({"competitive_ratio has no estimate: no job has earned anything"});
  }

 private:
  const observed_replication& replication_;
};

}  // namespace

extern const instrument_entry utility_optimum_instrument{instrument_order::optimum_rows,
                                                         [](observed_replication& replication) {
                                                           if (replication.measures("optimal_utility"))
                                                             replication.add<utility_optimum>(replication);
                                                         }};

}  // namespace muster
