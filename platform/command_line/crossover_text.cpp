#include "platform/command_line/crossover_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "platform/command_line/text_table.h"
#include "platform/metrics/csv_field.h"
#include "platform/metrics/estimate.h"
#include "platform/metrics/metric.h"
#include "platform/results/results_csv.h"
#include "platform/results/significance.h"

namespace muster {

namespace {

metric_preference preference(const crossover_question& asked) { return find_metric(asked.goal.metric)->better; }

// Of a metric without better values: the one with less.
std::size_t better_policy(const crossover_question& asked, int side) {
  return (side < 0) != (preference(asked) == metric_preference::larger) ? 0 : 1;
}

const std::string& name_of_better(const crossover_question& asked, int side) {
  return asked.goal.policies.at(better_policy(asked, side));
}

const char* is_better(const crossover_question& asked) {
  return preference(asked) == metric_preference::none ? "has less" : "is better";
}

// Each side judged by itself.
std::vector<int> sides_of(const std::vector<paired_point>& points) {
  std::vector<int> sides;
  sides.reserve(points.size());
  for (const paired_point& p : points) sides.push_back(p.side(0.05));
  return sides;
}

std::string plainly(double mean, const std::optional<double>& ci_low) {
  const double half = ci_low ? mean - *ci_low : 0.0;
  return ci_low ? fmt::format("{} +- {}", plain_decimal(mean, half), plain_decimal(half, half))
                : plain_decimal(mean, 0.0);
}

table_field mean_of_policy(const std::vector<double>& found) {
  if (found.empty()) return "-";
  const estimate e = estimate_of("", "", found, 0);
  table_field field = estimate_field(e);
  field.text = plainly(*e.mean, e.ci_low);
  return field;
}

std::optional<difference> difference_of(const paired_point& p) {
  if (p.first.empty()) return std::nullopt;
  return students_difference(p.second, p.first);
}

table_field plain_difference(const paired_point& p) {
  const auto apart = difference_of(p);
  table_field field = difference_field(apart);
  if (apart) field.text = plainly(apart->mean, apart->ci_low);
  return field;
}

std::vector<table_row> table(const crossover_question& asked, const std::vector<paired_point>& points,
                             const std::vector<int>& sides) {
  std::vector<table_row> rows{{asked.key, "replications", head_of_intervals(asked.goal.policies[0]),
                               head_of_intervals(asked.goal.policies[1]), head_of_intervals("difference"),
                               preference(asked) == metric_preference::none ? "less" : "better"}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const paired_point& p = points[i];
    rows.push_back(row_of(setting_field(asked.range.text(p.value)), p.first.size(), mean_of_policy(p.first),
                          mean_of_policy(p.second), plain_difference(p),
                          p.excluded()    ? p.why
                          : sides[i] == 0 ? "cannot be told"
                                          : name_of_better(asked, sides[i])));
  }
  return rows;
}

// Values that are not judged: those that are left out, or those at which neither policy is better.
std::vector<std::string> values_of(const crossover_question& asked, const scan_result& scanned, bool excluded) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < scanned.points.size(); ++i) {
    const paired_point& p = scanned.points[i];
    const bool within = std::any_of(scanned.changes.begin(), scanned.changes.end(),
                                    [&](const sign_change& c) { return c.low < p.value && p.value < c.high; });
    if (excluded ? p.excluded() : !p.excluded() && scanned.sides[i] == 0 && !within)
      words.push_back(asked.range.text(p.value));
  }
  return words;
}

std::string number(const crossover_question& asked, const crossing& c, double value) {
  if (asked.range.whole()) return asked.range.text(value);
  const double half = (c.high - c.low) / 2.0;
  return plain_decimal(value, half > 0.0 ? half : (asked.range.high() - asked.range.low()) * 1e-4);
}

std::string percent(double share) { return plain_decimal(100.0 * share, 100.0 * share) + " %"; }

std::string sentence(const crossover_question& asked, const crossing& c) {
  std::string text = fmt::format("{0} {1} below {2}, {3} from there on; half-width {4} of the range",
                                 name_of_better(asked, c.side_below), is_better(asked), number(asked, c, c.value),
                                 name_of_better(asked, -c.side_below), percent(c.half_width));
  if (c.replications > 0) text += fmt::format(", {} replications of each", c.replications);
  if (!c.precise)
    text += fmt::format("\nthat is not the precision of {}: the budget does not allow more; --budget gives it more",
                        percent(asked.goal.terms.precision));
  return text + "\n";
}

std::string last_line(const crossover_question& asked, const crossing& c) {
  return fmt::format("crossover: {} = {} ({} .. {})\n", asked.key, number(asked, c, c.value), number(asked, c, c.low),
                     number(asked, c, c.high));
}

// By how much the policy that is better somewhere is better at a value.
std::string lead(const crossover_question& asked, const paired_point& p, int side) {
  const difference found = side < 0 ? students_difference(p.first, p.second) : students_difference(p.second, p.first);
  return fmt::format("{} at {}", plainly(found.mean, found.ci_low), asked.range.text(p.value));
}

const char* word(std::size_t policy) { return policy == 0 ? "first" : "second"; }

// A row for each crossing, or one that says why there is none.
std::vector<table_row> crossing_rows(const crossover_question& asked, const crossover_result& found) {
  std::vector<table_row> rows{{"key", head_of_intervals("value"), "better_below", "better_above", "half_width",
                               "precise", "replications", "reason"}};
  for (const crossing& c : found.crossings) {
    table_field value = setting_field(number(asked, c, c.value));
    value.ci_low = c.low;
    value.ci_high = c.high;
    rows.push_back(row_of(asked.key, value, name_of_better(asked, c.side_below), name_of_better(asked, -c.side_below),
                          c.half_width, c.precise ? "yes" : "no", c.replications, "-"));
  }
  if (found.crossings.empty())
    rows.push_back(row_of(asked.key, "-", "-", "-", "-", "-", "-", why_no_crossover(asked, found)));
  return rows;
}

}  // namespace

std::string plain_decimal(double number, double resolution) {
  const double leading = resolution > 0.0 ? resolution : std::abs(number) / 1e4;
  const int digits = leading > 0.0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(leading))), 0, 17) : 0;
  std::string text = fmt::format("{:.{}f}", number, digits);
  if (text.front() == '-' && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string crossover_heading(const crossover_question& asked) {
  const crossover_goal& goal = asked.goal;
  std::string text =
      fmt::format("{}: {}{} of {} and {}, {} from {} to {}\n", asked.what.name, goal.metric,
                  goal.class_name == "all" ? "" : " of class " + goal.class_name, goal.policies[0], goal.policies[1],
                  asked.key, asked.range.text(asked.range.low()), asked.range.text(asked.range.high()));
  if (asked.what.points.size() > 1)
    text += fmt::format("each of the {} points of the sweep is searched by itself\n", asked.what.points.size());
  return text +
         fmt::format(
             "mean +- half-width of its own 95 % confidence interval; difference: first minus second; times in {}\n",
             asked.what.points.front().what.unit.name);
}

std::string crossover_progress(const crossover_question& asked, const crossover_result& so_far) {
  std::string text = fmt::format("{} of at most {} replications: ", so_far.spent, asked.goal.terms.budget);
  if (so_far.crossings.empty()) {
    const auto& sides = so_far.scanned.sides;
    const auto known = std::count_if(sides.begin(), sides.end(), [](int side) { return side != 0; });
    const auto& points = so_far.scanned.points;
    const auto tried = std::count_if(points.begin(), points.end(), [](const paired_point& p) { return !p.excluded(); });
    return text + fmt::format("the better policy is known at {} of {} values, and changes {} times\n", known, tried,
                              so_far.scanned.changes.size());
  }
  return text + last_line(asked, so_far.crossings.back()).substr(std::string("crossover: ").size());
}

std::string why_no_crossover(const crossover_question& asked, const crossover_result& found) {
  std::vector<const paired_point*> measured;
  int side = 0;
  for (std::size_t i = 0; i < found.scanned.points.size(); ++i) {
    if (!found.scanned.points[i].excluded()) measured.push_back(&found.scanned.points[i]);
    if (found.scanned.sides[i] != 0) side = found.scanned.sides[i];
  }
  const paired_point &low = *measured.front(), &high = *measured.back();
  const auto open = values_of(asked, found.scanned, false), out = values_of(asked, found.scanned, true);
  const std::string values = fmt::format("{} values from {} to {}", measured.size(), asked.range.text(low.value),
                                         asked.range.text(high.value));
  std::string text;
  if (found.scanned.no_difference) {
    text = fmt::format("both find the same numbers at all {}, to the last digit", values);
  } else if (side == 0) {
    text = fmt::format("they cannot be told apart at any of {}; more replications (--budget) or jobs may tell", values);
  } else {
    const std::string share = open.empty() ? "all" : fmt::format("{} of", measured.size() - open.size());
    text = fmt::format("{} {} at {} {}, by {} and {}", name_of_better(asked, side), is_better(asked), share, values,
                       lead(asked, low, side), lead(asked, high, side));
    if (!open.empty()) text += fmt::format("; they cannot be told apart at {}", fmt::join(open, ", "));
  }
  return text + (out.empty() ? "" : fmt::format("; left out: {}", fmt::join(out, ", ")));
}

printed_output crossover_text(const crossover_question& asked, std::size_t point, const crossover_result& found) {
  printed_output all("crossings");
  const table_context place = table_context::of_point(asked.what, point);
  all.add_data("crossings", crossing_rows(asked, found), place);
  all.say("\n");
  if (asked.what.points.size() > 1) all.say(asked.what.label(point) + "\n\n");
  all.add("scan", table(asked, found.scanned.points, found.scanned.sides), place);
  if (!found.narrowed.empty()) {
    all.say("\nnarrowed down with replications of its own:\n\n");
    all.add("narrowing", table(asked, found.narrowed, sides_of(found.narrowed)), place);
  }
  std::string text = "\n";
  for (const crossing& c : found.crossings) text += sentence(asked, c);
  if (const auto open = values_of(asked, found.scanned, false); !open.empty())
    text += fmt::format("they cannot be told apart at {}\n", fmt::join(open, ", "));
  if (const auto out = values_of(asked, found.scanned, true); !out.empty())
    text += fmt::format("left out, for the reasons in the table: {}\n", fmt::join(out, ", "));
  text += fmt::format("{} of at most {} replications\n", found.spent, asked.goal.terms.budget);
  for (const crossing& c : found.crossings) text += last_line(asked, c);
  if (found.crossings.empty()) text += "crossover: none: " + why_no_crossover(asked, found) + "\n";
  all.say(text);
  return all;
}

crossover_csv::crossover_csv(const crossover_question& asked) : asked_(asked) {
  crossings_ = csv_begin(asked.what) +
               ",key,class,metric,first,second,value,ci_low,ci_high,better_below,better_above,half_width,precise,"
               "replications,reason\n";
  points_ = csv_begin(asked.what) +
            ",key,value,class,metric,stage,replications,first,second,difference,difference_ci_low,"
            "difference_ci_high,better,reason\n";
}

void crossover_csv::add(std::size_t point, const crossover_result& found, bool complete) {
  const std::string begin = csv_begin(asked_.what, point) + "," + csv_field(asked_.key);
  add_points(begin, found.scanned.points, found.scanned.sides, "scan");
  add_points(begin, found.narrowed, sides_of(found.narrowed), "narrowing");
  if (!complete) return;
  const crossover_goal& goal = asked_.goal;
  const auto add_row = [&](const auto&... fields) {
    crossings_ += csv_row(begin, goal.class_name, goal.metric, goal.policies[0], goal.policies[1], fields...);
  };
  for (const crossing& c : found.crossings)
    add_row(number(asked_, c, c.value), number(asked_, c, c.low), number(asked_, c, c.high),
            word(better_policy(asked_, c.side_below)), word(better_policy(asked_, -c.side_below)), c.half_width,
            c.precise ? "yes" : "no", c.replications, "");
  if (found.crossings.empty()) add_row("", "", "", "", "", "", "", "", why_no_crossover(asked_, found));
}

void crossover_csv::add_points(const std::string& begin, const std::vector<paired_point>& points,
                               const std::vector<int>& sides, const char* stage) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const paired_point& p = points[i];
    const auto mean = [](const std::vector<double>& found) { return estimate_of("", "", found, 0).mean; };
    points_ += csv_row(begin, asked_.range.text(p.value), asked_.goal.class_name, asked_.goal.metric, stage,
                       p.first.size(), mean(p.first), mean(p.second), difference_of(p),
                       p.excluded()    ? "excluded"
                       : sides[i] == 0 ? "undecided"
                                       : word(better_policy(asked_, sides[i])),
                       p.why);
  }
}

}  // namespace muster
