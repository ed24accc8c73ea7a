#include "muster/policies/catalogue.h"

namespace muster {

/// Dominant resource fairness by progressive filling: of the classes that have a job which fits, the one with the
/// smallest dominant share starts its first job, and so on. The dominant share of a class is the largest share of any
/// resource that its jobs in service hold. Source: Ghodsi et al., "Dominant resource fairness" (NSDI 2011), Section 4;
/// its users are the classes here.
///
/// Choices where the source is open: of equal shares the earliest arrival comes first; a class whose job does not fit
/// is passed over, as one whose resource is saturated.
class dominant_resource_fairness final : public rigid_policy {
  // Shares that are equal differ by their rounding, as 3 times 1/10 and 3/10 do.
  static constexpr double rounding = 1e-12;

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = least_served(cluster)) decide.start(*next);
  }

  static const job* least_served(const rigid_view& cluster) {
    const job* best = nullptr;
    double least = 0.0;
    const class_set& waiting = cluster.waiting_classes();
    for (class_id id = waiting.first(); id != class_set::none; id = waiting.next(id)) {
      if (!cluster.fits(id)) continue;
      const double share = static_cast<double>(cluster.in_service(id)) * cluster.share(id);
      const job* const first = cluster.first(id);
      if (best && (share > least + rounding || (share >= least - rounding && best->id < first->id))) continue;
      best = first;
      least = share;
    }
    return best;
  }
};

extern const policy_entry dominant_resource_fairness_entry = [] {
  policy_entry entry;
  entry.name = "dominant_resource_fairness";
  entry.about =
      "Of the classes whose first job fits, the one that holds the smallest share of its scarcest resource starts it "
      "(Ghodsi et al. 2011)";
  entry.construct = without_settings<dominant_resource_fairness>;
  entry.any_resources = true;
  return entry;
}();

}  // namespace muster
