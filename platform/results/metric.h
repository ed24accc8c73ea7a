#pragma once

#include <string_view>
#include <vector>

namespace muster {

/// A metric as results name it.
struct metric_entry {
  std::string_view name;
  std::string_view unit;  ///< "time": the scenario's time unit; "1/time"; "": none
  std::string_view about;
};

/// All metrics, in the order in which results list them; feeds `list metrics` and the units in results.csv.
const std::vector<metric_entry>& metric_catalogue();

}  // namespace muster
