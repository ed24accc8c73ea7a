#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "muster/policies/job.h"
#include "muster/policies/table.h"
#include "platform/model/class_table.h"
#include "platform/model/scenario.h"

namespace muster {

/// The deviations of times between arrivals, work and classes from their means, each multiplied by the jobs that were
/// in the system.
///
/// A job delays others by about as much as there are jobs in the system. What was there before it arrived does not
/// depend on its class and size, and what was there when the job before it had arrived does not depend on the time
/// between both. Each product has therefore the mean 0, under every policy, from the first job on, and for arrivals
/// that are Poisson or renewal: their sums are martingales (Henderson and Glynn, 2002, Mathematics of Operations
/// Research 27).
class weighted_deviations {
 public:
  /// A sum of products.
  struct sum {
    std::string name;
    double value = 0.0;  ///< of times and work in units of time
  };

  /// @param model rigid jobs, Poisson or renewal arrivals, and sizes of finite variance
  explicit weighted_deviations(const scenario& model) : unit_(model.unit) {
    const double ticks_of_unit = 1.0 / unit_.to_units(1.0);
    const std::vector<std::size_t> order = by_descending_need(model);
    double widest = 0.0, narrowest = model.classes.front().need;
    for (const class_spec& c : model.classes) {
      widest = std::max<double>(widest, c.need);
      narrowest = std::min<double>(narrowest, c.need);
    }
    several_needs_ = narrowest < widest;
    double share_of_widest = 0.0;
    for (const class_spec& c : model.classes) {
      const double share = c.rate / model.arrivals.rate;
      mean_work_ += share * c.need * c.size.mean() * ticks_of_unit;
      if (c.need >= widest) share_of_widest += share;
    }
    mean_gap_ = ticks_of_unit / model.arrivals.rate;
    for (const std::size_t at : order) {
      const double need = model.classes[at].need, is_widest = need >= widest ? 1.0 : 0.0;
      rows_.push_back({{1.0, is_widest}, is_widest - share_of_widest});
    }
  }

  /// @param gap time since the arrival before @param work size times cores; both in ticks
  void arrive(class_id id, double gap, double work) {
    const row of_class = rows_[id];
    const double more_time = gap - mean_gap_, more_work = work - mean_work_;
    const numbers found = present_;
    for (std::size_t i = 0; i < found.size(); ++i) gaps_[i] += before_gap_[i] * more_time;
    for (std::size_t i = 0; i < found.size(); ++i) work_[i] += found[i] * more_work;
    for (std::size_t i = 0; i < found.size(); ++i) widest_[i] += found[i] * of_class.more_widest;
    for (std::size_t i = 0; i < found.size(); ++i) before_gap_[i] = present_[i] = found[i] + of_class.counts[i];
  }
  void complete(class_id id) {
    for (std::size_t i = 0; i < present_.size(); ++i) present_[i] -= rows_[id].counts[i];
  }

  /// The sums since the last call, always in the same order. They begin anew.
  std::vector<sum> take() {
    const auto time = [this](double in_ticks) { return unit_.to_units(in_ticks); };
    std::vector<sum> all{{"interarrival_time times jobs", time(gaps_[0])}, {"work times jobs", time(work_[0])}};
    if (several_needs_) {
      all.push_back({"interarrival_time times widest jobs", time(gaps_[1])});
      all.push_back({"work times widest jobs", time(work_[1])});
      all.push_back({"widest jobs times jobs", widest_[0]});
      all.push_back({"widest jobs times widest jobs", widest_[1]});
    }
    gaps_ = work_ = widest_ = {};
    return all;
  }

 private:
  using numbers = std::array<double, 2>;  // of all jobs, and of the widest ones
  struct row {
    numbers counts{};          // what a job of the class adds to the jobs in the system
    double more_widest = 0.0;  // 1 for the widest, less their share of the arrivals
  };

  table<class_id, row> rows_;
  const time_unit unit_;
  bool several_needs_ = false;
  double mean_gap_ = 0.0, mean_work_ = 0.0;  // in ticks
  numbers present_{};                        // jobs in the system
  numbers before_gap_{};                     // jobs in the system when the latest had arrived
  numbers gaps_{}, work_{}, widest_{};
};

}  // namespace muster
