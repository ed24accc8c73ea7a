#include "platform/results/heavy_mean.h"

#include <algorithm>

namespace muster {

bool is_heavy_mean(const estimate& e, const scenario& study_point) {
  const auto& classes = study_point.classes;
  return e.metric == "slowdown" && std::any_of(classes.begin(), classes.end(), [&](const auto& c) {
           return (e.class_name == "all" || e.class_name == c.name) && c.size.has_small_times();
         });
}

}  // namespace muster
