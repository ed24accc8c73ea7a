#include "muster/modules/scheduler/allocation/slot_plan.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace muster {

namespace {

// The relative error by which the sum of many shares may miss the number of cores, as they are rounded.
constexpr double tolerance = 1e-9;

// The error that the sum of shares over many slots may have, in ticks.
constexpr double rounding = 1.0 / 64;

}  // namespace

bool slot_plan::give(job_extension& j, double units) {
  if (units > room_ + tolerance * cores_) return false;
  room_ -= units;
  std::uint32_t& place = j.own.progress->place;
  if (place == nowhere) {
    place = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({&j, 0.0});
  }
  entries_[place].units += units;
  return true;
}

void slot_plan::hand_out_ticks(ticks slot, std::uint64_t number) {
  tick_sum room = tick_sum{cores_} * slot;
  remainders_.clear();
  for (std::uint32_t place = 0; place < entries_.size(); ++place) {
    entry& e = entries_[place];
    slotted_progress& s = *e.owner->own.progress;
    const double share = e.units * static_cast<double>(slot);
    const double work_left = s.left * static_cast<double>(slot) + s.due;
    const bool enough = share > work_left - rounding;
    const double due = enough ? share + rounding : std::max(0.0, s.due + share);
    e.time = static_cast<ticks>(std::min<tick_sum>(static_cast<ticks>(due), room));
    room -= e.time;
    if (enough) continue;
    const auto time = static_cast<double>(e.time);
    s.due += share - time;
    const bool whole = s.due > 1.0 - rounding;
    if (s.due < rounding || (number == s.last_slot && !whole)) continue;
    const bool early = time + 1.0 > work_left - rounding && !whole;
    remainders_.push_back({early, s.due, place});
  }
  const auto ticks_left = static_cast<std::ptrdiff_t>(std::min<tick_sum>(room, remainders_.size()));
  const auto first = remainders_.begin();
  std::nth_element(first, first + ticks_left, remainders_.end(), [](const remainder& a, const remainder& b) {
    return std::tie(a.early, b.size, a.place) < std::tie(b.early, a.size, b.place);
  });
  std::for_each(first, first + ticks_left, [this](const remainder& r) {
    ++entries_[r.place].time;
    entries_[r.place].owner->own.progress->due -= 1.0;
  });
}

void slot_plan::lay_out(ticks slot, std::uint64_t number) {
  hand_out_ticks(slot, number);
  ticks filled = 0;  // time of the current shared core that is given
  for (std::uint32_t place = 0; place < entries_.size(); ++place) {
    entry& e = entries_[place];
    e.cores = static_cast<std::uint32_t>(e.time / slot);
    const ticks part = e.time % slot;
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
  if (j.own.progress->place != nowhere) entries_[j.own.progress->place].owner = nullptr;
  j.own.progress->place = nowhere;
}

}  // namespace muster
