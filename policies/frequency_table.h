#pragma once

#include <cstddef>
#include <vector>

namespace muster {

/// A frequency at which the cores of a server may work.
struct core_frequency {
  double hertz = 0.0;  ///< > 0
  double watts = 0.0;  ///< of a core that works at it
  double speed = 1.0;  ///< factor of the capacity, > 0
};

/// The frequencies of the cores of a server, and the power of a core at each.
class frequency_table {
 public:
  /// @param rows at least one; no speed or frequency twice
  /// @param idle_watts of a core, below those of all rows
  frequency_table(std::vector<core_frequency> rows, double idle_watts);

  /// The rows in the order of their speeds.
  const std::vector<core_frequency>& rows() const { return rows_; }
  const core_frequency& operator[](std::size_t row) const { return rows_[row]; }
  std::size_t fastest() const { return rows_.size() - 1; }
  /// The lowest row whose speed is at least that; the fastest, if none has it.
  std::size_t row_of_speed(double at_least) const;
  /// What a core that works at a speed draws above idle power, over the same at the fastest row: in a row its own, and
  /// between two rows, or between no speed and the slowest, on the straight line that joins them. Above the fastest it
  /// is proportional to the speed.
  double relative_watts(double speed) const;

 private:
  std::vector<core_frequency> rows_;
  std::vector<double> relative_;  // of each row, its watts above idle over those of the fastest
};

}  // namespace muster
