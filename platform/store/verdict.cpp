#include "platform/store/verdict.h"

#include <algorithm>

namespace muster {

const estimate* find_estimate(const std::vector<estimate>& all, const metric_of_class& of) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const estimate& e) {
    return e.metric == of.metric && e.class_name == of.class_name;
  });
  return found == all.end() || !found->mean ? nullptr : &*found;
}

std::vector<const entrant*> contest::of(policy_rank rank) const {
  std::vector<const entrant*> of_rank;
  for (const entrant& c : ranked)
    if (c.rank == rank) of_rank.push_back(&c);
  return of_rank;
}

}  // namespace muster
