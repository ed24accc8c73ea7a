#include "platform/theory/stability/greedy_limit.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>

namespace muster {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Computes the limits of sets of classes. Classes of one need count as one, in ascending order of need; a set is given
/// by the number of its classes, which are the smallest.
class greedy_calculator {
 public:
  greedy_calculator(const std::vector<unsigned>& needs, const std::vector<double>& loads) {
    std::map<unsigned, double> of_need;
    for (std::size_t at = 0; at < needs.size(); ++at) of_need[needs[at]] += loads[at];
    for (const auto& [need, load] : of_need) {
      need_.push_back(need);
      work_.push_back(work_.back() + need * load);
    }
    // multiples_ holds, for each set and class, whether all larger needs of the set are multiples of the class's.
    multiples_.assign(need_.size() * (need_.size() + 1), false);
    for (std::size_t classes = 1; classes <= need_.size(); ++classes)
      for (std::size_t j = 0; j < classes; ++j)
        multiples_[classes * need_.size() + j] = std::all_of(need_.begin() + static_cast<std::ptrdiff_t>(j),
                                                             need_.begin() + static_cast<std::ptrdiff_t>(classes),
                                                             [&](unsigned larger) { return larger % need_[j] == 0; });
  }

  std::size_t classes() const { return need_.size(); }

  /// The limit of the smallest classes alone on a number of cores.
  stability_gap limit(std::size_t classes, unsigned cores, drains admission) {
    if (need_[classes - 1] > cores) return {0.0, 0.0};
    // The recursion over smaller sets has no drains, as some class in service has a long queue. Its limits are kept.
    if (admission == drains::sometimes) return compute(classes, cores, admission);
    const auto key = std::uint64_t{classes} << 32u | cores;
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    return known_[key] = compute(classes, cores, admission);
  }

 private:
  stability_gap compute(std::size_t classes, unsigned cores, drains admission) {
    const double highest = necessary(classes, cores);
    stability_gap gap{highest, highest};
    for (std::size_t j = 0; j < classes && gap.stable_below > 0.0; ++j) {
      const double enough = admission == drains::never ? (cores - need_[j] + 1) / work_[classes] : 0.0;
      gap.stable_below = std::min(gap.stable_below, first_unknown(classes, cores, j, enough));
    }
    return gap;
  }

  // The multiple that no policy exceeds.
  double necessary(std::size_t classes, unsigned cores) const {
    double limit = cores / work_[classes];
    for (std::size_t j = 0; j < classes; ++j) {
      const unsigned usable = cores - cores % need_[j];
      const double alone = usable / (work_[j + 1] - work_[j]);
      const double all = all_multiples(classes, j) ? usable / (work_[classes] - work_[j]) : no_limit;
      limit = std::min({limit, alone, all});
    }
    return limit;
  }

  // The least multiple from `enough` on at which long queues of class j, and of none below, are not known to shrink.
  double first_unknown(std::size_t classes, unsigned cores, std::size_t j, double enough) {
    if (!all_multiples(classes, j)) return enough;
    double first = no_limit;
    if (j == 0) return first;  // there are no classes below the smallest
    for (unsigned left = cores % need_[j] + need_[j]; left <= cores; left += need_[j]) {
      const stability_gap below = limit(j, left, drains::never);
      const double from = std::max(below.stable_below, enough);
      if (from < below.unstable_from) first = std::min(first, from);
    }
    return first;
  }

  bool all_multiples(std::size_t classes, std::size_t j) const { return multiples_[classes * need_.size() + j]; }

  std::vector<unsigned> need_;
  std::vector<double> work_{0.0};  // cores that the smallest classes hold on average, by their number
  std::vector<bool> multiples_;
  std::unordered_map<std::uint64_t, stability_gap> known_;
};

}  // namespace

stability_gap greedy_limit(unsigned cores, const std::vector<unsigned>& needs, const std::vector<double>& loads,
                           drains admission) {
  greedy_calculator calculator(needs, loads);
  return calculator.limit(calculator.classes(), cores, admission);
}

}  // namespace muster
