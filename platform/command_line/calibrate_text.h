#pragma once

#include <vector>

#include "platform/calibration/replay_comparison.h"
#include "platform/model/study.h"
#include "platform/tables/table_document.h"

namespace muster {

/// What `calibrate` prints of the replays of a study: how far each is from the log, and of the nearest one the classes,
/// the use of the cluster and the first difference.
table_document replay_text(const study& s, const logged_past& past, const std::vector<replay_comparison>& all);

/// A row for each class of each replay.
data_table replay_errors_table(const study& s, const std::vector<replay_comparison>& all);
/// A row for each day of each replay.
data_table days_table(const study& s, const std::vector<replay_comparison>& all);
/// A row for each job of each replay.
data_table starts_table(const study& s, const std::vector<replay_comparison>& all);

}  // namespace muster
