#pragma once

#include <string>

#include "platform/report/stored_results.h"

namespace muster {

/// report.html: one file that needs no other, with the plots and tables of a run, its scenario and its manifest.
std::string page_of(const study& s, const stored_results& stored);

}  // namespace muster
