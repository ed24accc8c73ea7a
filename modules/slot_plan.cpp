#include "muster/modules/slot_plan.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace muster {

namespace {

// Relative; sums of many shares may miss the number of cores by their rounding.
constexpr double tolerance = 1e-9;

// Core time that comes from whole ticks is whole ticks again, whatever rounding it has gone through: the slot may have
// so many that an absolute tolerance would be too small for them, or worth some of them.
ticks in_ticks(double units, ticks slot) {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  return static_cast<ticks>(units * static_cast<double>(slot) * (1.0 + rounding));
}

}  // namespace

bool slot_plan::give(job_extension& j, double units) {
  if (units > room_ + tolerance * cores_) return false;
  room_ -= units;
  std::uint32_t& place = j.slots->place;
  if (place == nowhere) {
    place = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({&j, 0.0});
  }
  entries_[place].units += units;
  return true;
}

void slot_plan::lay_out(ticks slot) {
  tick_sum left = tick_sum{cores_} * slot;
  ticks filled = 0;  // of the shared core under way
  for (std::uint32_t place = 0; place < entries_.size(); ++place) {
    entry& e = entries_[place];
    const auto time = static_cast<ticks>(std::min<tick_sum>(in_ticks(e.units, slot), left));
    left -= time;
    e.cores = static_cast<std::uint32_t>(time / slot);
    const ticks part = time % slot;
    if (part == 0) continue;
    const ticks end = filled + part;
    if (filled == 0 || end > slot)
      ++e.cores;  // at the beginning of the slot
    else
      changes_.push_back({filled, place, +1});
    if (end > slot) {
      changes_.push_back({end - slot, place, -1});
      changes_.push_back({filled, place, +1});
    } else if (end < slot) {
      changes_.push_back({end, place, -1});
    }
    filled = end % slot;
  }
  std::sort(changes_.begin(), changes_.end(), [](const change& a, const change& b) {
    return std::tie(a.at, a.cores, a.place) < std::tie(b.at, b.cores, b.place);
  });
}

void slot_plan::forget(job_extension& j) {
  if (j.slots->place != nowhere) entries_[j.slots->place].who = nullptr;
  j.slots->place = nowhere;
}

}  // namespace muster
