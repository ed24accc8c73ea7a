#include "muster/policies/frequency_table.h"

#include <algorithm>
#include <utility>

namespace muster {

frequency_table::frequency_table(std::vector<core_frequency> rows, double idle_watts) : rows_(std::move(rows)) {
  std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.speed < b.speed; });
  const double most = rows_.back().watts - idle_watts;
  for (const core_frequency& row : rows_) relative_.push_back((row.watts - idle_watts) / most);
}

std::size_t frequency_table::row_of_speed(double at_least) const {
  const auto found = std::lower_bound(rows_.begin(), rows_.end(), at_least,
                                      [](const core_frequency& row, double speed) { return row.speed < speed; });
  return std::min(static_cast<std::size_t>(found - rows_.begin()), fastest());
}

double frequency_table::relative_watts(double speed) const {
  const std::size_t above = row_of_speed(speed);
  if (rows_[above].speed == speed) return relative_[above];
  if (above == 0 || rows_[above].speed < speed) return relative_[above] * speed / rows_[above].speed;
  const core_frequency &low = rows_[above - 1], &high = rows_[above];
  const double share = (speed - low.speed) / (high.speed - low.speed);
  return relative_[above - 1] + share * (relative_[above] - relative_[above - 1]);
}

}  // namespace muster
