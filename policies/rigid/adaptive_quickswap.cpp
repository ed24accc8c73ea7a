#include "muster/policies/catalogue.h"

namespace muster {

/// Adaptive Quickswap. Source: Quickswap paper, Section 4.4.
///
/// Where tasks count, the need is the share of the resource of which a job needs the largest.
///
/// Choices where the paper is open: the trigger is checked after the admissions of every event; the job that ends a
/// draining phase is the one of the largest need that waits then, not the one that did at the trigger; the working
/// phase that begins with it admits jobs at once, and draining may follow in the same event.
class adaptive_quickswap final : public rigid_policy {
 public:
  adaptive_quickswap() { begin_phase(working); }
  unsigned phases() const override { return draining; }

 private:
  static constexpr unsigned working = 1;
  static constexpr unsigned draining = 2;

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (phase() == draining) {
      const job* next = cluster.largest();
      if (!next || !cluster.fits(*next)) return;
      decide.start(*next);
      begin_phase(working);
    }
    while (const job* next = cluster.largest_fitting()) decide.start(*next);
    if (swap_is_due(cluster)) begin_phase(draining);
  }

  // Whether some class waits and has no job in service, and no class in service has a job waiting.
  static bool swap_is_due(rigid_view cluster) {
    return cluster.anyone_waits() && !cluster.waiting_classes().intersects(cluster.served_classes());
  }
};

extern const policy_entry adaptive_quickswap_entry = [] {
  policy_entry entry;
  entry.name = "adaptive_quickswap";
  entry.about =
      "MSF that drains for the largest waiting job once the classes in service have none waiting (Quickswap, Section "
      "4.4)";
  entry.construct = without_settings<adaptive_quickswap>;
  entry.any_resources = true;
  entry.stable_up_to = stability_rule::greedy_with_drains;
  return entry;
}();

}  // namespace muster
