#include "platform/search/scenario_search.h"

#include <algorithm>

#include "platform/experiment/simulation_task.h"
#include "platform/search/scenario_trials.h"
#include "platform/simulation/watchdog.h"

namespace muster {

std::string simulate_trial(const std::string& name, scenario of_trial, std::uint32_t replication) {
  const watchdog guard(trial_label(name, replication));
  of_trial.run.precision.reset();  // all get equally many jobs
  watching watch;
  watch.unstable = false;  // refuse() leaves out what is known to be unstable
  return to_bytes(run_replication(of_trial, replication, watch));
}

search_result tune(const search_request& request, const scenario_maker& make,
                   const std::function<void(const search_result&)>& report) {
  scenario_trials trials(request, make);
  search_result result = seek_best(request.space, request.terms, trials.model(), report);
  if (std::all_of(result.tried.begin(), result.tried.end(), [](const trial& t) { return t.is_excluded(); }))
    trials.throw_that_none_is_left(result.tried);
  result.short_windows = trials.short_windows();
  result.short_trials = trials.short_trials();
  return result;
}

crossover_result crossover(const crossover_request& request, const scenario_maker& make,
                           const std::function<void(const crossover_result&)>& report) {
  scenario_trials trials(request, make);
  crossover_result result = find_crossings(request.range(), request.terms, trials.model(), report);
  const std::vector<paired_point>& points = result.scanned;
  if (std::all_of(points.begin(), points.end(), [](const paired_point& p) { return p.excluded(); })) {
    std::vector<trial> tried;
    tried.reserve(points.size());
    for (const paired_point& p : points) tried.push_back({{p.value}, {}, trial::verdict::excluded, p.why});
    trials.throw_that_none_is_left(tried);
  }
  result.short_windows = trials.short_windows();
  return result;
}

measured_values measure_all(const searched_study& request, std::uint32_t replications, const scenario_maker& make,
                            const std::function<void(const measured_values&)>& report) {
  scenario_trials trials(request, make);
  const search_model model = trials.model();
  measured_values measured;
  std::vector<trial>& all = measured.trials;
  const auto exclude = [](trial& t, const std::string& why) {
    t.answer = trial::verdict::excluded;
    t.why = why;
  };
  for (const double value : request.space.axes().front().range.coarse()) {
    trial& t = all.emplace_back(trial{{value}, std::vector<std::vector<double>>(model.series)});
    if (const std::string why = model.refuse(t.values); !why.empty()) exclude(t, why);
  }
  measured.short_windows = trials.short_windows();
  const std::uint32_t step = (replications + 9) / 10;
  for (std::uint32_t first = 0; first < replications; first += step) {
    std::vector<trial_replication> next;
    std::vector<trial*> of;
    for (trial& t : all)
      for (std::uint32_t r = first; r < std::min(first + step, replications) && !t.is_excluded(); ++r) {
        next.push_back({t.values, r});
        of.push_back(&t);
      }
    if (next.empty()) break;
    const std::vector<trial_outcome> outcomes = model.run(next);
    for (std::size_t at = 0; at < outcomes.size(); ++at) {
      if (outcomes[at].found.empty() && !of[at]->is_excluded()) exclude(*of[at], outcomes[at].why);
      if (!outcomes[at].found.empty()) of[at]->parts.push_back(outcomes[at].parts);
      for (std::size_t s = 0; s < outcomes[at].found.size(); ++s) of[at]->found[s].push_back(outcomes[at].found[s]);
    }
    report(measured);
  }
  measured.any_fault = trials.any_fault();
  return measured;
}

}  // namespace muster
