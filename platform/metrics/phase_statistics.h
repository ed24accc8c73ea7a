#pragma once

#include <cstdint>
#include <vector>

#include "muster/modules/scheduler/phase_observer.h"

namespace muster {

/// How long each phase of a policy lasts and which share of the time it has, over a window of measurement.
class phase_statistics final : public phase_observer {
 public:
  struct record {
    std::uint64_t visits = 0;  ///< that ended inside the window and took time
    ticks duration = 0;        ///< of those visits, from their beginning
    ticks inside = 0;          ///< time in the phase inside the window
  };

  /// @param phases that the policy has; phase 0, in none, is counted too
  explicit phase_statistics(unsigned phases) : records_(phases + 1) {}

  void phase_begins(ticks now, unsigned begun) override {
    settle(now);
    if (record& ended = records_[phase_]; now > begun_) {
      ++ended.visits;
      ended.duration += now - begun_;
    }
    phase_ = begun;
    begun_ = now;
  }

  void open(ticks now) {
    records_.assign(records_.size(), {});
    settled_ = now;
  }

  void settle(ticks now) {
    records_[phase_].inside += now - settled_;
    settled_ = now;
  }

  const std::vector<record>& phases() const { return records_; }

 private:
  std::vector<record> records_;
  unsigned phase_ = 0;
  ticks begun_ = 0, settled_ = 0;
};

}  // namespace muster
