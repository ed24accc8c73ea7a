#pragma once

#include "muster/modules/protocol/job_times.h"
#include "muster/policies/table.h"

namespace muster {

/// What the time of completed jobs was spent on: sums in ticks.
class time_sums {
 public:
  explicit time_sums(std::size_t classes) : of_class_(classes) {}

  void add(class_id id, const by_time_part<ticks>& of_job) {
    for (std::size_t part = 0; part < time_parts; ++part) of_class_[id][part] += of_job[part];
  }
  /// The window of measurement opens.
  void clear() { of_class_ = table<class_id, by_time_part<tick_sum>>(of_class_.size()); }

  /// What was added since an earlier state.
  time_sums since(const time_sums& earlier) const {
    time_sums added = *this;
    for (const class_id id : id_range<class_id>{of_class_.size()})
      for (std::size_t part = 0; part < time_parts; ++part) added.of_class_[id][part] -= earlier.of_class_[id][part];
    return added;
  }

  const by_time_part<tick_sum>& of(class_id id) const { return of_class_[id]; }
  /// All classes together.
  by_time_part<tick_sum> all() const {
    by_time_part<tick_sum> sum{};
    for (const auto& of_class : of_class_)
      for (std::size_t part = 0; part < time_parts; ++part) sum[part] += of_class[part];
    return sum;
  }

 private:
  table<class_id, by_time_part<tick_sum>> of_class_;
};

}  // namespace muster
