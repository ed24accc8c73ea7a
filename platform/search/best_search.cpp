#include "platform/search/best_search.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "platform/search/trial_judgement.h"

namespace muster {

namespace {

constexpr std::size_t most_of_one_axis = 10, most_of_several = 7;
constexpr std::size_t walks = 3;    // rounds in the finest steps, beyond the one of the last halving
constexpr double informal = 0.025;  // one-sided error of a test that decides where to look, and is not told

std::vector<std::uint32_t> numbers_of_replications(std::uint32_t most) {
  std::vector<std::uint32_t> looks;
  for (std::uint32_t n = most; n > first_look(most); n /= 2) looks.push_back(n);
  looks.push_back(first_look(most));
  std::reverse(looks.begin(), looks.end());
  return looks;
}

/// The finest coarse grid that half of the budget allows; with two values of each axis all of it.
search_grid first_grid(const search_space& space, const search_terms& terms, std::uint32_t first) {
  const auto cost_of = [&](std::size_t most) { return search_grid(space, most).coarse().size() * first; };
  for (std::size_t most = space.axes().size() == 1 ? most_of_one_axis : most_of_several; most >= 2; --most)
    if (cost_of(most) <= terms.budget / (most > 2 ? 2 : 1)) return {space, most};
  throw std::invalid_argument(fmt::format("expected at least {}: a first look takes {} {}s of {} replications each",
                                          cost_of(2), cost_of(2) / first, space.noun(), first));
}

/// The state of one search.
class best_search {
 public:
  best_search(const search_space& space, const search_terms& terms, const search_model& model,
              const std::function<void(const search_result&)>& report)
      : terms_(terms),
        model_(model),
        report_(report),
        looks_(numbers_of_replications(terms.replications)),
        grid_(first_grid(space, terms, looks_.front())) {
    result_.looks = looks_.size();
  }

  search_result all() {
    for (const search_values& values : grid_.coarse()) add(values);
    result_.coarse = result_.tried.size();
    std::size_t rounds = grid_.halvings() + walks;
    for (const std::uint32_t n : looks_) {
      measure_and_judge(n);
      result_.no_effect = n == looks_.front() && terms_.constraints.empty() && all_the_same();
      if (result_.no_effect) break;
      const std::size_t last = n == looks_.back() ? 0 : rounds - 1;
      for (; rounds > last; --rounds) refine(n, rounds);
    }
    return std::move(result_);
  }

 private:
  void add(const search_values& values) {
    if (!places_.insert(values).second) return;
    const std::string why = model_.refuse(values);
    result_.tried.push_back({values, std::vector<std::vector<double>>(model_.series),
                             why.empty() ? trial::verdict::left : trial::verdict::excluded, why,
                             std::vector<int>(terms_.constraints.size(), 0)});
  }

  void measure_and_judge(std::uint32_t n) {
    judgement_.forget(n);
    for (bool more = true; more;) {
      const std::size_t spent = result_.spent;
      measure(n);
      if (!judgement_.judge_all()) return;
      more = judgement_.bring_back() && result_.spent > spent;
    }
    report_(result_);
  }

  void measure(std::uint32_t n) {
    std::vector<trial_replication> replications;
    std::vector<trial*> of;
    for (const auto& [ahead, i] : by_promise()) {
      trial& t = result_.tried[i];
      if (replications.size() + n - t.replications() > terms_.budget - result_.spent) {
        result_.budget_spent = true;
        break;
      }
      for (auto r = static_cast<std::uint32_t>(t.replications()); r < n; ++r) {
        replications.push_back({t.values, r});
        of.push_back(&t);
      }
    }
    const std::vector<trial_outcome> outcomes = model_.run(replications);
    result_.spent += replications.size();
    for (std::size_t r = 0; r < replications.size(); ++r) {
      trial& t = *of[r];
      if (!t.is_left()) continue;
      if (outcomes[r].found.empty()) {
        t.answer = trial::verdict::excluded;
        t.why = outcomes[r].why;
      }
      for (std::size_t s = 0; s < outcomes[r].found.size(); ++s) t.found[s].push_back(outcomes[r].found[s]);
    }
  }

  bool all_the_same() const {
    const trial* first = nullptr;
    std::size_t measured = 0;
    for (const trial& t : result_.tried) {
      if (t.is_excluded()) continue;
      if (first && t.found != first->found) return false;
      first = &t;
      ++measured;
    }
    return measured > 1;
  }

  bool seems_to_meet(const trial& t) const { return violation(t, terms_.constraints) == 0.0; }

  // The trials left, the most promising first: how many excel it by the means, and its place among those tried. Those
  // that have not been measured yet come first.
  std::vector<std::pair<std::size_t, std::size_t>> by_promise() const {
    std::vector<std::size_t> fit;
    for (std::size_t i = 0; i < result_.tried.size(); ++i)
      if (result_.tried[i].is_left() && seems_to_meet(result_.tried[i])) fit.push_back(i);
    std::vector<std::pair<std::size_t, std::size_t>> ranked;
    for (std::size_t i = 0; i < result_.tried.size(); ++i) {
      const trial& t = result_.tried[i];
      if (!t.is_left()) continue;
      std::size_t ahead = 0;
      if (t.replications() > 0) {
        ahead = seems_to_meet(t) ? 0 : result_.tried.size();
        for (const std::size_t other : fit)
          if (excels(result_.tried[other], t, terms_.objectives)) ++ahead;
      }
      ranked.emplace_back(ahead, i);
    }
    std::sort(ranked.begin(), ranked.end());
    return ranked;
  }

  // Whether it violates a constraint as far as a test of its own tells. That proves nothing of many trials, but it is
  // seldom worth while to look around it.
  bool hardly_meets(const trial& t) const {
    return t.replications() > 1 &&
           std::any_of(terms_.constraints.begin(), terms_.constraints.end(), [&](const search_constraint& bound) {
             return judge(bound, t.found[bound.series], informal) < 0;
           });
  }

  // Whether it is worse than the best, or one of the front, as far as a test of its own tells.
  bool is_hardly_best(const trial& t) const {
    return t.replications() > 1 && std::any_of(result_.front.begin(), result_.front.end(), [&](std::size_t f) {
             return is_better(result_.tried[f], t, terms_.objectives, informal);
           });
  }

  // Around which to refine: those left that may meet all constraints and may be the best; where none of them seems to
  // meet the constraints, all others, too, those that are nearest to it first.
  std::vector<std::size_t> parents() const {
    std::vector<std::size_t> all;
    bool fit = false;
    for (const auto& [ahead, i] : by_promise()) {
      all.push_back(i);
      fit = fit || seems_to_meet(result_.tried[i]);
    }
    if (fit) {
      const auto is_hopeless = [&](std::size_t i) {
        return hardly_meets(result_.tried[i]) || is_hardly_best(result_.tried[i]);
      };
      all.erase(std::remove_if(all.begin(), all.end(), is_hopeless), all.end());
      return all;
    }
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t i = 0; i < result_.tried.size(); ++i)
      if (!result_.tried[i].is_left()) others.emplace_back(violation(result_.tried[i], terms_.constraints), i);
    std::sort(others.begin(), others.end());
    for (const auto& [beyond, i] : others) all.push_back(i);
    return all;
  }

  // @param n replications of each new trial
  // @param left rounds of refinement, this one included: each may take a quarter of what is left, or its equal share
  void refine(std::uint32_t n, std::size_t left) {
    grid_.halve();
    std::size_t affordable = (terms_.budget - result_.spent) / std::min<std::size_t>(left, 4) / n;
    const std::size_t before = result_.tried.size();
    const std::vector<std::size_t> around = parents();
    for (const std::size_t parent : around)
      for (const search_values& values : grid_.around(search_values(result_.tried[parent].values))) {
        if (places_.count(values) > 0) continue;
        if (affordable == 0) {
          result_.budget_spent = result_.budget_spent || parent == around.front();
          continue;
        }
        add(values);
        if (result_.tried.back().is_left()) --affordable;
      }
    if (result_.tried.size() > before) measure_and_judge(n);
  }

  const search_terms& terms_;
  const search_model& model_;
  const std::function<void(const search_result&)>& report_;
  std::vector<std::uint32_t> looks_;
  search_grid grid_;
  std::set<search_values> places_;  // of all that were tried
  search_result result_;
  trial_judgement judgement_{terms_, result_};
};

}  // namespace

std::uint32_t first_look(std::uint32_t most) {
  constexpr std::uint32_t fewest = 4;
  while (most / 2 >= fewest) most /= 2;
  return most;
}

search_result seek_best(const search_space& space, const search_terms& terms, const search_model& model,
                        const std::function<void(const search_result&)>& report) {
  return best_search(space, terms, model, report).all();
}

}  // namespace muster
