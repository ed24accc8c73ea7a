#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "muster/modules/server/work_clock.h"

namespace muster {

/// Servers of consecutive places whose working speeds are one common fraction of the speeds that are set for them. From
/// the first change of the fraction on they have clocks of work, one for each speed that is set for any of them.
class speed_zone {
 public:
  /// @param time outlives the zone @param first place of its first server among all servers
  speed_zone(timekeeper& time, std::uint32_t first, std::uint32_t count, double fraction = 1.0);

  std::uint32_t first() const { return first_; }
  std::uint32_t count() const { return count_; }
  double fraction() const { return fraction_; }
  /// Leaves the zone its first servers alone. @param count of them
  void shrink(std::uint32_t count) { count_ = count; }

  /// Whether its servers have clocks.
  bool has_clocks() const { return !clocks_.empty(); }
  /// The clock of the servers of a speed, for one more of them.
  work_clock& join(double speed);
  /// Forgets a server that has joined. No work of it follows the clock any more.
  void leave(double speed);
  /// Changes the fraction, and with it the paces of all clocks.
  void set_fraction(double fraction);

  /// Adds a server that is to be told of each change, as not all of its slices follow its clock.
  /// @param server place among all servers
  void add_notified(std::uint32_t server);
  void remove_notified(std::uint32_t server);
  /// @param visit called with each server that is to be told of changes, by place
  template <class Visit>
  void for_each_notified(Visit visit) const {
    if (notified_ == 0) return;
    for (std::uint32_t word = 0; word < marks_.size(); ++word)
      for (std::uint64_t left = marks_[word]; left != 0; left &= left - 1)
        visit(first_ + 64 * word + static_cast<std::uint32_t>(__builtin_ctzll(left)));
  }

 private:
  struct shared_clock {
    shared_clock(timekeeper& time, double pace) : work(time, pace) {}
    work_clock work;
    std::uint32_t servers = 0;
  };

  timekeeper& time_;
  std::uint32_t first_, count_;
  double fraction_;
  std::map<double, shared_clock> clocks_;  // by the speed that is set
  std::uint32_t notified_ = 0;             // servers that are to be told of changes
  std::vector<std::uint64_t> marks_;       // a bit for each server
};

}  // namespace muster
