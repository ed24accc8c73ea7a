#include "platform/store/verdict.h"

#include <algorithm>

namespace muster {

const estimate* find_estimate(const std::vector<estimate>& all, const metric_of_class& of) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const estimate& e) {
    return e.metric == of.metric && e.class_name == of.class_name;
  });
  return found == all.end() || !found->mean ? nullptr : &*found;
}

std::vector<const contender*> contest::of(standing place) const {
  std::vector<const contender*> found;
  for (const contender& c : ranked)
    if (c.place == place) found.push_back(&c);
  return found;
}

}  // namespace muster
