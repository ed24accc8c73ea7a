#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/calibration/paired_jobs.h"
#include "platform/model/scenario.h"

namespace muster {

/// The first start that differs between log and replay, and the state of both at that moment.
struct first_difference {
  /// A job that holds cores at that moment.
  struct holder {
    paired_job job;
    bool in_log = false, in_replay = false;
  };

  paired_job job;
  std::int64_t at = 0;                               ///< the earlier one of its two starts
  bool in_log = false;                               ///< whether that is the one in the log
  std::uint64_t total = 0;                           ///< cores of the platform
  std::int64_t free_in_log = 0, free_in_replay = 0;  ///< cores that others leave; < 0: the platform has too few
  std::vector<holder> holders;                       ///< by cores, the most first
  std::size_t waiting = 0;                           ///< jobs that arrived before it and wait where it waits, too
  std::optional<paired_job> first_waiting{};         ///< the first of them
};

/// The first start that differs by more than a time in seconds; nothing: none does.
std::optional<first_difference> find_first_difference(const scenario& point, const paired_jobs& pairs, double apart);

/// Why it differs, as far as cores and order tell, in sentences.
std::vector<std::string> reasons_of(const scenario& point, const first_difference& difference);

}  // namespace muster
