#pragma once

#include <string>
#include <vector>

#include "platform/scenario/scenario.h"

namespace muster {

/// Text of `muster check`: load of each class, and for each point the work bound and the policy's condition.
std::string stability_report(const study& s);
/// A sentence for each point that is known to be unstable.
std::vector<std::string> stability_warnings(const study& s);

}  // namespace muster
