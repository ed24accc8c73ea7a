#include "platform/search/scenario_search.h"

#include <algorithm>

namespace muster {

search_result tune(const search_request& request, const scenario_trials::scenario_maker& make,
                   const std::function<void(const search_result&)>& report) {
  scenario_trials trials(request.space, request.metrics, request, make);
  search_result result = seek_best(request.space, request.terms, trials.model(), report);
  if (std::all_of(result.tried.begin(), result.tried.end(), [](const trial& t) { return t.is_excluded(); }))
    trials.throw_that_none_is_left(result.tried.front().values, result.tried.front().why);
  result.short_windows = trials.short_windows();
  return result;
}

crossover_result crossover(const crossover_request& request, const scenario_trials::scenario_maker& make,
                           const std::function<void(const crossover_result&)>& report) {
  scenario_trials trials(request.space, {request.metric}, request, make,
                         {request.policies.begin(), request.policies.end()});
  crossover_result result = find_crossings(request.range(), request.terms, trials.model(), report);
  const std::vector<paired_point>& points = result.scanned.points;
  if (std::all_of(points.begin(), points.end(), [](const paired_point& p) { return p.excluded(); }))
    trials.throw_that_none_is_left({points.front().value}, points.front().why);
  result.short_windows = trials.short_windows();
  return result;
}

}  // namespace muster
