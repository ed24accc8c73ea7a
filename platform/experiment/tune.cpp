#include "platform/experiment/tune.h"

#include <algorithm>

#include "platform/experiment/scenario_trials.h"
#include "platform/experiment/unmeasurable.h"

namespace muster {

narrowing_result tune(const search_range& range, const tuning_goal& goal,
                      const std::function<scenario(double)>& scenario_of,
                      const std::function<void(const narrowing_result&)>& told) {
  scenario_trials candidates(goal.metric, goal.class_name, goal.workers,
                             [&](double value, std::size_t) { return scenario_of(value); });
  narrowing_result found = narrow(range, goal.terms,
                                  {[&](double value) { return candidates.refuse(value); },
                                   [&](const std::vector<trial>& trials) { return candidates.run(trials); }},
                                  told);
  const auto is_excluded = [](const candidate& c) { return c.answer == candidate::verdict::excluded; };
  if (!std::all_of(found.candidates.begin(), found.candidates.end(), is_excluded)) return found;
  const auto is_fault = [](const candidate& c) { return scenario_trials::is_fault(c.why); };
  const auto fault = std::find_if(found.candidates.begin(), found.candidates.end(), is_fault);
  const bool any_fault = fault != found.candidates.end();
  const candidate& shown = any_fault ? *fault : found.candidates.front();
  throw_unmeasurable(range, {shown.value, shown.why}, any_fault);
}

}  // namespace muster
