#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "platform/results/database.h"
#include "platform/results/estimate.h"
#include "platform/scenario/scenario.h"

namespace muster {

/// results.sqlite: everything that the replications of a study have found, each stored at once as it finishes.
///
/// Tables: `points` (point, key, value), `replications` (point, replication, jobs, events, simulated_time, seconds),
/// `measurements` (point, replication, class, metric, value, jobs; value null: nothing to estimate it from), `notes`
/// (point, replication, note), `jobs_in_system` (point, time, class, jobs) and, at the end, `estimates`, the same rows
/// as results.csv.
class result_store {
 public:
  /// Creates the file. @throws database_error
  result_store(const std::string& path, const study& s);

  void add(std::size_t point, std::uint32_t replication, const replication_result& result);
  /// The replications stored for a point, in the order of their numbers.
  std::vector<replication_result> replications(std::size_t point);
  void set_estimates(std::size_t point, const std::vector<estimate>& estimates);

 private:
  database db_;
};

}  // namespace muster
