#include "platform/search/narrowing.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "platform/metrics/sample.h"
#include "platform/results/significance.h"

namespace muster {

namespace {

bool is_left(const candidate& c) { return c.answer == candidate::verdict::left; }

/// The state of one search.
class narrowing_search {
 public:
  narrowing_search(const search_range& range, const narrowing_terms& terms, const tuned_model& model,
                   const std::function<void(const narrowing_result&)>& told)
      : range_(range), terms_(terms), model_(model), told_(told) {
    for (std::uint32_t n = terms.replications; n > first_look(terms.replications); n /= 2) looks_.push_back(n);
    looks_.push_back(first_look(terms.replications));
    std::reverse(looks_.begin(), looks_.end());
    found_.looks = looks_.size();
  }

  narrowing_result all() {
    for (const double value : range_.coarse()) add(value);
    if (const std::size_t first = cost_of(looks_.front()); first > terms_.budget)
      throw std::invalid_argument(
          fmt::format("expected at least {}: a first look takes {} values of {} replications each", first,
                      first / looks_.front(), looks_.front()));
    for (const std::uint32_t n : looks_)
      if (!look(n)) break;
    return std::move(found_);
  }

 private:
  bool is_last(std::uint32_t n) const { return n == looks_.back(); }

  void add(double value) {
    const std::string why = model_.refuse(value);
    found_.candidates.push_back(
        {value, {}, why.empty() ? candidate::verdict::left : candidate::verdict::excluded, why});
  }

  // Before the last look the gaps are halved only once: what cannot be told apart yet may well be later.
  // @return whether to go on
  bool look(std::uint32_t n) {
    if (cost_of(n) > terms_.budget - found_.spent) found_.budget_spent = true;
    if (found_.budget_spent || !measure_and_drop(n)) return false;
    found_.no_effect = n == looks_.front() && all_the_same();
    if (found_.no_effect) return false;
    for (bool again = true; again && refine(n); again = is_last(n))
      if (!measure_and_drop(n)) return false;
    return !found_.budget_spent;
  }

  // @return whether any is left
  bool measure_and_drop(std::uint32_t n) {
    measure(n);
    if (std::none_of(found_.candidates.begin(), found_.candidates.end(), is_left)) return false;
    drop();
    told_(found_);
    return true;
  }

  std::size_t cost_of(std::uint32_t n) const {
    std::size_t cost = 0;
    for (const candidate& c : found_.candidates)
      if (is_left(c)) cost += n - c.found.size();
    return cost;
  }

  // Of two values at least.
  bool all_the_same() const {
    const candidate& best = found_.candidates[found_.best];
    std::size_t measured = 0;
    for (const candidate& c : found_.candidates) {
      if (c.answer == candidate::verdict::excluded) continue;
      if (c.answer == candidate::verdict::worse || c.found != best.found) return false;
      ++measured;
    }
    return measured > 1;
  }

  void measure(std::uint32_t n) {
    std::vector<trial> trials;
    for (const candidate& c : found_.candidates)
      for (auto r = static_cast<std::uint32_t>(c.found.size()); is_left(c) && r < n; ++r)
        trials.push_back({c.value, r});
    const std::vector<trial_outcome> outcomes = model_.run(trials);
    found_.spent += trials.size();
    auto outcome = outcomes.begin();
    for (candidate& c : found_.candidates) {
      if (!is_left(c)) continue;
      for (auto missing = n - c.found.size(); missing > 0; --missing, ++outcome)
        if (outcome->found && is_left(c)) {
          c.found.push_back(*outcome->found);
        } else if (is_left(c)) {
          c.answer = candidate::verdict::excluded;
          c.why = outcome->why;
        }
    }
  }

  void drop() {
    const auto before = [&](const candidate& a, const candidate& b) {
      if (!is_left(a) || !is_left(b)) return is_left(a) && !is_left(b);
      return terms_.maximize ? mean_of(a.found) > mean_of(b.found) : mean_of(a.found) < mean_of(b.found);
    };
    const auto best = std::min_element(found_.candidates.begin(), found_.candidates.end(), before);
    found_.best = static_cast<std::size_t>(best - found_.candidates.begin());
    const auto tried = static_cast<double>(found_.candidates.size());
    const double alpha = 0.05 / static_cast<double>(looks_.size()) / std::max(1.0, tried - 1.0);
    for (candidate& c : found_.candidates)
      if (is_left(c) && &c != &*best && *students_difference(best->found, c.found).p / 2.0 <= alpha)
        c.answer = candidate::verdict::worse;
  }

  // Adds candidates in the gaps beside those left, the best first, as far as the budget goes.
  bool refine(std::uint32_t n) {
    std::vector<std::pair<std::size_t, double>> wanted;  // distance from the best in the order of values, value
    for (std::size_t i = 0; i + 1 < found_.candidates.size(); ++i) {
      const candidate &a = found_.candidates[i], &b = found_.candidates[i + 1];
      const bool beside_best = i == found_.best || i + 1 == found_.best;
      if (!is_left(a) && !is_left(b)) continue;
      if (is_left(a) && is_left(b) && !(is_last(n) && (range_.steps() > 0 || beside_best))) continue;
      if (const auto middle = range_.between(a.value, b.value))
        wanted.emplace_back(i < found_.best ? found_.best - i - 1 : i - found_.best, *middle);
    }
    std::sort(wanted.begin(), wanted.end());
    const std::size_t affordable = (terms_.budget - found_.spent) / n;
    if (wanted.size() > affordable) {
      found_.budget_spent = true;
      wanted.resize(affordable);
    }
    const double best = found_.candidates[found_.best].value;
    for (const auto& [distance, value] : wanted) add(value);
    const auto by_value = [](const candidate& a, const candidate& b) { return a.value < b.value; };
    std::sort(found_.candidates.begin(), found_.candidates.end(), by_value);
    while (found_.candidates[found_.best].value < best) ++found_.best;
    return !wanted.empty();
  }

  const search_range& range_;
  const narrowing_terms& terms_;
  const tuned_model& model_;
  const std::function<void(const narrowing_result&)>& told_;
  std::vector<std::uint32_t> looks_;
  narrowing_result found_;
};

}  // namespace

std::uint32_t first_look(std::uint32_t most) {
  constexpr std::uint32_t fewest = 4;
  while (most / 2 >= fewest) most /= 2;
  return most;
}

narrowing_result narrow(const search_range& range, const narrowing_terms& terms, const tuned_model& model,
                        const std::function<void(const narrowing_result&)>& told) {
  return narrowing_search(range, terms, model, told).all();
}

}  // namespace muster
