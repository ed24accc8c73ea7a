#include <vector>

#include "muster/policies/device_use.h"
#include "platform/metrics/replication_result.h"
#include "platform/simulation/instrument_entry.h"

namespace muster {

namespace {

/// Measures the share of each resource beside cores that jobs hold, of servers while they run, of the cluster from
/// their start to the end of their last slice. Of servers it measures the share that is stranded, too, and of devices
/// the share of those that are free which the mix of jobs cannot use.
class resource_shares final : public instrument {
 public:
  explicit resource_shares(const observed_replication& replication)
      : replication_(replication), before_(sums_at(0)), after_(before_) {}

  void window_opens(ticks now) override { before_ = sums_at(now); }
  void window_closes(ticks now) override { after_ = sums_at(now); }
  void add_to(replication_result& result) override {
    const scenario& point = replication_.point;
    const auto& types = point.resources.types;
    for (std::size_t r = 1; r < types.size(); ++r) {
      const bool of_cluster = types[r].of_cluster;
      const double amount =
          of_cluster ? static_cast<double>(point.resources.all_of_cluster(r)) : total_amount(point, r);
      const double all = amount * replication_.window();
      if (all == 0.0) continue;
      const auto add = [&](const char* metric, tick_sum held) {
        result.add("resource_" + types[r].name, metric, point.unit.to_units(held) / all,
                   replication_.jobs.counts().completed);
      };
      add("resource_utilization", after_[r].held - before_[r].held);
      if (of_cluster) continue;
      add("resource_stranded", after_[r].stranded - before_[r].stranded);
      if (types[r].is_devices()) add_fragmentation(r, result);
    }
  }

 private:
  /// What jobs have held, and what was stranded, of a resource: amount times ticks.
  struct sums {
    tick_sum held = 0, stranded = 0;
    tick_sum free = 0;               // of devices
    std::vector<tick_sum> usable{};  // of that, by class
  };

  void add_fragmentation(std::size_t resource, replication_result& result) const {
    const sums &before = before_[resource], &after = after_[resource];
    const cluster_view view = replication_.simulated.central.view();
    const auto free = static_cast<double>(after.free - before.free);
    double share = 0.0;
    for (const class_id id : view.classes()) {
      const auto n = static_cast<std::size_t>(id);
      share += share_of_mix(view, id) * (free - static_cast<double>(after.usable[n] - before.usable[n]));
    }
    result.add("resource_" + replication_.point.resources.types[resource].name, "resource_fragmentation", share / free,
               replication_.jobs.counts().completed, free > 0.0);
  }

  std::vector<sums> sums_at(ticks now) const {
    std::vector<sums> all(replication_.point.resources.types.size());
    for (std::size_t r = 1; r < all.size(); ++r)
      for (const auto& bank : replication_.simulated.servers())
        if (!replication_.point.resources.types[r].of_cluster) all[r].held += bank->held(r, now).running;
    for (const scheduler* const s : replication_.simulated.schedulers()) add_of(*s, all);
    return all;
  }

  // Adds what the allocator of a scheduler counts.
  void add_of(const scheduler& of, std::vector<sums>& all) const {
    const task_allocator& tasks = *of.tasks();
    for (std::size_t r = 1; r < all.size(); ++r) {
      if (tasks.is_of_cluster(r)) {
        all[r].held += tasks.held_of_cluster(r);
        continue;
      }
      all[r].stranded += tasks.stranded(r);
      if (!replication_.point.resources.types[r].is_devices()) continue;
      all[r].free += tasks.free_devices(r);
      for (const class_id id : of.view().classes()) {
        const auto n = static_cast<std::size_t>(id);
        if (n == all[r].usable.size()) all[r].usable.push_back(0);
        all[r].usable[n] += tasks.usable_devices(r, id);
      }
    }
  }

  const observed_replication& replication_;
  std::vector<sums> before_, after_;
};

}  // namespace

extern const instrument_entry resource_shares_instrument{instrument_order::others,
                                                         [](const observed_replication& replication) {
                                                           return replication.point.counts_tasks() &&
                                                                  replication.simulated.has_all_servers();
                                                         },
                                                         add_instrument<resource_shares>};

}  // namespace muster
