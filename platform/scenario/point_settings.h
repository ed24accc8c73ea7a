#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "platform/model/study.h"

namespace muster {

/// The settings, as after `--set`, that leave one point of a study: the value of each key of its sweep. Read with them
/// behind its own overrides, the study has that point alone.
///
/// Jobs then arrive at the rate that the point has now, whatever else is set: a load, which is relative to the
/// capacity, is replaced by that rate.
std::vector<std::string> point_settings(const study& s, std::size_t point);

}  // namespace muster
