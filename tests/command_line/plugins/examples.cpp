#include <cmath>

#include "muster/policies/plugin.h"

// What policies may ask for beyond the queue: policies/README.md shows them.

namespace muster {
namespace {

/// Jobs start together, every so many units of time while somebody waits.
class batches final : public rigid_policy {
 public:
  explicit batches(ticks period) : period_(period) {}

 private:
  void arrived(const job&, rigid_view cluster, rigid_decisions& decide) override {
    if (!awaited_) decide.wake_at(cluster.now() + period_, 0);
    awaited_ = true;
  }
  void completed(const job&, rigid_view, rigid_decisions&) override {}
  void woken(std::uint32_t, rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = cluster.earliest_fitting()) decide.start(*next);
    awaited_ = cluster.anyone_waits();
    if (awaited_) decide.wake_at(cluster.now() + period_, 0);
  }

  ticks period_;
  bool awaited_ = false;
};

const policy_entry batches_entry = [] {
  policy_entry entry;
  entry.name = "batches";
  entry.about = "Jobs start together, every so many units of time";
  entry.parameters = {{"every", number_parameter{"a number > 0", 0.0, true, 1.0}, "units of time from batch to batch"}};
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers&) -> std::unique_ptr<rigid_policy> {
    const double period = given.number("every") * static_cast<double>(cluster.ticks_per_unit());
    return std::make_unique<batches>(static_cast<ticks>(std::ceil(period)));
  };
  return entry;
}();

/// The class of the largest weight goes first where it fits. Or the turn is drawn, each class that fits being as likely
/// as it is heavy.
class weighted final : public rigid_policy {
 public:
  weighted(const cluster_view& cluster, bool drawn, random_numbers& random) : drawn_(drawn), random_(random) {
    for (const class_id id : cluster.classes()) weights_.push_back(cluster.parameters(id).number("weight"));
  }

 private:
  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = choice(cluster)) decide.start(*next);
  }

  const job* choice(rigid_view cluster) {
    const job* best = nullptr;
    double sum = 0.0, most = 0.0;
    for (const class_id id : cluster.classes()) {
      if (cluster.waiting(id) == 0 || !cluster.fits(id)) continue;
      sum += weights_[id];
      if (drawn_ ? random_.uniform() * sum >= weights_[id] : weights_[id] <= most) continue;
      best = cluster.first(id);
      most = weights_[id];
    }
    return best;
  }

  bool drawn_;
  random_numbers& random_;
  table<class_id, double> weights_;
};

const policy_entry weighted_entry = [] {
  policy_entry entry;
  entry.name = "weighted";
  entry.about = "The class of the largest weight goes first";
  entry.parameters = {{"turn", choice_parameter{{"largest", "drawn"}}, "whose turn it is"}};
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers& random) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<weighted>(cluster, given.choice("turn") == "drawn", random);
  };
  entry.class_parameters = {{"weight", number_parameter{"a number > 0", 0.0, true, 1.0}, "of the class"}};
  return entry;
}();

}  // namespace
}  // namespace muster

MUSTER_PLUGIN(&muster::batches_entry, &muster::weighted_entry)
