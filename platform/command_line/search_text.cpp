#include "platform/command_line/search_text.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/text_table.h"
#include "platform/inference/significance.h"
#include "platform/metrics/estimate.h"
#include "platform/search/deciding_budget.h"
#include "platform/search/key_effects.h"
#include "platform/tables/number_text.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr int digits = 5;

bool has_front(const search_request& request) { return request.terms.objectives.size() > 1; }

bool is_over_one_key(const search_request& request) { return request.space.axes().size() == 1; }

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

// The verdict for a reader.
std::string verdict_words(const search_request& request, const search_result& result, const trial& t) {
  if (t.is_excluded()) return t.why;
  const std::string verdict = verdict_of(request, result, t);
  return verdict == "not_worse" ? "cannot be told apart" : verdict == "no_effect" ? "the same" : verdict;
}

table_field estimate_in(const std::vector<double>& values) {
  estimate e = estimate_of("", "", values, 0);
  if (e.ci_low && is_rounding(*e.mean - *e.ci_low, *e.mean)) e.ci_low = e.ci_high = std::nullopt;
  return estimate_field(e, digits);
}

table_row estimates_of(const trial& t) {
  table_row row;
  for (const std::vector<double>& series : t.found) row.push_back(estimate_in(series));
  return row;
}

table_row heads_of_metrics(const search_request& request) {
  table_row row;
  for (const metric_of_class& m : request.metrics) row.push_back(head_of_intervals(m.text()));
  return row;
}

std::string estimates_text(const search_request& request, const trial& t) {
  std::vector<std::string> words;
  for (std::size_t s = 0; s < request.metrics.size(); ++s)
    words.push_back(request.metrics[s].text() + " " + estimate_in(t.found[s]).text);
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
                       fmt::join(request.space.keys(), ", "), is_over_one_key(request) ? "has" : "have",
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
    text += has_front(request)
                ? fmt::format("front: {}: {}\n", request.space.assignments(t.values), estimates)
                : fmt::format("best: {}\n{}\n", request.space.assignments(t.values, "\nbest: "), estimates);
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

// For each kind of reason how many were excluded for it, the first of them, and the reason; the rest is in tune.csv.
// The table has the reasons of a single key.
std::string exclusions(const search_request& request, const search_result& result) {
  if (is_over_one_key(request)) return "";
  constexpr std::size_t most_kinds = 4;
  struct kind {
    std::size_t count = 0;
    const trial* first = nullptr;
  };
  std::map<std::string, kind> kinds;  // by the reason without its numbers
  for (const trial& t : result.tried) {
    if (!t.is_excluded()) continue;
    std::string reason;
    for (const char letter : t.why)
      if (std::string_view("0123456789.e+-").find(letter) == std::string_view::npos) reason += letter;
    kind& of = kinds[reason];
    if (++of.count == 1) of.first = &t;
  }
  std::string text;
  std::size_t shown = 0;
  for (const auto& [reason, of] : kinds)
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

// For a reader: of one key all values, of several the combinations that are left.
std::vector<table_row> readable_table(const search_request& request, const search_result& result) {
  const bool with_difference = !has_front(request);
  table_row heads = row_of(request.space.keys(), "replications", heads_of_metrics(request));
  if (with_difference) heads.emplace_back("difference to the best");
  std::vector<table_row> rows{row_of(heads, "verdict")};
  for (const trial* t : by_value(result)) {
    if (!t->is_left() && !is_over_one_key(request)) continue;
    table_row row = row_of(request.space.texts(t->values), t->replications(), estimates_of(*t));
    if (with_difference)
      row.push_back(difference_field(to_best(request, result, *t, request.terms.objectives.front().series), digits));
    rows.push_back(row_of(row, verdict_words(request, result, *t)));
  }
  return rows;
}

std::vector<table_row> effects_of_keys(const search_request& request, const search_result& result) {
  std::vector<table_row> rows{row_of("key", heads_of_metrics(request))};
  for (std::size_t k = 0; k < request.space.axes().size(); ++k) {
    rows.push_back({request.space.axes()[k].key});
    for (std::size_t s = 0; s < request.metrics.size(); ++s)
      rows.back().push_back(estimate_in(shares_of_variance(result, k, s)));
  }
  return rows;
}

// The best combination, or the front.
std::vector<table_row> best(const search_request& request, const search_result& result) {
  std::vector<table_row> rows{row_of(request.space.keys(), heads_of_metrics(request))};
  for (const std::size_t f : result.front)
    rows.push_back(row_of(request.space.texts(result.tried[f].values), estimates_of(result.tried[f])));
  return rows;
}

std::string met(const search_request& request, const trial& t, std::size_t series) {
  static constexpr const char* words[] = {"violated", "undecided", "met"};
  std::string all;
  for (std::size_t k = 0; k < t.meets.size(); ++k)
    if (request.terms.constraints[k].series == series && !t.is_excluded())
      all += (all.empty() ? "" : ";") + std::string(words[t.meets[k] + 1]);
  return all;
}

// Text as it stands, also where it is a number.
table_field text_field(const std::string& text) { return {text, std::nullopt}; }

table_row begin_of_heads(const search_request& request) { return row_of("scenario", "point", request.subject->keys); }

table_row begin_of_row(const search_request& request, std::size_t point) {
  return row_of(request.subject->name, point, request.subject->points[point].values);
}

}  // namespace

std::string search_heading(const search_request& request) {
  std::vector<std::string> axes, goals, bounds;
  for (const search_axis& axis : request.space.axes()) axes.push_back(axis.key + " " + axis.range.words());
  for (const search_objective& o : request.terms.objectives)
    goals.push_back(fmt::format("{} {}", o.maximize ? "maximize" : "minimize", request.metrics[o.series].text()));
  for (const search_constraint& c : request.terms.constraints) bounds.push_back(bound_text(request, c));
  const std::vector<study::point>& points = request.subject->points;
  std::string text =
      fmt::format("{}: {}, to {}", request.subject->name, fmt::join(axes, ", "), fmt::join(goals, " and to "));
  if (!bounds.empty()) text += fmt::format(", where {}", fmt::join(bounds, " and "));
  text += "\n";
  if (points.size() > 1) text += fmt::format("each of the {} points of the sweep is tuned by itself\n", points.size());
  return text + fmt::format("mean +- half-width of its own 95 % confidence interval; times in {}\n",
                            points.front().what.unit.name);
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

printed_output search_text(const search_request& request, std::size_t point, const search_result& result) {
  std::string text = "\n";
  if (request.subject->points.size() > 1) text += request.subject->label(point) + "\n";
  text += answer(request, result);
  if (!result.no_effect) text += others(request, result) + way_to_decide(request, result);
  text += exclusions(request, result);
  text += fmt::format("{} of at most {} replications{}\n", result.spent, request.terms.budget,
                      result.budget_spent ? ": a larger budget would go further" : "");
  const std::string trials = fmt::format("{}s", request.space.noun());
  printed_output all(trials);
  all.say(text + certainty(request, result) + "\n");
  if (!result.no_effect)
    all.add_data(has_front(request) ? "front" : "best", best(request, result),
                 table_context::of_point(*request.subject, point));
  all.say(text_table(readable_table(request, result)));
  all.add_data(trials, trial_rows(request, point, result));
  if (is_over_one_key(request)) return all;
  all.say(fmt::format(
      "\nshare of the variance over the coarse grid ({} combinations) that the values of a key explain alone,\n"
      "mean over the replications +- half-width of its 95 % confidence interval\n",
      result.coarse));
  all.say(text_table(effects_of_keys(request, result)));
  all.add_data("key_effects", key_effect_rows(request, point, result));
  return all;
}

std::vector<table_row> trial_rows(const search_request& request, std::size_t point, const search_result& result) {
  std::vector<table_row> rows{row_of(begin_of_heads(request), "key", "value", "class", "metric", "replications",
                                     "estimate", "ci_low", "ci_high", "difference", "difference_ci_low",
                                     "difference_ci_high", "verdict", "reason", "constraint", request.space.keys())};
  const std::string keys = fmt::format("{}", fmt::join(request.space.keys(), ";"));
  for (const trial* t : by_value(result)) {
    const std::vector<std::string> values = request.space.texts(t->values);
    for (std::size_t s = 0; s < request.metrics.size(); ++s) {
      const estimate e = estimate_of("", "", t->found[s], 0);
      const auto apart = to_best(request, result, *t, s);
      rows.push_back(row_of(begin_of_row(request, point), keys, text_field(fmt::format("{}", fmt::join(values, ";"))),
                            request.metrics[s].class_name, request.metrics[s].metric, t->found[s].size(), e.mean,
                            e.ci_low, e.ci_high, apart ? std::optional(apart->mean) : std::nullopt,
                            apart ? apart->ci_low : std::nullopt, apart ? apart->ci_high : std::nullopt,
                            verdict_of(request, result, *t), t->why, met(request, *t, s), values));
    }
  }
  return rows;
}

std::vector<table_row> key_effect_rows(const search_request& request, std::size_t point, const search_result& result) {
  std::vector<table_row> rows{
      row_of(begin_of_heads(request), "key", "class", "metric", "share_of_variance", "ci_low", "ci_high")};
  for (std::size_t k = 0; !result.tried.empty() && k < request.space.axes().size(); ++k)
    for (std::size_t s = 0; s < request.metrics.size(); ++s) {
      const estimate e = estimate_of("", "", shares_of_variance(result, k, s), 0);
      rows.push_back(row_of(begin_of_row(request, point), request.space.axes()[k].key, request.metrics[s].class_name,
                            request.metrics[s].metric, e.mean, e.ci_low, e.ci_high));
    }
  return rows;
}

}  // namespace muster
