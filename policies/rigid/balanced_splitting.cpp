#include <algorithm>
#include <unordered_set>

#include "muster/policies/catalogue.h"

namespace muster {

/// Balanced Splitting with first come, first served in the helper set. Source: Anselmi and Doncel, "Balanced splitting:
/// a framework for achieving zero-wait in the multiserver-job model", IEEE Transactions on Parallel and Distributed
/// Systems, 2024.
///
/// The cores are split once: each class i has a set of its own for a_i of its jobs, in proportion to the loads
/// rho_i = arrival rate times mean size times need; the cores that are left are the helper set. A job starts on its
/// class's set if there is room, else it queues for the helper set, first come, first served. When a job on the class's
/// own set completes, the first job of the class in that queue starts there.
///
/// Choices where the source is open:
/// - a_i = floor(k rho_i / (rho need_i)): the cores that proportions leave over, and no more, are helpers. Fewer
///   helpers than a job of some class needs would never run it, so that then k is replaced by k - 1, k - 2, .. until
///   they suffice, or, with `helpers`, until they are so many.
/// - A job stays in the set where it has started. Giving it a place that frees up in its class's own
///   set would free helpers earlier, but moves a job.
/// - Sets are numbers of cores, not particular ones: the cores must be interchangeable.
class balanced_splitting final : public rigid_policy {
 public:
  /// @param places number of jobs for which each class has a set of its own
  balanced_splitting(std::vector<unsigned> places, unsigned helpers)
      : places_(std::move(places)), own_(places_.size()), helpers_(helpers) {}

  void completed(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    leave(j, cluster);
    schedule(cluster, decide);
  }

  void interrupted(const job& j, rigid_view cluster, rigid_decisions& decide) override {
    leave(j, cluster);
    schedule(cluster, decide);
  }

 private:
  static std::size_t at(class_id id) { return static_cast<std::size_t>(id); }

  void leave(const job& j, rigid_view cluster) {
    if (helped_.erase(j.id) > 0)
      helpers_ += cluster.need(j.type);
    else
      --own_[at(j.type)];
  }

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    const class_set& waiting = cluster.waiting_classes();
    for (class_id id = waiting.first(); id != class_set::none; id = waiting.next(id))
      while (cluster.waiting(id) && own_[at(id)] < places_[at(id)] && cluster.fits(id)) {
        ++own_[at(id)];
        decide.start(*cluster.first(id));
      }
    for (const job* next = cluster.earliest(); next && cluster.need(next->type) <= helpers_ && cluster.fits(*next);
         next = cluster.earliest()) {
      helped_.insert(next->id);
      helpers_ -= cluster.need(next->type);
      decide.start(*next);
    }
  }

  std::vector<unsigned> places_;
  std::vector<unsigned> own_;                 // jobs in service in each class's own set
  unsigned helpers_;                          // free cores of the helper set
  std::unordered_set<std::uint64_t> helped_;  // jobs in service on helpers
};

namespace {

struct split_cores {
  std::vector<unsigned> places;
  unsigned helpers;
};

/// @param least cores of the helper set, at most all
split_cores split_by_load(const cluster_view& cluster, unsigned least) {
  std::vector<double> busy;
  double sum = 0.0;
  for (const class_id id : cluster.classes()) {
    busy.push_back(*cluster.arrival_rate(id) * *cluster.mean_size(id) * cluster.need(id));
    sum += busy.back();
    least = std::max(least, cluster.need(id));
  }
  constexpr double rounding = 1e-9;  // a quotient that is whole but for rounding counts as whole
  const unsigned k = cluster.all_cores();
  for (unsigned shared = k;; --shared) {
    split_cores split{{}, k};
    for (const class_id id : cluster.classes()) {
      const double share = shared * busy[static_cast<std::size_t>(id)] / sum / cluster.need(id);
      split.places.push_back(static_cast<unsigned>(share * (1.0 + rounding)));
      split.helpers -= split.places.back() * cluster.need(id);
    }
    if (split.helpers >= least) return split;
  }
}

std::optional<std::string> unless_loads_are_declared(const cluster_view& cluster) {
  for (const class_id id : cluster.classes()) {
    if (cluster.usable_cores(id) != cluster.all_cores())
      return "it splits interchangeable cores, but class '" + cluster.name(id) + "' may use " +
             std::to_string(cluster.usable_cores(id)) + " of the " + std::to_string(cluster.all_cores()) + " cores";
    if (!cluster.arrival_rate(id) || !cluster.mean_size(id))
      return "it splits the cores in proportion to the loads, but class '" + cluster.name(id) + "' declares no " +
             (cluster.arrival_rate(id) ? "mean size" : "arrival rate");
  }
  return std::nullopt;
}

}  // namespace

extern const policy_entry balanced_splitting_entry = [] {
  policy_entry entry;
  entry.name = "balanced_splitting";
  entry.about =
      "Each class has cores of its own in proportion to its load; jobs that find them busy share the rest, first come, "
      "first served (Anselmi and Doncel, 2024)";
  entry.parameters = {{"helpers", integer_parameter{{0, false}, {0, true}, {0, false}},
                       "cores that no class has for itself, at least; there are as many as the largest job needs in "
                       "any case, and those that proportions leave over"}};
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers&) -> std::unique_ptr<rigid_policy> {
    split_cores split = split_by_load(cluster, static_cast<unsigned>(given.integer("helpers")));
    return std::make_unique<balanced_splitting>(std::move(split.places), split.helpers);
  };
  entry.check_classes = unless_loads_are_declared;
  return entry;
}();

}  // namespace muster
