#pragma once

#include <string>

#include "platform/scenario/scenario.h"

namespace muster {

/// Text of `muster check`: load of each class, and for each point the work bound and the policy's condition.
std::string stability_report(const study& s);
/// A line for each point that is known to be unstable; empty if there is none.
std::string stability_warnings(const study& s);

}  // namespace muster
