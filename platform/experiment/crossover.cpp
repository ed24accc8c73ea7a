#include "platform/experiment/crossover.h"

#include <algorithm>

#include "platform/experiment/scenario_trials.h"

namespace muster {

crossover_result find_crossings(const search_range& range, const crossover_terms& terms, const tuned_model& model,
                                const std::function<void(const crossover_result&)>& told) {
  crossover_result found;
  found.scanned = scan(range, terms, model, [&](const scan_result& so_far) {
    found.scanned = so_far;
    found.spent = so_far.spent;
    told(found);
  });
  crossing_locator locator(range, terms, model);
  const auto& changes = found.scanned.changes;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const std::size_t left = terms.budget - found.scanned.spent - locator.spent();
    const std::vector<crossing> before = found.crossings;
    const auto tell = [&](const crossing& so_far) {
      found.crossings.push_back(so_far);
      found.narrowed = locator.points();
      found.spent = found.scanned.spent + locator.spent();
      told(found);
      found.crossings.pop_back();
    };
    for (const crossing& one : locator.locate(changes[c], found.scanned, left / (changes.size() - c), tell))
      found.crossings.push_back(one);
  }
  found.narrowed = locator.points();
  found.spent = found.scanned.spent + locator.spent();
  return found;
}

crossover_result crossover(const search_range& range, const crossover_goal& goal,
                           const std::function<scenario(double value, std::size_t variant)>& scenario_of,
                           const std::function<void(const crossover_result&)>& told) {
  scenario_trials trials(goal.metric, goal.class_name, goal.workers, scenario_of,
                         {goal.policies.begin(), goal.policies.end()});
  crossover_result found = find_crossings(range, goal.terms, trials.model(), told);
  const auto& points = found.scanned.points;
  if (std::all_of(points.begin(), points.end(), [](const paired_point& p) { return p.excluded(); }))
    trials.throw_unmeasurable(range, points.front().value, points.front().why);
  return found;
}

}  // namespace muster
