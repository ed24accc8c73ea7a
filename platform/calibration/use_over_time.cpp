#include "platform/calibration/use_over_time.h"

#include <algorithm>
#include <cmath>

#include "platform/model/class_table.h"

namespace muster {

namespace {

/// Rows of equal length, to which intervals of time are added.
class rows_of_time {
 public:
  rows_of_time(std::vector<use_of_days>& rows, std::int64_t length) : rows_(rows), length_(length) {}

  /// Adds a number to the means of the rows that an interval lies in.
  void add(std::int64_t from, std::int64_t to, double number, double use_of_days::*mean) {
    while (from < to) {
      const std::int64_t row = from / length_, end = std::min(to, (row + 1) * length_);
      rows_[static_cast<std::size_t>(row)].*mean +=
          number * static_cast<double>(end - from) / static_cast<double>(length_);
      from = end;
    }
  }
  use_of_days& at(std::int64_t moment) { return rows_[static_cast<std::size_t>(moment / length_)]; }

 private:
  std::vector<use_of_days>& rows_;
  std::int64_t length_;
};

}  // namespace

use_over_time use_of(const scenario& point, const paired_jobs& pairs) {
  constexpr std::int64_t most_rows = 10'000;
  const auto day =
      static_cast<std::int64_t>(std::llround(86'400.0 / point.unit.seconds * static_cast<double>(point.unit.ticks)));
  std::int64_t last = 0;
  for (const paired_job& job : pairs.jobs) last = std::max({last, job.logged_end, job.end});
  use_over_time use;
  use.cores = total_cores(point);
  const std::int64_t days = last / day + 1, in_row = (days + most_rows - 1) / most_rows;
  use.days = static_cast<std::uint64_t>(in_row);
  use.rows.resize(static_cast<std::size_t>((days + in_row - 1) / in_row));
  for (std::size_t row = 0; row < use.rows.size(); ++row) use.rows[row].day = row * static_cast<std::size_t>(in_row);
  rows_of_time rows(use.rows, day * in_row);
  for (const paired_job& job : pairs.jobs) {
    rows.add(job.logged_start(), job.logged_end, job.cores, &use_of_days::logged_cores);
    rows.add(job.start, job.end, job.cores, &use_of_days::replayed_cores);
    rows.add(job.arrival, job.logged_start(), 1.0, &use_of_days::logged_waiting);
    rows.add(job.start - job.wait, job.start, 1.0, &use_of_days::replayed_waiting);
    ++rows.at(job.logged_start()).logged_starts;
    ++rows.at(job.start).replayed_starts;
  }
  return use;
}

}  // namespace muster
