#pragma once

#include <string>

#include "platform/calibration/logged_past.h"
#include "platform/model/study.h"

namespace muster {

/// What a list of rigid jobs tells of what happened, by its column `start`.
/// @param s of arrivals.process = "list", without jobs at time 0; its jobs are those of the first point
/// @param path of the list, as the scenario has it
/// @throws results_error if its jobs are not rigid, or the list tells no starts
logged_past past_of_list(const study& s, const std::string& path);

}  // namespace muster
