#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "platform/metrics/replication_pictures.h"
#include "platform/model/study.h"
#include "platform/report/page_metrics.h"
#include "platform/report/plain_texts.h"
#include "platform/store/study_estimates.h"

namespace muster {

/// What a run has left in its directory.
struct stored_results {
  study_estimates estimates;
  std::vector<std::vector<presence_sample>> presence;  ///< by point, where recorded
  std::string manifest;                                ///< JSON
  std::vector<replication_pictures> pictures{};        ///< by point; empty: none are drawn
};

/// What the page's script starts from: all but the numbers of the metrics, in the order in which it is shown.
/// @param columns gets the numbers of the metrics, which the page reads one by one
/// @param texts gets the texts of which the data have marks
nlohmann::ordered_json page_data(const study& s, const stored_results& stored, page_columns& columns,
                                 plain_texts& texts);

/// What the page draws beside estimates: distributions of response times, what goes on over time, cores at work. It is
/// compact, so that a study of many points remains a small page: of the first 250 points, with fewer bins and slices
/// the more of them there are, numbers with four digits, times of slices in 4000ths of their window. Null where there
/// is none.
/// @param by_point empty: nothing is stored
/// @param texts gets the texts of which the data have marks
nlohmann::ordered_json point_details(const study& s, const study_estimates& estimates,
                                     const std::vector<replication_pictures>& by_point, plain_texts& texts);

}  // namespace muster
