#include "platform/command_line/search_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/range/irange.hpp>

#include "platform/command_line/search_tables.h"
#include "platform/inference/significance.h"
#include "platform/search/search_findings.h"
#include "platform/tables/number_text.h"
#include "platform/tables/writers.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr int digits = 5;

bool has_front(const search_request& request) { return request.terms.objectives.size() > 1; }

std::vector<const trial*> by_value(const search_result& result) {
  std::vector<const trial*> all;
  for (const trial& t : result.tried) all.push_back(&t);
  std::sort(all.begin(), all.end(), [](const trial* a, const trial* b) { return a->values < b->values; });
  return all;
}

std::string verdict_of(const search_request& request, const search_result& result, const trial& t) {
  if (t.is_excluded()) return "excluded";
  if (result.no_effect) return "no_effect";
  if (t.answer == trial::verdict::violating) return "violating";
  if (t.answer == trial::verdict::worse) return "worse";
  if (result.in_front(t)) return has_front(request) ? "front" : "best";
  return t.meets_all() ? "not_worse" : "undecided";
}

// What is to be known of a trial whose window is too short; null: it is not.
const std::string* short_window_of(const search_result& result, const trial& t) {
  const auto found = result.short_trials.find(t.values);
  return found == result.short_trials.end() ? nullptr : &found->second;
}

// The verdict on a trial, or the reason for leaving it out, as people read it.
std::string verdict_words(const search_request& request, const search_result& result, const trial& t) {
  if (t.is_excluded()) return t.why;
  const std::string verdict = verdict_of(request, result, t);
  return (verdict == "not_worse"   ? "cannot be told apart"
          : verdict == "no_effect" ? "the same"
                                   : verdict) +
         (short_window_of(result, t) ? ", short" : "");
}

std::string estimates_text(const search_request& request, const trial& t) {
  std::vector<std::string> words;
  for (std::size_t s = 0; s < request.metrics.size(); ++s)
    words.push_back(request.metrics[s].text() + " " +
                    shown_text(column("").with_digits(digits), shown_interval(t.found[s])));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string bound_text(const search_request& request, const search_constraint& bound) {
  return fmt::format("{} {} {}", request.metrics[bound.series].text(),
                     bound.at_most ? "<=" : ">=", shortest(bound.bound));
}

std::size_t count(const search_request& request, const search_result& result, const std::string& verdict) {
  return static_cast<std::size_t>(std::count_if(result.tried.begin(), result.tried.end(), [&](const trial& t) {
    return verdict_of(request, result, t) == verdict;
  }));
}

std::string answer(const search_request& request, const search_result& result) {
  if (result.no_effect)
    return fmt::format("{} {} no effect on {}: {}s give the same numbers to the last digit\n",
                       fmt::join(request.space.keys(), ", "), request.is_over_one_key() ? "has" : "have",
                       request.metrics.front().text(),
                       fmt::format("{} {}", count(request, result, "no_effect"), request.space.noun()));
  if (result.front.empty())
    return request.terms.constraints.empty()
               ? ""
               : fmt::format("best: none: no {} is known to meet all constraints\n", request.space.noun());
  std::string text;
  for (const std::size_t f : result.front) {
    const trial& t = result.tried[f];
    const std::string estimates = estimates_text(request, t);
    const std::string* const too_short = short_window_of(result, t);
    text += has_front(request) ? fmt::format("front: {}: {}{}\n", request.space.assignments(t.values), estimates,
                                             too_short ? ", short" : "")
                               : fmt::format("best: {}\n{}\n{}", request.space.assignments(t.values, "\nbest: "),
                                             estimates, too_short ? fmt::format("short: {}\n", *too_short) : "");
  }
  return text;
}

std::string others(const search_request& request, const search_result& result) {
  std::string text;
  const auto add = [&](const char* verdict, const std::string& words) {
    if (const std::size_t n = count(request, result, verdict); n > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, words);
  };
  add("not_worse", has_front(request) ? "may belong to the front" : "cannot be told apart from it");
  add("undecided", "may meet the constraints or not");
  add("worse", "worse");
  add("violating", "violate a constraint");
  add("excluded", "excluded");
  return fmt::format("of {} tried: {}\n", counted(result.tried.size(), request.space.noun()),
                     text.empty() ? "no others" : text);
}

// "--replications N --budget M" with which most of those that are undecided would be decided.
std::string way_to_decide(const search_request& request, const search_result& result) {
  const deciding_budget needed = budget_to_decide(result, request.terms);
  if (needed.open == 0) return "";
  if (needed.decided == 0) return "undecided: too close to the bounds for 10000 replications to tell\n";
  const auto rounded_up = [](std::size_t n) {
    std::size_t unit = 1;
    while (n / unit >= 100) unit *= 10;
    return (n + unit - 1) / unit * unit;
  };
  return fmt::format("undecided: {} of {} would be decided by about --replications {} --budget {}\n", needed.decided,
                     needed.open, rounded_up(needed.replications), rounded_up(needed.budget));
}

// The exclusions: for each kind of reason how many were excluded for it, the first of them, and the reason; the rest is
// in tune.csv. Of a single key the table has the reasons.
std::string exclusions(const search_request& request, const search_result& result) {
  if (request.is_over_one_key()) return "";
  constexpr std::size_t most_kinds = 4;
  const std::vector<exclusion> kinds = exclusions_among(result.tried);
  std::string text;
  std::size_t shown = 0;
  for (const exclusion& of : kinds)
    if (++shown <= most_kinds)
      text += fmt::format("excluded{}: {}: {}\n", of.count > 1 ? fmt::format(", {} such as", of.count) : "",
                          request.space.assignments(of.first->values), of.first->why);
  if (shown > most_kinds)
    text += fmt::format("excluded for {} more reasons: see tune.csv of --out\n", shown - most_kinds);
  return text;
}

std::string certainty(const search_request& request, const search_result& result) {
  if (result.no_effect) return "";
  return fmt::format("by t-tests, paired between {}s, corrected for {} at {}: with a probability of 95 %\n{}{}\n",
                     request.space.noun(), counted(result.statements, "statement"), counted(result.looks, "look"),
                     request.terms.constraints.empty() ? "" : "all that is said of constraints is right, and ",
                     has_front(request) ? "none of those tried that belongs to the front is dropped"
                                        : "the best of those tried is not dropped");
}

// The difference of a number to that of the best trial, over the replications that both have.
std::optional<difference> to_best(const search_request& request, const search_result& result, const trial& t,
                                  std::size_t series) {
  if (has_front(request) || result.front.empty() || result.in_front(t)) return std::nullopt;
  const trial& best = result.tried[result.front.front()];
  const auto common = static_cast<std::ptrdiff_t>(std::min(best.replications(), t.replications()));
  if (common == 0) return std::nullopt;
  const auto first = [&](const trial& of) {
    return std::vector<double>{of.found[series].begin(), of.found[series].begin() + common};
  };
  return students_difference(first(best), first(t));
}

// A column for each metric. @param values of a row and the number of a metric
template <class Row, class Values>
void add_metrics(table_layout<Row>& layout, const search_request& request, const Values& values) {
  for (std::size_t s = 0; s < request.metrics.size(); ++s)
    layout.interval(column(request.metrics[s].text()).with_digits(digits),
                    [values, s](const Row& row) { return cell(shown_interval(values(row, s))); });
}

table_layout<const trial*> layout_of_values(const search_request& request, const char* name) {
  table_layout<const trial*> layout(name);
  layout.settings(request.space.keys(), [&](const trial* t) { return request.space.texts(t->values); });
  return layout;
}

const std::vector<double>& values_of_trial(const trial* t, std::size_t series) { return t->found[series]; }

// The table for people: of one key all values, of several the combinations that are left.
data_table readable_table(const search_request& request, const search_result& result) {
  auto layout = layout_of_values(request, "trials");
  layout.whole("replications", [](const trial* t) { return t->replications(); });
  add_metrics(layout, request, values_of_trial);
  if (!has_front(request))
    layout.interval(column("difference to the best").with_digits(digits), [&](const trial* t) {
      return cell(interval_of(to_best(request, result, *t, request.terms.objectives.front().series)));
    });
  layout.text("verdict", [&](const trial* t) { return verdict_words(request, result, *t); });
  std::vector<const trial*> shown;
  for (const trial* t : by_value(result))
    if (t->is_left() || request.is_over_one_key()) shown.push_back(t);
  return layout.table(shown);
}

// The table for people of the share of the variance that each key explains.
data_table effects_of_keys(const search_request& request, const search_result& result) {
  table_layout<std::size_t> layout("effects");
  layout.text("key", [&](std::size_t k) { return request.space.axes()[k].key; });
  add_metrics(layout, request, [&](std::size_t k, std::size_t s) { return shares_of_variance(result, k, s); });
  return layout.table(boost::irange(request.space.axes().size()));
}

// The best combination, or the front, below the point.
data_table best(const search_request& request, const search_result& result) {
  table_layout<const trial*> layout(has_front(request) ? "front" : "best");
  layout.whole(column("point").said_above(), [&](const trial*) { return request.point; })
      .settings(request.subject->keys, [&](const trial*) { return request.subject->points[request.point].values; })
      .all_of(layout_of_values(request, ""), [](const trial* t) { return t; });
  add_metrics(layout, request, values_of_trial);
  std::vector<const trial*> front;
  for (const std::size_t f : result.front) front.push_back(&result.tried[f]);
  return layout.table(front);
}

std::string met(const search_request& request, const trial& t, std::size_t series) {
  static constexpr const char* words[] = {"violated", "undecided", "met"};
  std::string all;
  for (std::size_t k = 0; k < t.meets.size(); ++k)
    if (request.terms.constraints[k].series == series && !t.is_excluded())
      all += (all.empty() ? "" : ";") + std::string(words[t.meets[k] + 1]);
  return all;
}

}  // namespace

std::string search_heading(const search_request& request) {
  std::vector<std::string> axes, goals, bounds;
  for (const search_axis& axis : request.space.axes()) axes.push_back(axis.key + " " + axis.range.words());
  for (const search_objective& o : request.terms.objectives)
    goals.push_back(fmt::format("{} {}", o.maximize ? "maximize" : "minimize", request.metrics[o.series].text()));
  for (const search_constraint& c : request.terms.constraints) bounds.push_back(bound_text(request, c));
  std::string text =
      fmt::format("{}: {}, to {}", request.subject->name, fmt::join(axes, ", "), fmt::join(goals, " and to "));
  if (!bounds.empty()) text += fmt::format(", where {}", fmt::join(bounds, " and "));
  text += "\n";
  text += line_on_sweep(*request.subject, "tuned");
  return text + fmt::format("mean +- half-width of its own 95 % confidence interval, or its ends; times in {}\n",
                            request.subject->points.front().model.unit.name);
}

std::string search_progress(const search_request& request, const search_result& so_far) {
  const auto left = std::count_if(so_far.tried.begin(), so_far.tried.end(), [](const trial& t) { return t.is_left(); });
  std::string best;
  if (has_front(request))
    best = fmt::format("{} in the front", so_far.front.size());
  else
    best = so_far.front.empty()
               ? "none known to meet all constraints"
               : "the best so far " + request.space.assignments(so_far.tried[so_far.front.front()].values);
  return fmt::format("{} of at most {} replications: {} of {} left, {}\n", so_far.spent, request.terms.budget, left,
                     counted(so_far.tried.size(), request.space.noun()), best);
}

table_document search_text(const search_request& request, const search_result& result) {
  std::string text = "\n";
  if (request.subject->points.size() > 1) text += request.subject->label(request.point) + "\n";
  text += answer(request, result);
  if (!result.no_effect) text += others(request, result) + way_to_decide(request, result);
  text += exclusions(request, result);
  text += fmt::format("{} of at most {} replications{}\n", result.spent, request.terms.budget,
                      result.budget_spent ? ": a larger budget would go further" : "");
  const std::string trials = fmt::format("{}s", request.space.noun());
  table_document all(trials);
  all.say(text + certainty(request, result) + "\n");
  if (!result.no_effect) all.add_data(best(request, result));
  all.say(to_terminal(readable_table(request, result)));
  all.add_data(trial_table(request, result));
  if (request.is_over_one_key()) return all;
  all.say(fmt::format(
      "\nshare of the variance over the coarse grid ({} combinations) that the values of a key explain alone,\n"
      "mean over the replications +- half-width of its 95 % confidence interval, or its ends\n",
      result.coarse));
  all.say(to_terminal(effects_of_keys(request, result)));
  all.add_data(key_effect_table(request, result));
  return all;
}

data_table trial_table(const search_request& request, const search_result& result) {
  struct row {
    const trial* of;
    std::size_t series;  // of the metric
    const std::vector<double>& values() const { return of->found[series]; }
  };
  const std::string keys = fmt::format("{}", fmt::join(request.space.keys(), ";"));
  auto layout = layout_of_point<row>(request, fmt::format("{}s", request.space.noun()));
  layout.text("key", [&](const row&) -> const std::string& { return keys; })
      .text("value", [&](const row& r) { return fmt::format("{}", fmt::join(request.space.texts(r.of->values), ";")); })
      .text("class", [&](const row& r) { return request.metrics[r.series].class_name; })
      .text("metric", [&](const row& r) { return request.metrics[r.series].metric; })
      .whole("replications", [](const row& r) { return r.values().size(); });
  add_numbers(layout, "estimate", "", [](const row& r) { return interval_of(r.values()); });
  add_numbers(layout, "difference", "difference_",
              [&](const row& r) { return interval_of(to_best(request, result, *r.of, r.series)); });
  layout.text("verdict", [&](const row& r) { return verdict_of(request, result, *r.of); })
      .text("reason", [](const row& r) { return r.of->why; })
      .text("constraint", [&](const row& r) { return met(request, *r.of, r.series); })
      .settings(request.space.keys(), [&](const row& r) { return request.space.texts(r.of->values); });
  std::vector<row> rows;
  for (const trial* t : by_value(result))
    for (std::size_t s = 0; s < request.metrics.size(); ++s) rows.push_back({t, s});
  return layout.table(rows);
}

data_table key_effect_table(const search_request& request, const search_result& result) {
  struct row {
    std::size_t key, series;  // places
  };
  auto layout = layout_of_point<row>(request, "key_effects");
  layout.text("key", [&](const row& r) { return request.space.axes()[r.key].key; })
      .text("class", [&](const row& r) { return request.metrics[r.series].class_name; })
      .text("metric", [&](const row& r) { return request.metrics[r.series].metric; });
  add_numbers(layout, "share_of_variance", "",
              [&](const row& r) { return interval_of(shares_of_variance(result, r.key, r.series)); });
  std::vector<row> rows;
  for (std::size_t k = 0; k < request.space.axes().size(); ++k)
    for (std::size_t s = 0; s < request.metrics.size(); ++s) rows.push_back({k, s});
  return layout.table(rows);
}

}  // namespace muster
