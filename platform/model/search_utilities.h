#pragma once

#include "platform/model/utility_function.h"

namespace muster {

/// Quality of a web search over the share of its work that is done, as users have rated it. Source: ISPEED paper,
/// Figure 5.
/// @{
utility_function::points google_search_points();
utility_function::points bing_search_points();
/// @}

}  // namespace muster
