#include "platform/command_line/exploration_text.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/text_table.h"
#include "platform/command_line/tune_text.h"
#include "platform/experiment/deciding_budget.h"
#include "platform/experiment/key_effects.h"
#include "platform/metrics/csv_field.h"
#include "platform/metrics/estimate.h"
#include "platform/results/results_csv.h"
#include "platform/tables/number_text.h"
#include "platform/toml/diagnostics.h"

namespace muster {

namespace {

constexpr int digits = 5;

bool has_front(const exploration_question& asked) { return asked.goal.terms.objectives.size() > 1; }

bool in_front(const exploration_result& found, const combination& c) {
  return std::any_of(found.front.begin(), found.front.end(), [&](std::size_t f) { return &found.tried[f] == &c; });
}

std::vector<std::string> values_of(const exploration_question& asked, const combination& c) {
  std::vector<std::string> values;
  for (std::size_t k = 0; k < asked.axes.size(); ++k)
    values.push_back(asked.axes[k].range().text(asked.axes[k].value(c.place[k])));
  return values;
}

// "KEY = VALUE, KEY = VALUE"
std::string assignments(const exploration_question& asked, const combination& c, const char* between = ", ") {
  std::vector<std::string> words = values_of(asked, c);
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = asked.keys[k] + " = " + words[k];
  return fmt::format("{}", fmt::join(words, between));
}

std::string word(const exploration_question& asked, const exploration_result& found, const combination& c) {
  if (c.answer == combination::verdict::excluded) return "excluded";
  if (c.answer == combination::verdict::violating) return "violating";
  if (c.answer == combination::verdict::worse) return "worse";
  if (in_front(found, c)) return has_front(asked) ? "front" : "best";
  return c.meets_all() ? "not_worse" : "undecided";
}

table_field estimate_in(const std::vector<double>& values) {
  estimate e = estimate_of("", "", values, 0);
  if (e.ci_low && is_rounding(*e.mean - *e.ci_low, *e.mean)) e.ci_low = e.ci_high = std::nullopt;
  return estimate_field(e, digits);
}

std::string estimates(const exploration_question& asked, const combination& c) {
  std::vector<std::string> words;
  for (std::size_t s = 0; s < asked.goal.metrics.size(); ++s)
    words.push_back(asked.goal.metrics[s].text() + " " + estimate_in(c.found[s]).text);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string bound_text(const exploration_question& asked, const search_constraint& bound) {
  return fmt::format("{} {} {}", asked.goal.metrics[bound.series].text(),
                     bound.at_most ? "<=" : ">=", shortest(bound.bound));
}

std::string answer(const exploration_question& asked, const exploration_result& found) {
  if (found.front.empty())
    return asked.goal.terms.constraints.empty() ? "" : "best: none: no combination is known to meet all constraints\n";
  std::string text;
  for (const std::size_t f : found.front) {
    const combination& c = found.tried[f];
    text += has_front(asked) ? fmt::format("front: {}: {}\n", assignments(asked, c), estimates(asked, c))
                             : fmt::format("best: {}\n{}\n", assignments(asked, c, "\nbest: "), estimates(asked, c));
  }
  return text;
}

std::size_t count(const exploration_question& asked, const exploration_result& found, const std::string& wanted) {
  return static_cast<std::size_t>(std::count_if(found.tried.begin(), found.tried.end(),
                                                [&](const combination& c) { return word(asked, found, c) == wanted; }));
}

std::string others(const exploration_question& asked, const exploration_result& found) {
  std::string text;
  const auto add = [&](const char* wanted, const std::string& what) {
    if (const std::size_t n = count(asked, found, wanted); n > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what);
  };
  add("not_worse", has_front(asked) ? "may belong to the front" : "cannot be told apart from it");
  add("undecided", "may meet the constraints or not");
  add("worse", "worse");
  add("violating", "violate a constraint");
  add("excluded", "excluded");
  return fmt::format("of {} combinations tried: {}\n", found.tried.size(), text.empty() ? "no others" : text);
}

// "--replications N --budget M" with which most of those that are undecided would be decided.
std::string way_to_decide(const exploration_question& asked, const exploration_result& found) {
  const deciding_budget needed = budget_to_decide(found, asked.goal.terms);
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
std::string exclusions(const exploration_question& asked, const exploration_result& found) {
  constexpr std::size_t most_kinds = 4;
  struct kind {
    std::size_t count = 0;
    const combination* first = nullptr;
  };
  std::map<std::string, kind> kinds;  // by the reason without its numbers
  for (const combination& c : found.tried) {
    if (c.answer != combination::verdict::excluded) continue;
    std::string reason;
    for (const char letter : c.why)
      if (std::string_view("0123456789.e+-").find(letter) == std::string_view::npos) reason += letter;
    kind& of = kinds[reason];
    if (++of.count == 1) of.first = &c;
  }
  std::string text;
  std::size_t told = 0;
  for (const auto& [reason, of] : kinds)
    if (++told <= most_kinds)
      text += fmt::format("excluded{}: {}: {}\n", of.count > 1 ? fmt::format(", {} such as", of.count) : "",
                          assignments(asked, *of.first), of.first->why);
  if (told > most_kinds)
    text += fmt::format("excluded for {} more reasons: see tune.csv of --out\n", told - most_kinds);
  return text;
}

std::string certainty(const exploration_question& asked, const exploration_result& found) {
  return fmt::format(
      "by t-tests, paired between combinations, corrected for {} in {}: with a probability of 95 %\n{}{}\n",
      counted(found.statements, "statement"), counted(found.rounds, "round"),
      asked.goal.terms.constraints.empty() ? "" : "all that is said of constraints is right, and ",
      has_front(asked) ? "none of those tried that belongs to the front is dropped"
                       : "the best of those tried is not dropped");
}

std::vector<table_row> table(const exploration_question& asked, const exploration_result& found) {
  table_row head = row_of(asked.keys, "replications");
  for (const metric_of_class& m : asked.goal.metrics) head.push_back(head_of_intervals(m.text()));
  head.emplace_back("verdict");
  std::vector<const combination*> left;
  for (const combination& c : found.tried)
    if (c.answer == combination::verdict::left) left.push_back(&c);
  std::sort(left.begin(), left.end(), [](const combination* a, const combination* b) { return a->place < b->place; });
  std::vector<table_row> rows{head};
  for (const combination* c : left) {
    table_row row = row_of(values_of(asked, *c), c->replications());
    for (const std::vector<double>& series : c->found) row.push_back(estimate_in(series));
    const std::string said = word(asked, found, *c);
    row.emplace_back(said == "not_worse" ? "cannot be told apart" : said);
    rows.push_back(row);
  }
  return rows;
}

std::vector<table_row> effects(const exploration_question& asked, const exploration_result& found) {
  std::vector<table_row> rows{{"key"}};
  for (const metric_of_class& m : asked.goal.metrics) rows.front().push_back(head_of_intervals(m.text()));
  for (std::size_t k = 0; k < asked.keys.size(); ++k) {
    rows.push_back({asked.keys[k]});
    for (std::size_t s = 0; s < asked.goal.metrics.size(); ++s)
      rows.back().push_back(estimate_in(shares_of_variance(found, k, s)));
  }
  return rows;
}

// The best combination, or the front.
std::vector<table_row> best(const exploration_question& asked, const exploration_result& found) {
  table_row head = row_of(asked.keys);
  for (const metric_of_class& m : asked.goal.metrics) head.push_back(head_of_intervals(m.text()));
  std::vector<table_row> rows{head};
  for (const std::size_t f : found.front) {
    rows.push_back(row_of(values_of(asked, found.tried[f])));
    for (const std::vector<double>& series : found.tried[f].found) rows.back().push_back(estimate_in(series));
  }
  return rows;
}

std::string met(const exploration_question& asked, const combination& c, std::size_t series) {
  static constexpr const char* words[] = {"violated", "undecided", "met"};
  std::string all;
  for (std::size_t k = 0; k < c.meets.size(); ++k)
    if (asked.goal.terms.constraints[k].series == series && c.answer != combination::verdict::excluded)
      all += (all.empty() ? "" : ";") + std::string(words[c.meets[k] + 1]);
  return all;
}

// Over the replications that both have.
std::optional<difference> to_best(const exploration_question& asked, const exploration_result& found,
                                  const combination& c, std::size_t series) {
  if (has_front(asked) || found.front.empty() || in_front(found, c)) return std::nullopt;
  const combination& best = found.tried[found.front.front()];
  const auto common = static_cast<std::ptrdiff_t>(std::min(best.replications(), c.replications()));
  if (common == 0) return std::nullopt;
  const auto first = [&](const combination& of) {
    return std::vector<double>{of.found[series].begin(), of.found[series].begin() + common};
  };
  return students_difference(first(best), first(c));
}

}  // namespace

std::string exploration_heading(const exploration_question& asked) {
  const auto& [objectives, constraints, replications, budget] = asked.goal.terms;
  std::vector<std::string> keys, goals, bounds;
  for (std::size_t k = 0; k < asked.keys.size(); ++k)
    keys.push_back(asked.keys[k] + " " + asked.axes[k].range().words());
  for (const search_objective& o : objectives)
    goals.push_back(fmt::format("{} {}", o.maximize ? "maximize" : "minimize", asked.goal.metrics[o.series].text()));
  for (const search_constraint& c : constraints) bounds.push_back(bound_text(asked, c));
  const std::vector<study::point>& points = asked.what.points;
  std::string text = fmt::format("{}: {}, to {}", asked.what.name, fmt::join(keys, ", "), fmt::join(goals, " and to "));
  if (!bounds.empty()) text += fmt::format(", where {}", fmt::join(bounds, " and "));
  text += "\n";
  if (points.size() > 1) text += fmt::format("each of the {} points of the sweep is tuned by itself\n", points.size());
  return text + fmt::format("mean +- half-width of its own 95 % confidence interval; times in {}\n",
                            points.front().what.unit.name);
}

std::string exploration_progress(const exploration_question& asked, const exploration_result& so_far) {
  const auto left = std::count_if(so_far.tried.begin(), so_far.tried.end(),
                                  [](const combination& c) { return c.answer == combination::verdict::left; });
  std::string best;
  if (has_front(asked))
    best = fmt::format("{} in the front", so_far.front.size());
  else
    best = so_far.front.empty() ? "none known to meet all constraints"
                                : "the best so far " + assignments(asked, so_far.tried[so_far.front.front()]);
  return fmt::format("{} of at most {} replications: {} of {} combinations left, {}\n", so_far.spent,
                     asked.goal.terms.budget, left, so_far.tried.size(), best);
}

printed_output exploration_text(const exploration_question& asked, std::size_t point, const exploration_result& found) {
  std::string text = "\n";
  if (asked.what.points.size() > 1) text += asked.what.label(point) + "\n";
  text += answer(asked, found) + others(asked, found) + way_to_decide(asked, found) + exclusions(asked, found);
  text += fmt::format("{} of at most {} replications{}\n", found.spent, asked.goal.terms.budget,
                      found.budget_spent ? ": a larger budget would go further" : "");
  printed_output all("combinations");
  const table_context place = table_context::of_point(asked.what, point);
  all.say(text + certainty(asked, found) + "\n");
  all.add_data(has_front(asked) ? "front" : "best", best(asked, found), place);
  all.add("combinations", table(asked, found), place);
  all.say(fmt::format(
      "\nshare of the variance over the coarse grid ({} combinations) that the values of a key explain alone,\n"
      "mean over the replications +- half-width of its 95 % confidence interval\n",
      found.coarse));
  all.add("key_effects", effects(asked, found), place);
  return all;
}

std::string exploration_csv_header(const exploration_question& asked) {
  std::string header = tuning_csv_header(asked.what);
  header.back() = ',';
  header += "constraint";
  for (const std::string& key : asked.keys) header += "," + csv_field(key);
  return header + "\n";
}

std::string exploration_csv_rows(const exploration_question& asked, std::size_t point,
                                 const exploration_result& found) {
  std::string rows;
  for (const combination& c : found.tried)
    for (std::size_t s = 0; s < asked.goal.metrics.size(); ++s) {
      const metric_of_class& m = asked.goal.metrics[s];
      const estimate e = estimate_of("", "", c.found[s], 0);
      const std::vector<std::string> values = values_of(asked, c);
      std::string row =
          csv_row(csv_begin(asked.what, point), fmt::format("{}", fmt::join(asked.keys, ";")),
                  fmt::format("{}", fmt::join(values, ";")), m.class_name, m.metric, c.found[s].size(), e.mean,
                  e.ci_low, e.ci_high, to_best(asked, found, c, s), word(asked, found, c), c.why, met(asked, c, s));
      row.pop_back();
      for (const std::string& value : values) row += "," + csv_field(value);
      rows += row + "\n";
    }
  return rows;
}

std::string key_effects_csv_header(const study& s) {
  return csv_begin(s) + ",key,class,metric,share_of_variance,ci_low,ci_high\n";
}

std::string key_effects_csv_rows(const exploration_question& asked, std::size_t point,
                                 const exploration_result& found) {
  std::string rows;
  for (std::size_t k = 0; k < asked.keys.size(); ++k)
    for (std::size_t s = 0; s < asked.goal.metrics.size(); ++s) {
      const metric_of_class& m = asked.goal.metrics[s];
      const estimate e = estimate_of("", "", shares_of_variance(found, k, s), 0);
      rows += csv_row(csv_begin(asked.what, point), asked.keys[k], m.class_name, m.metric, e.mean, e.ci_low, e.ci_high);
    }
  return rows;
}

}  // namespace muster
