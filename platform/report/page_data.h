#pragma once

#include <nlohmann/json_fwd.hpp>

#include "platform/report/stored_results.h"

namespace muster {

/// What the page's script draws from: numbers as the text that is stored, in the order in which they are shown.
nlohmann::ordered_json page_data(const study& s, const stored_results& stored);

}  // namespace muster
