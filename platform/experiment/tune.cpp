#include "platform/experiment/tune.h"

#include <algorithm>

#include "platform/experiment/scenario_trials.h"

namespace muster {

narrowing_result tune(const search_range& range, const tuning_goal& goal,
                      const std::function<scenario(double)>& scenario_of,
                      const std::function<void(const narrowing_result&)>& told) {
  scenario_trials candidates(goal.metric, goal.class_name, goal.workers,
                             [&](double value, std::size_t) { return scenario_of(value); });
  narrowing_result found = narrow(range, goal.terms, candidates.model(), told);
  const auto is_excluded = [](const candidate& c) { return c.answer == candidate::verdict::excluded; };
  if (std::all_of(found.candidates.begin(), found.candidates.end(), is_excluded))
    candidates.throw_unmeasurable(range, found.candidates.front().value, found.candidates.front().why);
  return found;
}

}  // namespace muster
