#include "muster/policies/catalogue.h"

namespace muster {

/// Adaptive Quickswap. Source: Quickswap paper, Section 4.4.
///
/// Choices where the paper is open: the trigger is checked after the admissions of every event; the job that ends a
/// draining phase is the one of the largest need that waits then, not the one that did at the trigger; the working
/// phase that begins with it admits jobs at once, and draining may follow in the same event.
class adaptive_quickswap final : public policy {
 public:
  adaptive_quickswap() { begin_phase(working); }
  unsigned phases() const override { return draining; }

 private:
  static constexpr unsigned working = 1;
  static constexpr unsigned draining = 2;

  void schedule(const cluster_view& cluster, decisions& decide) override {
    if (phase() == draining) {
      const job* next = cluster.largest();
      if (!next || !cluster.fits(*next)) return;
      decide.start(*next);
      begin_phase(working);
    }
    while (const job* next = cluster.largest_fitting()) decide.start(*next);
    if (swap_is_due(cluster)) begin_phase(draining);
  }

  // Some class waits with none of it in service, and no class in service has a job waiting.
  static bool swap_is_due(const cluster_view& cluster) {
    return cluster.anyone_waits() && !cluster.waiting_classes().intersects(cluster.served_classes());
  }
};

extern const policy_entry adaptive_quickswap_entry;
const policy_entry adaptive_quickswap_entry{
    "adaptive_quickswap",
    "MSF that drains for the largest waiting job once the classes in service "
    "have none waiting (Quickswap, Section 4.4)",
    {},
    [](const cluster_view&, const settings&, random_numbers&) -> std::unique_ptr<policy> {
      return std::make_unique<adaptive_quickswap>();
    },
    nullptr,
    progress::rigid,
    false,
    false,
    {},
    stability_rule::greedy_with_drains};

}  // namespace muster
