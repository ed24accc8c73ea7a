#pragma once

#include <cstdint>
#include <vector>

#include "platform/metrics/instrument.h"
#include "platform/model/time_unit.h"

namespace muster {

/// Measures how long each phase of a policy lasts and which share of the time it has, over a window of measurement.
class phase_statistics final : public instrument {
 public:
  struct record {
    std::uint64_t visits = 0;  ///< visits that ended inside the window and took time
    ticks duration = 0;        ///< total duration of those visits, from their beginning
    ticks inside = 0;          ///< time in the phase inside the window
  };

  /// @param phases number of phases that the policy has; the time in none of them is counted as phase 0
  explicit phase_statistics(unsigned phases, const time_unit& unit = {}) : unit_(unit), records_(phases + 1) {}

  void phase_begins(ticks now, unsigned begun) override {
    settle(now);
    if (record& ended = records_[phase_]; now > begun_) {
      ++ended.visits;
      ended.duration += now - begun_;
    }
    phase_ = begun;
    begun_ = now;
  }

  void window_opens(ticks now) override {
    records_.assign(records_.size(), {});
    opened_ = settled_ = now;
  }
  void window_closes(ticks now) override { settle(now); }
  void add_to(replication_result& result) override;

  const std::vector<record>& phases() const { return records_; }

 private:
  void settle(ticks now) {
    records_[phase_].inside += now - settled_;
    settled_ = now;
  }

  time_unit unit_;
  std::vector<record> records_;
  unsigned phase_ = 0;
  ticks begun_ = 0, opened_ = 0, settled_ = 0;
};

}  // namespace muster
