#pragma once

#include <string>
#include <vector>

#include "platform/model/study.h"

namespace muster {

/// The settings of a study without the effect that its author may expect, each in a sentence, once for all points that
/// have it:
/// - a class, or list, whose utility is not concave where the policy is ISPEED and looks at the gain of the next unit
///   alone: a unit that gains nothing then hides those behind it;
/// - costs of saving and fetching a job's state where no point has jobs that lose their cores before they are complete;
/// - a point that is expected to last for more than half of the range of the clock.
std::vector<std::string> study_warnings(const study& s);

}  // namespace muster
