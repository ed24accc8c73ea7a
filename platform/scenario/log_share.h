#pragma once

#include <cstdint>
#include <vector>

#include "platform/scenario/log_file.h"

namespace muster {

/// A share of the users of a log, drawn without replacement. With the same seed a larger share has all users of a
/// smaller one. A job without user is drawn by itself, with the share as its probability.
class log_share {
 public:
  /// @param share in (0, 1]; rounded to whole users, and at least one
  log_share(const log_file& log, double share, std::uint64_t seed);

  /// Whether a job of the log is among those of the share.
  bool has(const log_file::job& job) const;

 private:
  double share_;
  std::uint64_t seed_;
  std::vector<bool> users_;  // by their places in the log; empty: all of them
};

}  // namespace muster
