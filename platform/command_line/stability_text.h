#pragma once

#include <string>
#include <vector>

#include "platform/model/study.h"
#include "platform/tables/table_document.h"
#include "platform/theory/stability/stability.h"

namespace muster {

/// What `muster check` prints: what arrives, load of each class, and for each point the work bound, the policy's
/// condition and, of pooled jobs, the set of classes that presses hardest on its servers.
table_document stability_report(const study& s);
/// A sentence for each server that no class can use and for each point that is known to be unstable.
/// @param known the stability of each point
std::vector<std::string> stability_warnings(const study& s, const std::vector<stability>& known);

}  // namespace muster
