#pragma once

#include <string>
#include <vector>

#include "platform/command_line/printed_output.h"
#include "platform/model/scenario.h"

namespace muster {

/// What `muster check` prints: what arrives, load of each class, and for each point the work bound, the policy's
/// condition and, of pooled jobs, the set of classes that presses hardest on its servers.
printed_output stability_report(const study& s);
/// A sentence for each server that no class can use and for each point that is known to be unstable.
std::vector<std::string> stability_warnings(const study& s);

}  // namespace muster
