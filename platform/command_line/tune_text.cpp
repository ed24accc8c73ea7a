#include "platform/command_line/tune_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/command_line/estimate_text.h"
#include "platform/command_line/text_table.h"
#include "platform/metrics/csv_field.h"
#include "platform/metrics/estimate.h"
#include "platform/results/results_csv.h"
#include "platform/results/significance.h"

namespace muster {

namespace {

using verdict = candidate::verdict;

constexpr int digits = 5;

estimate estimate_of(const candidate& c) { return muster::estimate_of("", "", c.found, 0); }

// Over the replications that both have.
std::optional<difference> to_best(const narrowing_result& found, const candidate& c) {
  const candidate& best = found.candidates[found.best];
  const auto common = static_cast<std::ptrdiff_t>(std::min(best.found.size(), c.found.size()));
  if (common == 0 || &c == &best) return std::nullopt;
  return students_difference({best.found.begin(), best.found.begin() + common},
                             {c.found.begin(), c.found.begin() + common});
}

std::string word(const narrowing_result& found, const candidate& c) {
  if (c.answer == verdict::excluded) return "excluded";
  if (found.no_effect) return "no_effect";
  if (&c == &found.candidates[found.best]) return "best";
  return c.answer == verdict::worse ? "worse" : "not_worse";
}

std::string sought(const tuning_goal& goal) {
  return goal.class_name == "all" ? goal.metric : goal.metric + " of " + goal.class_name;
}

std::string not_told_apart(const search_range& range, const narrowing_result& found) {
  std::string list;
  bool worse = false;
  for (const candidate& c : found.candidates) {
    worse = worse || c.answer == verdict::worse;
    if (c.answer == verdict::left && &c != &found.candidates[found.best])
      list += (list.empty() ? "" : ", ") + range.text(c.value);
  }
  if (!list.empty()) return fmt::format("cannot be told apart from it: {}\n", list);
  return worse ? "all others tried are worse\n" : "no other value tried is a candidate\n";
}

std::string no_effect(const std::string& key, const tuning_goal& goal, const narrowing_result& found) {
  const auto same = std::count_if(found.candidates.begin(), found.candidates.end(),
                                  [](const candidate& c) { return c.answer == verdict::left; });
  return fmt::format("{} has no effect on {}: {} values give the same numbers to the last digit\n", key, sought(goal),
                     same);
}

std::string table(const std::string& key, const search_range& range, const narrowing_result& found) {
  std::vector<table_row> rows{{key, "replications", "estimate", "difference to the best", "verdict"}};
  for (const candidate& c : found.candidates) {
    const estimate e = estimate_of(c);
    const auto apart = to_best(found, c);
    const std::string answer = c.answer == verdict::excluded ? c.why : word(found, c);
    rows.push_back(row_of(range.text(c.value), c.found.size(),
                          e.mean ? with_half_width(*e.mean, e.ci_low, digits) : "-",
                          apart ? with_half_width(apart->mean, apart->ci_low, digits) : "-",
                          answer == "not_worse"   ? "cannot be told apart"
                          : answer == "no_effect" ? "the same"
                                                  : answer));
  }
  return text_table(rows);
}

}  // namespace

std::string tuning_heading(const study& s, const std::string& key, const search_range& range, const tuning_goal& goal) {
  std::string text = fmt::format("{}: {} from {} to {}, to {} {}\n", s.name, key, range.text(range.low()),
                                 range.text(range.high()), goal.terms.maximize ? "maximize" : "minimize", sought(goal));
  if (s.points.size() > 1)
    text += fmt::format("each of the {} points of the sweep is tuned by itself\n", s.points.size());
  return text + fmt::format("mean +- half-width of its own 95 % confidence interval; times in {}\n",
                            s.points.front().what.unit.name);
}

std::string tuning_progress(const std::string& key, const search_range& range, const tuning_goal& goal,
                            const narrowing_result& so_far) {
  const auto left = std::count_if(so_far.candidates.begin(), so_far.candidates.end(),
                                  [](const candidate& c) { return c.answer == verdict::left; });
  const candidate& best = so_far.candidates[so_far.best];
  return fmt::format("{} of at most {} replications: {} of {} values left, the best so far {} = {}\n", so_far.spent,
                     goal.terms.budget, left, so_far.candidates.size(), key, range.text(best.value));
}

std::string tuning_text(const study& s, std::size_t point, const std::string& key, const search_range& range,
                        const tuning_goal& goal, const narrowing_result& found) {
  const candidate& best = found.candidates[found.best];
  const estimate e = estimate_of(best);
  std::string text = "\n";
  if (s.points.size() > 1) text += s.label(point) + "\n";
  if (found.no_effect) {
    text += no_effect(key, goal, found);
  } else {
    text += fmt::format("best: {} = {}, {} {}\n", key, range.text(best.value), goal.metric,
                        with_half_width(*e.mean, e.ci_low, digits));
    text += not_told_apart(range, found);
  }
  text += found.budget_spent
              ? fmt::format("stopped by the budget: {} of {} replications\n", found.spent, goal.terms.budget)
              : fmt::format("{} of at most {} replications\n", found.spent, goal.terms.budget);
  if (!found.no_effect)
    text += fmt::format(
        "worse: by a paired t, corrected for {} ({} at {}): the best of those tried is dropped with a\n"
        "probability of 5 % at most\n",
        counted(found.comparisons(), "comparison"), counted(found.candidates.size() - 1, "other value"),
        counted(found.looks, "look"));
  return text + "\n" + table(key, range, found);
}

std::string tuning_csv_header(const study& s) {
  return csv_begin(s) +
         ",key,value,class,metric,replications,estimate,ci_low,ci_high,difference,difference_ci_low,"
         "difference_ci_high,verdict,reason\n";
}

std::string tuning_csv_rows(const study& s, std::size_t point, const std::string& key, const search_range& range,
                            const tuning_goal& goal, const narrowing_result& found) {
  std::string rows;
  for (const candidate& c : found.candidates) {
    const estimate e = estimate_of(c);
    const auto apart = to_best(found, c);
    rows += csv_row(csv_begin(s, point), key, range.text(c.value), goal.class_name, goal.metric, c.found.size(), e.mean,
                    e.ci_low, e.ci_high, apart, word(found, c), c.why);
  }
  return rows;
}

}  // namespace muster
