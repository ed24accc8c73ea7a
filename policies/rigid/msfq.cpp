#include "muster/policies/catalogue.h"

namespace muster {

/// Most Servers First with Quickswap, for one-or-all workloads. Source: Quickswap paper, Section 4.2.
///
/// Phases: 1 serves heavy jobs until none remain; 2 serves light jobs until fewer than k are in the system; 3 until at
/// most `threshold` are; 4 completes those in service and admits no other.
///
/// Choices where the paper is open:
/// - With `drain = "always"` phase 4 follows phase 3 whether or not a heavy job waits, as the paper's phases and
///   analysis have it; with `"if_heavy_waits"` phase 3 lasts until a heavy job waits.
/// - After phase 4 (or 1) without a heavy job a new light period starts at once with all waiting light jobs, in the
///   phase of their number; with at most `threshold` of them that is phase 4, with all of them in service.
/// - An arrival to an empty cluster starts a period of its class. An empty cluster is in phase 0.
/// - Phases of no duration do not show.
class msfq final : public rigid_policy {
 public:
  msfq(class_id heavy, class_id light, std::size_t threshold, bool drain_always)
      : heavy_(heavy), light_(light), threshold_(threshold), drain_always_(drain_always) {}

  unsigned phases() const override { return 4; }
  bool can_replace(std::string_view) const override { return true; }
  void replace_parameters(const settings& complete) override {
    threshold_ = static_cast<std::size_t>(complete.integer("threshold"));
    drain_always_ = complete.choice("drain") == "always";
  }

 private:
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (cluster.in_service() == 0) begin_period(cluster);
    if (phase() == 1 && cluster.in_service() == 0 && cluster.fits(heavy_)) decide.start(*cluster.first(heavy_));
    if (phase() == 2 || phase() == 3) serve_light(cluster, decide);
  }

  void begin_period(rigid_view cluster) {
    const unsigned next = cluster.waiting(heavy_) ? 1 : cluster.waiting(light_) ? 2 : 0;
    if (next != 1 || phase() != 1) begin_phase(next);
  }

  void serve_light(rigid_view cluster, rigid_decisions& decide) {
    while (cluster.waiting(light_) && cluster.fits(light_)) decide.start(*cluster.first(light_));
    // Now all light jobs of the system are in service, or all cores are busy.
    const std::size_t light_jobs = cluster.in_service(light_);
    if (phase() == 2 && light_jobs < cluster.usable_cores(light_)) begin_phase(3);
    if (phase() == 3 && light_jobs <= threshold_ && (drain_always_ || cluster.waiting(heavy_))) begin_phase(4);
  }

  class_id heavy_, light_;
  std::size_t threshold_;
  bool drain_always_;
};

namespace {
std::optional<std::string> unless_one_or_all(const cluster_view& cluster) {
  const auto heavy = class_id{0};
  const auto light = class_id{1};
  if (cluster.class_count() == 2 && cluster.need(light) == 1 && cluster.need(heavy) > 1 &&
      cluster.need(heavy) == cluster.usable_cores(heavy) && cluster.usable_cores(light) == cluster.usable_cores(heavy))
    return std::nullopt;
  return "it is defined for one-or-all workloads: two classes, one that needs 1 core and one that needs them all";
}
}  // namespace

extern const policy_entry msfq_entry = [] {
  policy_entry entry;
  entry.name = "msfq";
  entry.about = "Most Servers First with Quickswap, for jobs that need one core or all (Quickswap, Section 4.2)";
  entry.parameters = {{"threshold", integer_parameter{{0, false}, {-1, true}, {-1, true}},
                       "light jobs in service at which no further light job is admitted; 0 is MSF"},
                      {"drain", choice_parameter{{"always", "if_heavy_waits"}},
                       "whether phase 4 runs to its end also when no heavy job waits"}};
  entry.construct = [](const cluster_view&, const settings& given, random_numbers&) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<msfq>(class_id{0}, class_id{1}, static_cast<std::size_t>(given.integer("threshold")),
                                  given.choice("drain") == "always");
  };
  entry.check_classes = unless_one_or_all;
  entry.stable_up_to = stability_rule::classes_in_turn;
  return entry;
}();

}  // namespace muster
