#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "muster/policies/job.h"

namespace muster {

/// Estimates that are learnt from the jobs that a user has completed: the mean size of the last two, and at most what
/// the job states. Source: Tsafrir, Etsion and Feitelson, Backfilling using system-generated predictions rather than
/// user runtime estimates, IEEE TPDS 18 (2007), Section 3.
class learnt_estimates {
 public:
  /// @param users numbered from 0
  explicit learnt_estimates(std::size_t users) : of_user_(users) {}

  /// The estimate of a job that is submitted now, in ticks: what it states until its user has completed two jobs, and
  /// always where its user is not known. @param stated at least 1, below 2^62
  ticks of(std::uint32_t user, ticks stated) const {
    if (user >= of_user_.size()) return stated;
    const auto& [latest, before] = of_user_[user];
    return before == 0 ? stated : std::min(stated, std::max<ticks>(1, (latest + before) / 2));
  }
  /// A job of the user is complete. @param size at least 1, below 2^62
  void complete(std::uint32_t user, ticks size) {
    if (user >= of_user_.size()) return;
    auto& [latest, before] = of_user_[user];
    before = latest;
    latest = size;
  }

 private:
  std::vector<std::array<ticks, 2>> of_user_;  // sizes of the latest job and of the one before; 0: there is none
};

}  // namespace muster
