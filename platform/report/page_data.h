#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "platform/model/scenario.h"
#include "platform/store/study_estimates.h"

namespace muster {

/// What a run has left in its directory.
struct stored_results {
  study_estimates estimates;
  std::vector<std::vector<presence_sample>> presence;  ///< by point, where recorded
  std::string manifest;                                ///< JSON
  std::vector<replication_pictures> pictures{};        ///< by point; empty: none are drawn
};

/// What the page's script draws from: numbers as they are stored, in the order in which they are shown.
nlohmann::ordered_json page_data(const study& s, const stored_results& stored);

}  // namespace muster
