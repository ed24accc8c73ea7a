#include "platform/experiment/crossover.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/experiment/scenario_trials.h"
#include "platform/experiment/unmeasurable.h"

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
  scenario_trials trials(goal.metric, goal.class_name, goal.workers, scenario_of);
  std::vector<left_out> faults;
  const auto named = [&](std::size_t policy, const std::string& why) {
    return fmt::format("{}: {}", goal.policies.at(policy), why);
  };
  const tuned_model model{[&](double value) {
                            for (const std::size_t policy : {std::size_t{0}, std::size_t{1}})
                              if (const std::string why = trials.refuse(value, policy); !why.empty())
                                return named(policy, why);
                            return std::string();
                          },
                          [&](const std::vector<trial>& wanted) {
                            std::vector<trial_outcome> outcomes = trials.run(wanted);
                            for (std::size_t at = 0; at < wanted.size(); ++at) {
                              if (outcomes[at].found) continue;
                              const bool fault = scenario_trials::is_fault(outcomes[at].why);
                              outcomes[at].why = named(wanted[at].variant, outcomes[at].why);
                              if (fault) faults.push_back({wanted[at].value, outcomes[at].why});
                            }
                            return outcomes;
                          }};
  crossover_result found = find_crossings(range, goal.terms, model, told);
  const auto& points = found.scanned.points;
  if (!std::all_of(points.begin(), points.end(), [](const paired_point& p) { return p.excluded(); })) return found;
  if (!faults.empty()) throw_unmeasurable(range, faults.front(), true);
  throw_unmeasurable(range, {points.front().value, points.front().why}, false);
}

}  // namespace muster
