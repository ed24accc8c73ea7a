#pragma once

#include <algorithm>

#include "muster/policies/slotted/ordering_policy.h"

namespace muster {

/// Gives each job, in the order of their ranks, all the cores that it can use. Source: ISPEED paper, Section VI-B.
class in_turn : public ordering_policy {
 protected:
  void share_out(unsigned cores, job_order& jobs, slotted_decisions& decide) final {
    while (cores > 0 && !jobs.empty()) {
      const job& next = *jobs.take_first().owner;
      const unsigned wanted = std::min(cores, slotted_view::units_left(next));
      decide.serve(next, wanted);
      cores -= wanted;
    }
  }
};

}  // namespace muster
