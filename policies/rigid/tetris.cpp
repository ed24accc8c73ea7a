#include <algorithm>

#include "muster/policies/catalogue.h"

namespace muster {

extern const placement_entry dot_product_placement;

/// Tetris: of the classes whose first job fits, the one of the largest score starts it, and so on. The score is the
/// alignment of the job with the server that it gets minus `weight` times its remaining work, brought to the scale of
/// alignments. Source: Grandl, Ananthanarayanan, Kandula, Rao and Akella, "Multi-resource packing for cluster
/// schedulers" (SIGCOMM 2014), Sections 3.2 to 3.4.
///
/// The alignment is the inner product of what a task needs and what the server has free. The remaining work is the sum
/// over the tasks of the time that they take times what they need, all resources added up. Both take each resource as a
/// share of the most that one server has. Remaining work is brought to scale by the mean alignment over the mean
/// remaining work of the jobs among which is chosen. Jobs are placed by the rule `dot_product`, which is the same
/// alignment. Of equal scores, up to `rounding`, the earliest arrival starts.
///
/// Choices where the source is open or differs: it takes servers one by one, and starts tasks of a job one by one; here
/// all tasks of a job start together, and the server is the one of the best alignment. Shares are of the largest
/// server, not of each. Times are the mean sizes of the classes, as sizes are not known; what is chosen among are the
/// first jobs of the classes that fit. Its knob of fairness is left out, and remote reads have no penalty. Where only
/// cores count, a job counts as one task of all its cores.
class tetris final : public rigid_policy {
 public:
  /// @param weight >= 0; if > 0, every class has a mean size
  tetris(const cluster_view& cluster, double weight) : weight_(weight), work_(cluster.class_count()) {
    for (const class_id id : cluster.classes())
      if (const auto size = cluster.mean_size(id)) work_[id] = *size * held(cluster, id);
  }

  bool can_replace(std::string_view) const override { return true; }
  void replace_parameters(const settings& complete) override { weight_ = complete.number("weight"); }

 private:
  // Scores are often equal but for their rounding, as the work of jobs on idle servers is in the ratio of alignments.
  static constexpr double rounding = 1e-12;

  struct candidate {
    const job* first;
    double alignment;
  };

  // What a job of the class holds, its resources added up as shares of the most that one server has.
  static double held(const cluster_view& cluster, class_id id) {
    if (!cluster.counts_tasks()) return cluster.need(id);
    const task_need& need = cluster.tasks(id);
    double sum = 0.0;
    for (std::size_t r = 0; r < need.per_task.size(); ++r) {
      std::uint64_t most = 0;
      for (const cluster_inventory::group& g : cluster.inventory().groups)
        most = std::max(most, g.each.free_of(r, g.each.all()));
      if (most > 0) sum += static_cast<double>(need.per_task[r]) / static_cast<double>(most);
    }
    return need.tasks * sum;
  }

  void schedule(rigid_view cluster, rigid_decisions& decide) override {
    while (const job* next = best(cluster)) decide.start(*next);
  }

  const job* best(rigid_view cluster) {
    candidates_.clear();
    double alignments = 0.0, work = 0.0;
    const class_set& waiting = cluster.waiting_classes();
    for (class_id id = waiting.first(); id != class_set::none; id = waiting.next(id)) {
      if (!cluster.fits(id)) continue;
      candidates_.push_back({cluster.first(id), -cluster.placement_score(id)});
      alignments += candidates_.back().alignment;
      work += work_[id];
    }
    const double scale = work > 0.0 ? weight_ * alignments / work : 0.0;
    const job* chosen = nullptr;
    double highest = 0.0;
    for (const auto& [first, alignment] : candidates_) {
      const double score = alignment - scale * work_[first->type];
      if (chosen && (score < highest - rounding || (score <= highest + rounding && chosen->id < first->id))) continue;
      chosen = first;
      highest = score;
    }
    return chosen;
  }

  double weight_;
  table<class_id, double> work_;       // remaining work of a job, in units of time; 0 where it is not known
  std::vector<candidate> candidates_;  // of the latest choice
};

namespace {

std::optional<setting_conflict> unless_work_is_known(const cluster_view& cluster, const settings& given) {
  if (given.number("weight") == 0.0) return std::nullopt;
  for (const class_id id : cluster.classes())
    if (!cluster.mean_size(id))
      return setting_conflict{"weight", "the remaining work of class '" + cluster.name(id) +
                                            "' is not known, as no mean size is; expected weight = 0"};
  return std::nullopt;
}

}  // namespace

extern const policy_entry tetris_entry = [] {
  policy_entry entry;
  entry.name = "tetris";
  entry.about =
      "Of the jobs that fit, the one starts whose need aligns best with what a server has free, less its remaining "
      "work; it places jobs there (Grandl et al. 2014)";
  entry.parameters = {{"weight", number_parameter{"a number >= 0", 0.0, false, 1.0},
                       "of the remaining work, in the ratio of mean alignment to mean work; 0: alignment alone"}};
  entry.construct = [](const cluster_view& cluster, const settings& given,
                       random_numbers&) -> std::unique_ptr<rigid_policy> {
    return std::make_unique<tetris>(cluster, given.number("weight"));
  };
  entry.check_settings = unless_work_is_known;
  entry.any_resources = true;
  entry.places_by = &dot_product_placement;
  return entry;
}();

}  // namespace muster
