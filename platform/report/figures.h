#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/report/curves.h"

namespace muster {

/// Figures as SVG by the names of their files: METRIC.svg of the whole system, METRIC.CLASS.svg of a class or phase
/// where there are few of them. Those without a value above or below zero are left out.
/// @throws output_error as to_svg()
std::vector<std::pair<std::string, std::string>> figures_of(const study& s, const study_estimates& all);

/// The unit of a number or time that a scenario's key takes: "1/s" of `arrivals.rate`; empty where there is none.
std::string unit_of_key(const study& s, const std::string& key);

/// Such as "response_time (s)".
std::string with_unit(const std::string& name, const std::string& unit);

}  // namespace muster
