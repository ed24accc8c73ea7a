#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/metrics/replication_result.h"
#include "platform/store/code_fingerprint.h"
#include "platform/store/database.h"
#include "platform/store/scenario_difference.h"

namespace muster {

/// Results that cannot be read, or not be used as was asked.
class results_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The directory of a run, read again. Needs none of the run's plugins.
class stored_run {
 public:
  struct point {
    std::map<std::string, std::string> values;  ///< what the sweep has put in, by key
    std::int64_t seed = 0;
  };

  /// @throws results_error if there are no results, or damaged ones; scenario_error
  explicit stored_run(const std::filesystem::path& directory);

  const std::string& scenario() const { return scenario_; }
  const stored_scenario& resolved() const { return resolved_; }
  const std::vector<std::string>& keys() const { return keys_; }  ///< of the sweep
  /// The unit of all its times.
  const std::string& time_unit() const { return time_unit_; }
  const std::vector<point>& points() const { return points_; }
  /// The code that has made the replications; empty in directories of earlier versions.
  code_fingerprint code();
  /// The measurements of the replications that a point has come to, by their numbers; one that is not there has none.
  std::vector<replication_result> replications(std::size_t at);

 private:
  std::string scenario_, time_unit_;
  stored_scenario resolved_;
  std::vector<std::string> keys_;
  std::vector<point> points_;
  database db_;
};

}  // namespace muster
