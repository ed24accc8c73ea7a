#include <algorithm>

#include "muster/policies/catalogue.h"

namespace muster {

/// Static Quickswap: the classes take turns in a fixed cycle; each turn is a working and then a draining phase.
/// Source: Quickswap paper, Section 4.3.
///
/// The working phase of class i admits up to floor(k/i) of its jobs and ends when its idle usable cores,
/// i (floor(k/i) - in service), reach max(1, k - threshold); k counts the cores that the class may use. Choices where
/// the paper is open:
/// - A bound above the number of cores that the class can use is reached when none of its jobs is in service.
/// - Cycle: descending need unless `order` is given. A class with nothing waiting is skipped when the turn passes; the
///   class of the first arrival to an empty cluster gets the turn.
/// - `drain`: a working phase ends only if another class has a job waiting (`"if_other_waits"`), or always.
/// - `hand_over = "after_drain"`, the paper's text: the next class starts when the drain is complete.
/// - `hand_over = "while_draining"`: the turn passes when the working phase ends, to the next other class that waits;
///   it is admitted into freed cores while the previous one drains, and keeps the turn until all others have left.
/// - With `drain = "always"` a working phase ends also while no other class waits. Jobs of the same class that arrive
///   afterwards wait for its next turn, though cores are idle: that begins when the drain is complete, unless a job of
///   another class is there by then (under `"while_draining"` the turn passes to such a job at its arrival).
/// - `hand_over = "published"`: the rule behind the published Figures 5 and 6; see published_arrival(). It has neither
///   threshold nor drain rule, so that neither may be given beside it. It may leave an empty cluster idle, though jobs
///   wait, until the next arrival, as the paper assumes an endless stream. Once no job will arrive, as at the end of a
///   list or log, the class that has the turn is admitted at once.
///
/// Phases: 1 working, 2 draining; 0 in an empty cluster, and always with `"published"`.
class static_quickswap final : public rigid_policy {
 public:
  enum class hand_over { after_drain, while_draining, published };

  static_quickswap(std::vector<class_id> cycle, unsigned threshold, bool drain_always, hand_over rule)
      : cycle_(std::move(cycle)), threshold_(threshold), drain_always_(drain_always), rule_(rule) {}

  unsigned phases() const override { return rule_ == hand_over::published ? 0 : draining; }
  bool can_replace(std::string_view parameter) const override {
    return rule_ != hand_over::published && (parameter == "threshold" || parameter == "drain");
  }
  void replace_parameters(const settings& complete) override {
    threshold_ = static_cast<unsigned>(complete.integer("threshold"));
    drain_always_ = complete.choice("drain") == "always";
  }

  void arrived(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    if (rule_ == hand_over::published)
      published_arrival(j, cluster, decide);
    else
      schedule(cluster, decide);
  }

  void stream_ended(rigid_view cluster, rigid_decisions& decide) override {
    if (rule_ == hand_over::published) published_end(cluster, decide);
  }

 private:
  static constexpr unsigned working = 1;
  static constexpr unsigned draining = 2;

  class_id current() const { return cycle_[turn_]; }

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    if (rule_ == hand_over::published) {
      published_admission(cluster, decide);
      return;
    }
    if (phase() == working) {
      admit(cluster, decide);
      if (working_phase_is_over(cluster)) begin_phase(draining);
    }
    // A class whose turn comes may at once have too few jobs to go on working.
    while (turn_is_over(cluster) && pass_turn(cluster)) {
      begin_phase(working);
      admit(cluster, decide);
      if (working_phase_is_over(cluster)) begin_phase(draining);
    }
    if (cluster.in_service() == 0 && phase() != 0) begin_phase(0);
  }

  void admit(rigid_view cluster, rigid_decisions& decide) const {
    const class_id id = current();
    while (cluster.waiting(id) && cluster.fits(id)) decide.start(*cluster.first(id));
  }

  bool working_phase_is_over(rigid_view cluster) const {
    const class_id id = current();
    const unsigned k = cluster.usable_cores(id);
    const std::size_t idle = cluster.need(id) * (cluster.places(id) - cluster.in_service(id));
    if (idle < std::max(1u, k > threshold_ ? k - threshold_ : 0u)) return false;
    if (rule_ == hand_over::while_draining && others_in_service(cluster)) return false;
    return drain_always_ || another_waits(cluster);
  }

  bool turn_is_over(rigid_view cluster) const {
    // Where servers are down, no job may fit.
    if (cluster.in_service() == 0) return cluster.earliest_fitting() != nullptr;
    return phase() == draining && rule_ == hand_over::while_draining && another_waits(cluster);
  }

  bool others_in_service(rigid_view cluster) const { return cluster.in_service() != cluster.in_service(current()); }

  bool another_waits(rigid_view cluster) const {
    const class_set& waiting = cluster.waiting_classes();
    return waiting.count() > (waiting.contains(current()) ? 1u : 0u);
  }

  // Passes the turn to the next class in the cycle that has a job waiting; the current one comes last. @return false if
  // none has
  bool pass_turn(rigid_view cluster) {
    for (std::size_t step = 1; step <= cycle_.size(); ++step) {
      const std::size_t next = (turn_ + step) % cycle_.size();
      if (cluster.waiting(cycle_[next]) == 0) continue;
      turn_ = next;
      return true;
    }
    return false;
  }

  // Whether the policy is "ready to pass": no other class is in service and the current one has a place idle.
  bool ready_to_pass(rigid_view cluster) const {
    return !others_in_service(cluster) && cluster.in_service(current()) < cluster.places(current());
  }

  // Handles an arrival by the published rule. At an arrival of another class, if ready, the turn passes to the next
  // class in the cycle that has a job waiting; while the current class has nothing waiting it passes likewise, ready or
  // not. Then the current class is admitted into all free cores that fit; and then, as after every completion, the turn
  // passes if ready.
  void published_arrival(const job& j, rigid_view cluster, rigid_decisions& decide) {
    if (j.type != current() && ready_to_pass(cluster)) pass_turn(cluster);
    if (cluster.waiting(current()) == 0) pass_turn(cluster);
    published_admission(cluster, decide);
  }

  // Admits the current class and passes the turn if ready; the class that gets it is admitted only at the next event.
  void published_admission(rigid_view cluster, rigid_decisions& decide) {
    admit(cluster, decide);
    if (ready_to_pass(cluster)) pass_turn(cluster);
  }

  // Admits the current class, or the next one of which a job fits, into an empty cluster to which no job will come.
  void published_end(rigid_view cluster, rigid_decisions& decide) {
    if (!cluster.earliest_fitting()) return;
    while (cluster.waiting(current()) == 0 || !cluster.fits(current())) pass_turn(cluster);
    published_admission(cluster, decide);
  }

  std::vector<class_id> cycle_;
  std::size_t turn_ = 0;
  unsigned threshold_;
  bool drain_always_;
  hand_over rule_;
};

extern const policy_entry static_quickswap_entry = [] {
  policy_entry entry;
  entry.name = "static_quickswap";
  entry.about = "The classes have turns in a fixed cycle, each a working and a draining phase (Quickswap, Section 4.3)";
  entry.parameters = {
      {"threshold",
       integer_parameter{{0, false}, {-1, true}, {-1, true}},
       "a turn ends when of the n cores that the current class may use n - threshold are idle, but at least one",
       {},
       {"hand_over", "published"}},
      {"order", class_order_parameter{}, "the cycle, as a list of class names"},
      {"drain",
       choice_parameter{{"if_other_waits", "always"}},
       "whether a turn may end while no other class has a job waiting; with always, jobs that arrive while their class "
       "drains wait for its next turn, though cores are idle and no other class waits",
       {},
       {"hand_over", "published"}},
      {"hand_over", choice_parameter{{"after_drain", "while_draining", "published"}},
       "when the next class is admitted: after the drain (the paper's text), into cores freed by it, or by the rule "
       "behind the paper's figures"}};
  entry.construct = [](const cluster_view&, const settings& given, random_numbers&) -> std::unique_ptr<rigid_policy> {
    using rule = static_quickswap::hand_over;
    const std::string& word = given.choice("hand_over");
    if (word == "published") return std::make_unique<static_quickswap>(given.order("order"), 0, false, rule::published);
    return std::make_unique<static_quickswap>(given.order("order"), static_cast<unsigned>(given.integer("threshold")),
                                              given.choice("drain") == "always",
                                              word == "while_draining" ? rule::while_draining : rule::after_drain);
  };
  entry.stable_up_to = stability_rule::classes_in_turn;
  return entry;
}();

}  // namespace muster
