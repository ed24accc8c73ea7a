#include "platform/command_line/tune_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/command_line/text_table.h"
#include "platform/metrics/csv_field.h"
#include "platform/metrics/estimate.h"
#include "platform/results/results_csv.h"
#include "platform/results/significance.h"

namespace muster {

namespace {

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
  if (c.answer == candidate::verdict::excluded) return "excluded";
  if (found.no_effect) return "no_effect";
  if (&c == &found.candidates[found.best]) return "best";
  return c.answer == candidate::verdict::worse ? "worse" : "not_worse";
}

std::string sought(const tuning_goal& goal) {
  return goal.class_name == "all" ? goal.metric : goal.metric + " of " + goal.class_name;
}

std::string not_told_apart(const search_range& range, const narrowing_result& found) {
  std::string list;
  bool worse = false;
  for (const candidate& c : found.candidates) {
    worse = worse || c.answer == candidate::verdict::worse;
    if (c.answer == candidate::verdict::left && &c != &found.candidates[found.best])
      list += (list.empty() ? "" : ", ") + range.text(c.value);
  }
  if (!list.empty()) return fmt::format("cannot be told apart from it: {}\n", list);
  return worse ? "all others tried are worse\n" : "no other value tried is a candidate\n";
}

std::string no_effect(const tuning_question& asked, const narrowing_result& found) {
  const auto same = std::count_if(found.candidates.begin(), found.candidates.end(),
                                  [](const candidate& c) { return c.answer == candidate::verdict::left; });
  return fmt::format("{} has no effect on {}: {} values give the same numbers to the last digit\n", asked.key,
                     sought(asked.goal), same);
}

std::vector<table_row> table(const tuning_question& asked, const narrowing_result& found) {
  std::vector<table_row> rows{{asked.key, "replications", head_of_intervals("estimate"),
                               head_of_intervals("difference to the best"), "verdict"}};
  for (const candidate& c : found.candidates) {
    const estimate e = estimate_of(c);
    const std::string answer = c.answer == candidate::verdict::excluded ? c.why : word(found, c);
    rows.push_back(row_of(setting_field(asked.range.text(c.value)), c.found.size(), estimate_field(e, digits),
                          difference_field(to_best(found, c), digits),
                          answer == "not_worse"   ? "cannot be told apart"
                          : answer == "no_effect" ? "the same"
                                                  : answer));
  }
  return rows;
}

}  // namespace

std::string tuning_heading(const tuning_question& asked) {
  const std::vector<study::point>& points = asked.what.points;
  std::string text = fmt::format("{}: {} {}, to {} {}\n", asked.what.name, asked.key, asked.range.words(),
                                 asked.goal.terms.maximize ? "maximize" : "minimize", sought(asked.goal));
  if (points.size() > 1) text += fmt::format("each of the {} points of the sweep is tuned by itself\n", points.size());
  return text + fmt::format("mean +- half-width of its own 95 % confidence interval; times in {}\n",
                            points.front().what.unit.name);
}

std::string tuning_progress(const tuning_question& asked, const narrowing_result& so_far) {
  const auto left = std::count_if(so_far.candidates.begin(), so_far.candidates.end(),
                                  [](const candidate& c) { return c.answer == candidate::verdict::left; });
  return fmt::format("{} of at most {} replications: {} of {} values left, the best so far {} = {}\n", so_far.spent,
                     asked.goal.terms.budget, left, so_far.candidates.size(), asked.key,
                     asked.range.text(so_far.candidates[so_far.best].value));
}

printed_output tuning_text(const tuning_question& asked, std::size_t point, const narrowing_result& found) {
  const candidate& best = found.candidates[found.best];
  const estimate e = estimate_of(best);
  std::string text = "\n";
  if (asked.what.points.size() > 1) text += asked.what.label(point) + "\n";
  if (found.no_effect)
    text += no_effect(asked, found);
  else
    text += fmt::format("best: {} = {}, {} {}\n", asked.key, asked.range.text(best.value), asked.goal.metric,
                        with_half_width(*e.mean, e.ci_low, digits)) +
            not_told_apart(asked.range, found);
  text += fmt::format(
      found.budget_spent ? "stopped by the budget: {} of {} replications\n" : "{} of at most {} replications\n",
      found.spent, asked.goal.terms.budget);
  if (!found.no_effect)
    text += fmt::format(
        "worse: by a paired t, corrected for {} ({} at {}): the best of those tried is dropped with a\n"
        "probability of 5 % at most\n",
        counted(found.comparisons(), "comparison"), counted(found.candidates.size() - 1, "other value"),
        counted(found.looks, "look"));
  printed_output all("values");
  all.say(text + "\n");
  const table_context place = table_context::of_point(asked.what, point);
  if (!found.no_effect)
    all.add_data("best", {{"key", "value"}, {asked.key, setting_field(asked.range.text(best.value))}}, place);
  all.add("values", table(asked, found), place);
  return all;
}

std::string tuning_csv_header(const study& s) {
  return csv_begin(s) +
         ",key,value,class,metric,replications,estimate,ci_low,ci_high,difference,difference_ci_low,"
         "difference_ci_high,verdict,reason\n";
}

std::string tuning_csv_rows(const tuning_question& asked, std::size_t point, const narrowing_result& found) {
  std::string rows;
  for (const candidate& c : found.candidates) {
    const estimate e = estimate_of(c);
    rows += csv_row(csv_begin(asked.what, point), asked.key, asked.range.text(c.value), asked.goal.class_name,
                    asked.goal.metric, c.found.size(), e.mean, e.ci_low, e.ci_high, to_best(found, c), word(found, c),
                    c.why);
  }
  return rows;
}

}  // namespace muster
