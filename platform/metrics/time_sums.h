#pragma once

#include <limits>

#include "muster/modules/protocol/job_times.h"
#include "muster/policies/table.h"

namespace muster {

/// Sums of the parts of the time of completed jobs, in ticks.
class time_sums {
 public:
  explicit time_sums(std::size_t classes) : of_class_(classes) {}

  /// @param total sum of the job's parts
  void add(class_id id, const by_time_part<ticks>& of_job, ticks total) {
    row& r = of_class_[id];
    if (total > std::numeric_limits<ticks>::max() - r.latest_total) carry(r);
    r.latest_total += total;
    for (std::size_t part = 0; part < time_parts; ++part) r.latest[part] += of_job[part];
  }
  /// Clears the sums as the window of measurement opens.
  void clear() { of_class_ = table<class_id, row>(of_class_.size()); }

  by_time_part<tick_sum> of(class_id id) const { return of_class_[id].sums(); }

 private:
  /// Sums over a class. Those of the latest jobs have half the width: none exceeds their total, which does not
  /// overflow.
  struct row {
    ticks latest_total = 0;
    by_time_part<ticks> latest{};
    by_time_part<tick_sum> before{};

    by_time_part<tick_sum> sums() const {
      by_time_part<tick_sum> sum = before;
      for (std::size_t part = 0; part < time_parts; ++part) sum[part] += latest[part];
      return sum;
    }
  };
  [[gnu::cold, gnu::noinline]] static void carry(row& r) {
    r.before = r.sums();
    r.latest = {};
    r.latest_total = 0;
  }

  table<class_id, row> of_class_;
};

}  // namespace muster
