#include "platform/search/exploration.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "platform/metrics/sample.h"
#include "platform/search/combination_order.h"
#include "platform/search/narrowing.h"

namespace muster {

namespace {

constexpr std::size_t most_of_a_key = 7;
constexpr std::size_t walks = 3;  // rounds in the finest steps, beyond the one of the last halving

bool is_not_dropped(const combination& c) { return c.answer == combination::verdict::left; }

std::vector<std::uint32_t> numbers_of_replications(std::uint32_t most) {
  std::vector<std::uint32_t> looks;
  for (std::uint32_t n = most; n > first_look(most); n /= 2) looks.push_back(n);
  looks.push_back(first_look(most));
  std::reverse(looks.begin(), looks.end());
  return looks;
}

/// The finest coarse grid that half of the budget allows.
search_grid first_grid(const std::vector<grid_axis>& axes, const exploration_terms& terms, std::uint32_t first) {
  std::vector<axis_extent> extents;
  extents.reserve(axes.size());
  for (const grid_axis& axis : axes) extents.push_back(axis.extent());
  const auto cost_of = [&](std::size_t most) { return search_grid(extents, most).coarse().size() * first; };
  for (std::size_t most = most_of_a_key; most >= 2; --most)
    if (cost_of(most) <= terms.budget / (most > 2 ? 2 : 1)) return {extents, most};
  throw std::invalid_argument(
      fmt::format("expected at least {}: a first look takes {} combinations of {} replications each", cost_of(2),
                  cost_of(2) / first, first));
}

/// The state of one search.
class exploring_search {
 public:
  exploring_search(const std::vector<grid_axis>& axes, const exploration_terms& terms, const explored_model& model,
                   const std::function<void(const exploration_result&)>& told)
      : terms_(terms),
        model_(model),
        told_(told),
        looks_(numbers_of_replications(terms.replications)),
        grid_(first_grid(axes, terms, looks_.front())) {
    found_.rounds = grid_.halvings() + walks + looks_.size();
  }

  exploration_result all() {
    for (const grid_place& place : grid_.coarse()) add(place);
    found_.coarse = found_.tried.size();
    measure_and_judge(looks_.front());
    for (std::size_t left = grid_.halvings() + walks; left > 0; --left) {
      if (left > walks) grid_.halve();
      refine(left);
    }
    for (std::size_t look = 1; look < looks_.size(); ++look) measure_and_judge(looks_[look]);
    return std::move(found_);
  }

 private:
  void add(const grid_place& place) {
    if (!places_.insert(place).second) return;
    const std::string why = model_.refuse(place);
    found_.tried.push_back({place, std::vector<std::vector<double>>(model_.series),
                            why.empty() ? combination::verdict::left : combination::verdict::excluded, why,
                            std::vector<int>(terms_.constraints.size(), 0)});
  }

  void measure_and_judge(std::uint32_t n) {
    measure(n);
    judge_all();
    told_(found_);
  }

  void measure(std::uint32_t n) {
    std::vector<explored_model::trial> trials;
    std::vector<combination*> of;
    for (const auto& [ahead, i] : by_promise()) {
      combination& c = found_.tried[i];
      if (trials.size() + n - c.replications() > terms_.budget - found_.spent) {
        found_.budget_spent = true;
        break;
      }
      for (auto r = static_cast<std::uint32_t>(c.replications()); r < n; ++r) {
        trials.push_back({c.place, r});
        of.push_back(&c);
      }
    }
    const std::vector<explored_model::outcome> outcomes = model_.run(trials);
    found_.spent += trials.size();
    for (std::size_t t = 0; t < trials.size(); ++t) {
      combination& c = *of[t];
      if (!is_not_dropped(c)) continue;
      if (outcomes[t].found.empty()) {
        c.answer = combination::verdict::excluded;
        c.why = outcomes[t].why;
      }
      for (std::size_t s = 0; s < outcomes[t].found.size(); ++s) c.found[s].push_back(outcomes[t].found[s]);
    }
  }

  // All that were measured count, so that the share of a statement does not depend on what is found.
  void judge_all() {
    std::size_t measured = 0;
    for (const combination& c : found_.tried) measured += c.answer == combination::verdict::excluded ? 0 : 1;
    if (measured == 0) return;
    const std::size_t others = measured - 1, pairs = terms_.objectives.size() > 1 ? measured * others : others;
    found_.statements = std::max<std::size_t>(1, measured * terms_.constraints.size() + pairs);
    const double alpha = found_.error_of_a_statement();
    for (combination& c : found_.tried)
      if (is_not_dropped(c)) judge_constraints(c, alpha);
    find_front();
    for (combination& c : found_.tried)
      if (is_not_dropped(c) && std::any_of(found_.front.begin(), found_.front.end(), [&](std::size_t f) {
            return is_better(found_.tried[f], c, terms_.objectives, alpha);
          }))
        c.answer = combination::verdict::worse;
  }

  void judge_constraints(combination& c, double alpha) const {
    for (std::size_t k = 0; k < c.meets.size(); ++k) {
      const search_constraint& bound = terms_.constraints[k];
      if (const int found = judge(bound, c.found[bound.series], alpha); found != 0) c.meets[k] = found;
      if (c.meets[k] < 0) c.answer = combination::verdict::violating;
    }
  }

  void find_front() {
    found_.front.clear();
    std::vector<std::size_t> fit;
    for (std::size_t i = 0; i < found_.tried.size(); ++i)
      if (is_not_dropped(found_.tried[i]) && found_.tried[i].meets_all()) fit.push_back(i);
    for (const std::size_t i : fit)
      if (std::none_of(fit.begin(), fit.end(), [&](std::size_t other) {
            return excels(found_.tried[other], found_.tried[i], terms_.objectives);
          }))
        found_.front.push_back(i);
    const auto first_objective = [&](std::size_t i) {
      const double mean = mean_of(found_.tried[i].found[terms_.objectives.front().series]);
      return terms_.objectives.front().maximize ? -mean : mean;
    };
    std::sort(found_.front.begin(), found_.front.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(first_objective(a), a) < std::pair(first_objective(b), b);
    });
    if (terms_.objectives.size() == 1 && found_.front.size() > 1) found_.front.resize(1);
  }

  bool seems_to_meet(const combination& c) const { return violation(c, terms_.constraints) == 0.0; }

  // Those left, the most promising first: how many excel it by the means, and its place among those tried. Those that
  // have not been measured yet come first.
  std::vector<std::pair<std::size_t, std::size_t>> by_promise() const {
    std::vector<std::size_t> fit;
    for (std::size_t i = 0; i < found_.tried.size(); ++i)
      if (is_not_dropped(found_.tried[i]) && seems_to_meet(found_.tried[i])) fit.push_back(i);
    std::vector<std::pair<std::size_t, std::size_t>> ranked;
    for (std::size_t i = 0; i < found_.tried.size(); ++i) {
      const combination& c = found_.tried[i];
      if (!is_not_dropped(c)) continue;
      std::size_t ahead = 0;
      if (c.replications() > 0) {
        ahead = seems_to_meet(c) ? 0 : found_.tried.size();
        for (const std::size_t other : fit)
          if (excels(found_.tried[other], c, terms_.objectives)) ++ahead;
      }
      ranked.emplace_back(ahead, i);
    }
    std::sort(ranked.begin(), ranked.end());
    return ranked;
  }

  // Whether it violates a constraint as far as a test of its own tells. That proves nothing of many combinations, but
  // it is seldom worth while to look around it.
  bool hardly_meets(const combination& c) const {
    constexpr double one_sided = 0.025;
    return c.replications() > 1 &&
           std::any_of(terms_.constraints.begin(), terms_.constraints.end(), [&](const search_constraint& bound) {
             return judge(bound, c.found[bound.series], one_sided) < 0;
           });
  }

  // Around which to refine: those left that may meet all constraints; where none of them seems to, all others, too,
  // those that are nearest to it first.
  std::vector<std::size_t> parents() const {
    std::vector<std::size_t> all;
    bool fit = false;
    for (const auto& [ahead, i] : by_promise()) {
      all.push_back(i);
      fit = fit || seems_to_meet(found_.tried[i]);
    }
    if (fit) {
      all.erase(std::remove_if(all.begin(), all.end(), [&](std::size_t i) { return hardly_meets(found_.tried[i]); }),
                all.end());
      return all;
    }
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t i = 0; i < found_.tried.size(); ++i)
      if (!is_not_dropped(found_.tried[i])) others.emplace_back(violation(found_.tried[i], terms_.constraints), i);
    std::sort(others.begin(), others.end());
    for (const auto& [beyond, i] : others) all.push_back(i);
    return all;
  }

  // @param left rounds of refinement, this one included
  void refine(std::size_t left) {
    // Under constraints half of the budget is left to decide who meets them.
    const std::size_t most = terms_.budget - terms_.budget / (terms_.constraints.empty() ? 4 : 2);
    const std::size_t share = found_.spent < most ? (most - found_.spent) / left : 0;
    std::size_t affordable = share / looks_.front();
    const std::size_t before = found_.tried.size();
    const std::vector<std::size_t> around = parents();
    for (const std::size_t parent : around)
      for (const grid_place& place : grid_.around(grid_place(found_.tried[parent].place))) {
        if (places_.count(place) > 0) continue;
        if (affordable == 0) {
          found_.budget_spent = found_.budget_spent || parent == around.front();
          continue;
        }
        add(place);
        if (is_not_dropped(found_.tried.back())) --affordable;
      }
    if (found_.tried.size() > before) measure_and_judge(looks_.front());
  }

  const exploration_terms& terms_;
  const explored_model& model_;
  const std::function<void(const exploration_result&)>& told_;
  std::vector<std::uint32_t> looks_;
  search_grid grid_;
  std::set<grid_place> places_;  // of all that were tried
  exploration_result found_;
};

}  // namespace

exploration_result explore(const std::vector<grid_axis>& axes, const exploration_terms& terms,
                           const explored_model& model, const std::function<void(const exploration_result&)>& told) {
  return exploring_search(axes, terms, model, told).all();
}

}  // namespace muster
